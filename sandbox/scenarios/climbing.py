"""Scenarios of Big Two and Dou Dizhu. The caller sits in seat 0."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

from sandbox.scenarios.scenario import Scenario, dealt, everybody_passes, lines

# A hand that goes out in three plays, and three that may stand beside it; the lowest cards of each
# house are kept apart.
QUICK: Final = "4C 5H 6S 7C 8C 8D 8H 9C 9D TC TD TH"
HIGH: Final = "6H 7H 8S 9S JD JS QH KD KS AD 2C 2H 2S"
POOR: Final = "3H 3S 4D 4H 4S 5C 5D 5S 6C 6D JC QD"
MIXED: Final = "7D 7S 9H TS JH QC QS KC KH AC AH AS 2D"

ONE_CARD_LEFT: Final = _("The next player has one card left, and you must act.")
NOBODY_PLAYED: Final = _("You go out before anybody else has played a card: the dearest loss.")


def _quick_plays(seat: int, opening: str) -> tuple[str, ...]:
    """Two of the three plays of the quick hand, and the passes after them."""
    return (
        f"{seat} play {opening} 4C 5H 6S 7C",
        *everybody_passes(seat),
        f"{seat} play 8C 8D 8H 9C 9D",
        *everybody_passes(seat),
    )


BIG_TWO: Final = tuple(
    scenario
    for game, opening, other in (("big-two-tw", "3C", "3D"), ("big-two-hk", "3D", "3C"))
    for scenario in (
        Scenario(
            game,
            "one_card_left",
            ONE_CARD_LEFT,
            dealt(HIGH, f"{opening} {QUICK}", f"{other} {POOR}", MIXED),
            lines(*_quick_plays(1, opening), "1 play TC TD", "2 pass", "3 pass"),
        ),
        Scenario(
            game,
            "thirteen_left",
            NOBODY_PLAYED,
            dealt(f"{opening} {QUICK}", HIGH, f"{other} {POOR}", MIXED),
            lines(*_quick_plays(0, opening), "0 play TC TD TH"),
        ),
    )
)

BIG_TWO_TW: Final = (
    Scenario(
        "big-two-tw",
        "bomb_on_a_two",
        _("Your highest single, the two of spades, is beaten by four of a kind."),
        dealt(
            "3C 3D 4D 5S 6S 7S 8S TS JS QH KD AC 2S",
            "3H 4H 4S 5H 6C 7C 8C 9C 9D 9H 9S TC JC",
            "3S 5C 6D 7D 8D TD JD QC QS KH AD AS 2H",
            "4C 5D 6H 7H 8H TH JH QD KC KS AH 2C 2D",
        ),
        lines(
            "0 play 3C",
            "1 play 4H",
            "2 play 2H",
            "3 pass",
            "0 play 2S",
            "1 play 5H 9C 9D 9H 9S",
            "2 pass",
            "3 pass",
        ),
    ),
    Scenario(
        "big-two-tw",
        "straight_flush_lead",
        _("A straight flush opens the round, and you are to follow."),
        dealt(
            "3D 4H 5S 7D 8D 9D TD JD QD KC KS AH 2D",
            "3C 3H 4C 4S 5C 6C 6D 7C 7H 8H 9H TH JH",
            "3S 5D 6H 7S 8S 9S TS JS QH KD AC AS 2H",
            "4D 5H 6S 8C 9C TC JC QC QS KH AD 2C 2S",
        ),
        lines("1 play 3C 4C 5C 6C 7C", "2 pass", "3 pass"),
    ),
    Scenario(
        "big-two-tw",
        "straight_with_a_two",
        _("Your straight is beaten by higher ones up to 2-3-4-5-6, the highest of all."),
        dealt(
            "3C 3S 4D 5C 6C 6D 7D 7H 8S TH JH QH AS",
            "4C 6S 7S 9S TC TS JC JS QD QS KS AC 2S",
            "3H 4S 5D 5S 7C 8H TD JD QC AD AH 2C 2H",
            "3D 4H 5H 6H 8C 8D 9C 9D 9H KC KD KH 2D",
        ),
        lines(
            "0 play 3C 4D 5C 6C 7D",
            "1 play TC JC QD KS AC",
            "2 play 3H 4S 5D AD 2C",
            "3 play 3D 4H 5H 6H 2D",
        ),
    ),
)

BIG_TWO_HK: Final = (
    Scenario(
        "big-two-hk",
        "redeal_offer",
        _("Another player calls for a redeal, and you are asked to accept or decline."),
        dealt(HIGH, f"3D {POOR}", f"3C {QUICK}", MIXED),
        lines("1 call_redeal", "2 answer_redeal accept", "3 answer_redeal accept"),
    ),
    Scenario(
        "big-two-hk",
        "redeal_call",
        _("Your hand may call for a redeal; once you do, the cards are dealt anew."),
        dealt(f"3C {POOR}", f"3D {QUICK}", HIGH, MIXED),
        lines("0 call_redeal"),
    ),
)

DOU_DIZHU: Final = (
    Scenario(
        "dou-dizhu",
        "all_pass_redeal",
        _("Nobody bids, and the cards are dealt anew in the same round."),
        dealt(
            "3C 4C 5C 6C 6S 7H 8D 9C 9S TH JD QC QS KH AD 2C 2S",
            "3D 4D 5D 6D 7C 7S 8H 9D TC TS JH QD KC KS AH 2D BJ",
            "3H 4H 5H 6H 7D 8C 8S 9H TD JC JS QH KD AC AS 2H RJ",
            kitty="3S 4S 5S",
            first=1,
        ),
        lines("1 bid 0", "2 bid 0", "0 bid 0"),
    ),
    Scenario(
        "dou-dizhu",
        "spring",
        _("You are the landlord and go out before a farmer has played: spring."),
        dealt(
            "3C 4C 5C 5D 5H 5S 6C 6D 6H 7C 8C 9C TC JC QC KC AC",
            "3D 3S 4H 7H 8H 9D 9S TH JD JS QH KD KS AH 2C 2H BJ",
            "3H 4D 4S 7S 8S 9H TD TS JH QD QS KH AD AS 2D 2S RJ",
            kitty="6S 7D 8D",
            first=0,
        ),
        lines(
            "0 bid 3",
            "0 play 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC",
            *everybody_passes(0, seats=3),
            "0 play 5D 5H 5S 6D 6H 6S 7D 8D",
        ),
    ),
    Scenario(
        "dou-dizhu",
        "anti_spring",
        _("You are the landlord and play once only before a farmer goes out: anti-spring."),
        dealt(
            "3D 3H 4S 6H 7H 8D 8S 9H TD TS JH QD QS KH AD AS 2S",
            "3C 4C 4D 5C 5D 5H 6C 7C 8C 9C TC JC QC KC AC 2C 2D",
            "3S 5S 6S 7S 8H 9D 9S TH JD JS QH KD KS AH 2H BJ RJ",
            kitty="4H 6D 7D",
            first=2,
        ),
        lines(
            "2 bid 0",
            "0 bid 1",
            "1 bid 0",
            "0 play 3D",
            "1 play 4D",
            "2 pass",
            "0 pass",
            "1 play 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC",
            "2 pass",
            "0 pass",
            "1 play 2C 2D",
            "2 pass",
            "0 pass",
            "1 play 5D 5H",
        ),
    ),
    Scenario(
        "dou-dizhu",
        "rocket",
        _("A bomb on your straight, your higher bomb on that, and the rocket on all."),
        dealt(
            "3C 3H 4C 4S 5C 6C 6H 7C 7S 9S TH JC JS 2C 2D 2H 2S",
            "3D 4D 5D 6D 7D 8C 8D 8H 8S 9C 9D TD JD QD KD BJ RJ",
            "3S 5H 6S 9H TC TS JH QC QH QS KC KH KS AC AD AH AS",
            kitty="4H 5S 7H",
            first=0,
        ),
        lines(
            "0 bid 2",
            "1 bid 0",
            "2 bid 0",
            "0 play 3C 4C 5C 6C 7C",
            "1 pass",
            "2 play AC AD AH AS",
            "0 play 2C 2D 2H 2S",
            "1 play BJ RJ",
            "2 pass",
        ),
    ),
    Scenario(
        "dou-dizhu",
        "bombs_double",
        _("Two bombs double the stake twice, and you win with it as the landlord."),
        dealt(
            "3C 4C 5C 6C 7C 9C 9D 9H 9S TC JC QC QD QH KC KD AC",
            "3D 3S 4H 5D 5S 6H 7D 7S 8C 8D 8H 8S TH JD JS AH 2H",
            "3H 4D 4S 5H 6D 6S 7H TD TS JH QS AS 2C 2D 2S BJ RJ",
            kitty="KH KS AD",
            first=0,
        ),
        lines(
            "0 bid 1",
            "1 bid 0",
            "2 bid 0",
            "0 play QC QD",
            "1 play 8C 8D 8H 8S",
            "2 pass",
            "0 play 9C 9D 9H 9S",
            *everybody_passes(0, seats=3),
            "0 play TC JC QH KC AC",
            *everybody_passes(0, seats=3),
            "0 play 3C 4C 5C 6C 7C",
            *everybody_passes(0, seats=3),
            "0 play KD KH KS AD",
        ),
    ),
)

CLIMBING: Final = (*BIG_TWO, *BIG_TWO_TW, *BIG_TWO_HK, *DOU_DIZHU)
