"""What a house of Dou Dizhu may settle otherwise (rule book, section 3)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


class WingRules(NamedTuple):
    """[chosen] What the single wings of a triple, an airplane or a four may be."""

    may_repeat_a_rank: bool = True
    """A pair is two single wings, and so on."""
    may_be_both_jokers: bool = True


@dataclass(frozen=True, slots=True)
class DouDizhuConfig:
    """One house's rules. Stakes and balances are in beans."""

    highest_bid: int = 3
    """It ends the bidding."""
    beans_per_bid: int = 10
    """One stake is so many beans for each point of the bid, before it is doubled."""
    starting_balance: int = 1000
    """What a wallet begins with, and is set back to when nothing is left."""
    wings: WingRules = field(default_factory=WingRules)
    """[chosen] The same as the DouZero move generator."""
    passing_bars: bool = False
    """[chosen] Whether a pass bars the seat for the rest of the trick."""
