"""What patterns, categories of rows and special hands are called by people."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.rules.variant import VariantInfo

NAMES: Final[dict[str, Promise]] = {
    "high_card": _("High card"),
    "single": _("Single"),
    "pair": _("Pair"),
    "two_pair": _("Two pairs"),
    "triple": _("Triple"),
    "three_of_a_kind": _("Three of a kind"),
    "straight": _("Straight"),
    "flush": _("Flush"),
    "full_house": _("Full house"),
    "four_of_a_kind": _("Four of a kind"),
    "straight_flush": _("Straight flush"),
    "triple_with_single": _("Triple with a single"),
    "triple_with_pair": _("Triple with a pair"),
    "pair_chain": _("Chain of pairs"),
    "airplane": _("Airplane"),
    "airplane_with_singles": _("Airplane with singles"),
    "airplane_with_pairs": _("Airplane with pairs"),
    "four_with_singles": _("Four with two singles"),
    "four_with_pairs": _("Four with two pairs"),
    "bomb": _("Bomb"),
    "rocket": _("Rocket"),
    "dragon": _("Dragon"),
    "three_flushes": _("Three flushes"),
    "three_straights": _("Three straights"),
    "six_pairs": _("Six pairs"),
}
NAMES_IN_A_GAME: Final[dict[tuple[str, str], Promise]] = {
    ("dou-dizhu", "triple"): _("Three cards of a rank"),
}
"""Where a game has a name of its own for the word."""


def pattern_name(info: VariantInfo, word: str) -> Promise:
    """What this game calls it."""
    return NAMES_IN_A_GAME.get((info.slug, word), NAMES[word])
