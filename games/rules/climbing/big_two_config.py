"""What differs between the houses of Big Two: one value each (rule book sections 1 and 2)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from games.rules.climbing.big_two_redeal import RedealRule


class FlushOrder(StrEnum):
    """What decides between two flushes."""

    HIGHEST_CARD = "highest_card"
    """The highest card, by rank, then suit."""
    SUIT_FIRST = "suit_first"
    """The suit, then the highest card."""


@dataclass(frozen=True, slots=True)
class BigTwoConfig:
    """One house's rules. Cards, suits and ranks as texts, spelt as in the rule book."""

    suit_order: str
    """The four suits, low to high."""
    straights: tuple[str, ...]
    """The runs of five ranks, low to high. The card that is highest in Big Two decides a tie."""
    opening_card: str
    """Its holder leads the round, with a play that contains it."""
    bombs: bool
    """Whether a four of a kind or a straight flush may be played on one, two or three cards."""
    payment_bands: tuple[tuple[int, int], ...]
    """(cards left at most, multiplier), from few cards to many."""
    passing_bars: bool = False
    """[chosen] Whether a pass bars the seat for the rest of the trick."""
    flush_order: FlushOrder = FlushOrder.HIGHEST_CARD
    """[chosen] What decides between two flushes."""
    equal_payments_share_position: bool = True
    """[chosen] 1, 2, 2, 4; otherwise the lower seat has the better position."""
    redeal: RedealRule | None = None
    """None: nobody can call for a redeal."""
