"""Refusals of the rules: one class each, with a stable `code` and structured facts.

They know no HTTP and no language: `config.errors` gives each code its status and its texts. Facts
are JSON values (cards by name), shown to clients as the problem's `params`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar


class RuleViolation(Exception):
    """A move that the rules refuse. The state is as it was."""

    code: ClassVar[str]

    def __init__(self, **facts: Any) -> None:
        super().__init__(self.code, facts)
        self.facts = facts
        self.game: str | None = None  # whose words the facts are, where it is known
        self.fresh_state: Callable[[], dict[str, Any]] | None = None


class NotYourTurn(RuleViolation):
    """Another seat acts now. Facts: `seat`, `to_act`."""

    code = "not_your_turn"


class WrongPhase(RuleViolation):
    """This type of move is not open in this phase. Facts: `phase`, `type`, `actions`."""

    code = "wrong_phase"


class RoundOver(RuleViolation):
    """The round has ended; nobody can act."""

    code = "round_over"


class UnknownCard(RuleViolation):
    """A text that spells no card of this game. Facts: `card`."""

    code = "unknown_card"


class DuplicateCard(RuleViolation):
    """One card named twice. Facts: `card`."""

    code = "duplicate_card"


class CardNotInHand(RuleViolation):
    """A card that this seat does not hold. Facts: `cards`."""

    code = "card_not_in_hand"


class NotAPattern(RuleViolation):
    """The cards are no play of this game. Facts: `cards`."""

    code = "not_a_pattern"


class AmbiguousPattern(RuleViolation):
    """The named pattern is none of the readings. Facts: `pattern`, `readings`."""

    code = "ambiguous_pattern"


class WrongPattern(RuleViolation):
    """A play of another pattern or size than the trick's. Facts: `pattern`, `to_beat`."""

    code = "wrong_pattern"


class DoesNotBeat(RuleViolation):
    """The right pattern, but not higher. Facts: `pattern`, `to_beat`."""

    code = "does_not_beat"


class MustIncludeCard(RuleViolation):
    """The opening play must contain this card. Facts: `card`."""

    code = "must_include_card"


class MustLead(RuleViolation):
    """The leader of a trick may not pass."""

    code = "must_lead"


class BidTooLow(RuleViolation):
    """A bid must be higher than the highest so far. Facts: `bid`, `highest`."""

    code = "bid_too_low"


class RedealNotEligible(RuleViolation):
    """This hand may not call for a redeal, or play has begun."""

    code = "redeal_not_eligible"


class RedealAlreadyCalled(RuleViolation):
    """The caller's redeal was declined for this deal already."""

    code = "redeal_already_called"


class CannotCut(RuleViolation):
    """The leader may not cut, and nobody cuts twice."""

    code = "cannot_cut"


class CutOutOfRange(RuleViolation):
    """A cut is at a position 1-51, or 0 to skip. Facts: `position`."""

    code = "cut_out_of_range"


class WrongRowSizes(RuleViolation):
    """Rows hold 3, 5 and 5 cards. Facts: `sizes`."""

    code = "wrong_row_sizes"


class WrongCards(RuleViolation):
    """The rows are not exactly the 13 cards of the hand. Facts: `missing`, `foreign`."""

    code = "wrong_cards"


class FoulArrangement(RuleViolation):
    """Not (back >= middle >= front), and not said so by `accept_foul`. Facts: `front`, `middle`,
    `back` (the categories of the rows)."""

    code = "foul_arrangement"


class NoSpecialHand(RuleViolation):
    """Declared a special hand where there is none, or another. Facts, where cards were shown:
    `seat`, `claimed`, `found`."""

    code = "no_special_hand"


class ExtensionUsed(RuleViolation):
    """The seat has had its extra time in this round."""

    code = "extension_used"
