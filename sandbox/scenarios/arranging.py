"""Scenarios of Chinese Poker and Thirteen. The caller sits in seat 0."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from sandbox.scenarios.scenario import Scenario, dealt, lines

HANDS: Final = (
    "3S 5C 5D 7S 9S JS KC KD KH KS AH AS 2S",
    "3H 5S 6C 6H 7D 8S 9H TC TD JC JD AC 2C",
    "3C 4C 5H 6D 6S 7C 8C 8D 9C QC QD QS AD",
    "3D 4D 4H 4S 7H 8H 9D TH TS JH QH 2D 2H",
)
OTHERS: Final = (
    "1 arrange AC 7D 2C / JC JD 9H 5S 3H / TC TD 6C 6H 8S",
    "2 arrange QS 7C 4C / QC QD 9C 5H 3C / 8C 8D 6S 6D AD",
    "3 arrange 9D 7H 3D / TH TS JH 8H 2H / 4D 4H 4S QH 2D",
)
BEST: Final = "0 arrange AS AH KD / 2S 3S 7S 9S JS / KC KH KS 5C 5D"
DRAGON_HANDS: Final = (
    "3D 4H 5S 6C 7D 8H 9S TC JD QH KS AC 2C",
    "4C 5C 7C 7H 8C 9C TD QC QD KC KD AD 2D",
    "3C 4D 5D 6D 6H 8D 9D TH TS JC JH KH AH",
    "3H 3S 4S 5H 6S 7S 8S 9H JS QS AS 2H 2S",
)
BESIDE_THE_DRAGON: Final = (
    "1 arrange AD 9C 4C / QC QD 8C 5C 2D / KC KD 7C 7H TD",
    "2 arrange AH 9D 5D / JC JH 8D 4D 3C / TH TS 6D 6H KH",
    "3 arrange 9H 8S 4S / QS JS 7S 6S 5H / 3H 3S 2H 2S AS",
)

FOUL: Final = _("You set your rows in a wrong order and say so: a foul loses to everybody.")
DRAGON: Final = _("You are dealt one card of each rank and declare the dragon.")
ALL_BEATEN: Final = _("You beat every other player in all three rows.")


def _both(
    name: str, summary: Promise, hands: tuple[str, ...], *moves: str, thirteen: str = ""
) -> tuple[Scenario, Scenario]:
    """The same in both games; in Thirteen the caller leads, and nobody cuts."""
    cuts = tuple(f"{seat} cut 0" for seat in (1, 2, 3))
    return (
        Scenario("chinese-poker", name, summary, dealt(*hands), lines(*moves)),
        Scenario(
            "thirteen", thirteen or name, summary, dealt(*hands, first=0), lines(*cuts, *moves)
        ),
    )


ARRANGING: Final = (
    *_both(
        "foul",
        FOUL,
        HANDS,
        "0 arrange_foul AS AH KD / KC KH KS 5C 5D / 2S 3S 7S 9S JS",
        *OTHERS,
    ),
    *_both("dragon", DRAGON, DRAGON_HANDS, "0 declare", *BESIDE_THE_DRAGON),
    *_both("grand_slam", ALL_BEATEN, HANDS, BEST, *OTHERS, thirteen="home_run"),
    Scenario(
        "chinese-poker",
        "six_pairs",
        _("You and another player declare six pairs, and are even."),
        dealt(
            "3C 3D 3H 3S 7C 7D 9C 9D JC JD KC KD KH",
            "4C 4H 5C 5S 6C 6H 8C 8D TC TH AS 2C 2H",
            "4D 5D 6D 7H 8H 9H TD JH QC QH KS AD 2D",
            "4S 5H 6S 7S 8S 9S TS JS QD QS AC AH 2S",
        ),
        lines(
            "0 declare",
            "1 declare",
            "2 arrange_foul 8H 9H QH / TD JH QC KS AD / 4D 5D 6D 7H 2D",
            "3 arrange_foul QD AC AH / 8S 9S TS JS QS / 4S 5H 6S 7S 2S",
        ),
    ),
    Scenario(
        "chinese-poker",
        "three_straights",
        _("You declare three straights, which beat another player's six pairs."),
        dealt(
            "3C 3H 4D 5H 6S 7C 9C TD JH QS KC AC 2D",
            "4C 4H 5C 5S 6C 6H 8C 8D TC TH KD 2C 2H",
            "3D 4S 6D 7H 8H 9D 9S JC JS QD KH AD AS",
            "3S 5D 7D 7S 8S 9H TS JD QC QH KS AH 2S",
        ),
        lines(
            "0 declare",
            "1 declare",
            "2 arrange_foul 9D 9S QD / JC JS KH AD AS / 3D 4S 6D 7H 8H",
            "3 arrange_foul 7S 9H QH / TS JD QC KS AH / 3S 5D 7D 8S 2S",
        ),
    ),
    Scenario(
        "thirteen",
        "four_of_a_kind",
        _("You win the back row with four of a kind, which pays a bonus from everybody."),
        dealt(
            "4H 4S 5D 8C 8D 8H TH QS KC KD KH KS 2H",
            "4C 6C 6H 6S 7C 7D 9C 9D TC TD QD AC AD",
            "3H 3S 5S 7S 8S 9H 9S JC JD JS AH 2D 2S",
            "3C 3D 4D 5C 5H 6D 7H TS JH QC QH AS 2C",
            first=3,
        ),
        lines(
            "0 cut 0",
            "1 cut 0",
            "2 cut 0",
            "0 extend",
            "0 arrange QS TH 5D / 8C 8D 8H 4S 4H / KC KD KH KS 2H",
            "1 arrange AC 7D 6S / 9C 9D QD 7C 4C / TC TD 6C 6H AD",
            "2 arrange AH JS 2D / JC JD 9H 5S 3H / 2S 3S 7S 8S 9S",
            "3 arrange AS 5H 3C / QC QH TS JH 2C / 3D 4D 5C 6D 7H",
        ),
    ),
)
