"""What people call the words of the interface: patterns, phases, types of moves, reasons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.rules.variant import VariantInfo

NAMES: Final[Mapping[str, Mapping[str, Promise]]] = {
    "patterns": {
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
    },
    "specials": {
        "dragon": _("Dragon"),
        "three_flushes": _("Three flushes"),
        "three_straights": _("Three straights"),
        "six_pairs": _("Six pairs"),
    },
    "phases": {
        "cutting": _("Cutting"),
        "bidding": _("Bidding"),
        "redeal": _("Redeal vote"),
        "playing": _("Playing"),
        "arranging": _("Arranging"),
        "settled": _("Settlement"),
    },
    "move_types": {
        "play": _("Play"),
        "pass": _("Pass"),
        "bid": _("Bid"),
        "call_redeal": _("Call for a redeal"),
        "answer_redeal": _("Answer a redeal call"),
        "cut": _("Cut"),
        "arrange": _("Set rows"),
        "declare": _("Declare a special hand"),
        "extend": _("Take extra time"),
    },
    "reasons": {
        "cards_left": _("Cards left"),
        "bid": _("Bid"),
        "bombs": _("Bombs and rockets"),
        "spring": _("Spring"),
        "anti_spring": _("Anti-spring"),
        "row_front": _("Front row"),
        "row_middle": _("Middle row"),
        "row_back": _("Back row"),
        "bonus_front_three_of_a_kind": _("Front three of a kind"),
        "bonus_middle_four_of_a_kind": _("Middle four of a kind"),
        "bonus_middle_straight_flush": _("Middle straight flush"),
        "bonus_back_four_of_a_kind": _("Back four of a kind"),
        "bonus_back_straight_flush": _("Back straight flush"),
        "foul": _("Foul"),
        "sweep": _("Sweep"),
        "grand_slam": _("Grand slam"),
        "home_run": _("Home run"),
        "special": _("Special hand"),
    },
}
"""By the field of `VariantInfo` that lists a game's words."""

NAMES_IN_A_GAME: Final[Mapping[str, Mapping[str, Mapping[str, Promise]]]] = {
    "dou-dizhu": {"patterns": {"triple": _("Three cards of a rank")}},
    "chinese-poker": {
        "reasons": {
            "row_front": _("Front"),
            "row_middle": _("Middle"),
            "row_back": _("Back"),
            "bonus_front_three_of_a_kind": _("Front won with three of a kind"),
            "bonus_middle_full_house": _("Middle won with a full house"),
            "bonus_middle_four_of_a_kind": _("Middle won with four of a kind"),
            "bonus_middle_straight_flush": _("Middle won with a straight flush"),
            "bonus_back_four_of_a_kind": _("Back won with four of a kind"),
            "bonus_back_straight_flush": _("Back won with a straight flush"),
        }
    },
}
"""Where a game has a name of its own for the word."""


def names_of(info: VariantInfo, part: str) -> dict[str, str]:
    """This game's words of one part with their names, in the active language."""
    return {word: str(_names(part, info.slug)[word]) for word in getattr(info, part)}


def word_shown(part: str, word: str, game: str | None = None) -> str:
    """The word's name in the active language."""
    return str(_names(part, game)[word])


def _names(part: str, game: str | None) -> dict[str, Promise]:
    own = NAMES_IN_A_GAME.get(game or "", {})
    return {**NAMES[part], **own.get(part, {})}
