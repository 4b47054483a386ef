"""How a deal ended: the points of each seat and the working that explains every one of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from games.rules.cards import Card


class Ending(StrEnum):
    """What comes after the deal: a settlement, or the next deal of the same round."""

    SETTLED = "settled"
    REDEAL = "redeal"


@dataclass(frozen=True, slots=True)
class Reason:
    """One line of the working between two seats.

    `code` is a stable word (such as `cards_left`, `row_front`, `sweep`), `points` what this line
    adds to the transfer, `count` a number it rests on (cards left), `factor` what that number or
    the lines before were multiplied by.
    """

    code: str
    points: int
    count: int | None = None
    factor: int | None = None


@dataclass(frozen=True, slots=True)
class Transfer:
    """What one seat pays another, never negative, and why. Two seats that are even: 0 points."""

    from_seat: int
    to_seat: int
    points: int
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class FinalHand:
    """What a seat shows at the end: the cards left, or the rows set, or the special declared."""

    cards: tuple[Card, ...] = ()
    front: tuple[Card, ...] | None = None
    middle: tuple[Card, ...] | None = None
    back: tuple[Card, ...] | None = None
    foul: bool | None = None
    special: str | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a deal. `points` sum to zero, one a seat; on a redeal they are all 0.

    `winner` is a seat or None (arranging games); `positions` are 1-based places or None; `carry` is
    JSON that the next deal or round needs (the next leader, how many deals went by).
    """

    ending: Ending
    points: tuple[int, ...]
    winner: int | None = None
    positions: tuple[int, ...] | None = None
    hands: tuple[FinalHand, ...] = ()
    transfers: tuple[Transfer, ...] = ()
    spring: str | None = None
    carry: Mapping[str, Any] = field(default_factory=dict)
