"""What can be asked of a game without a table: its plays, its rows, what a finished round pays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from games.rules.cards import Card
from games.rules.moves import Play
from games.rules.outcome import FinalHand


@dataclass(frozen=True, slots=True)
class FinishedRound:
    """What a settlement rests on. A game reads those fields that its `settlement_fields` names."""

    cards_left: tuple[int, ...] = ()
    bid: int = 0
    landlord: int = 0
    winner: int = 0
    bombs: int = 0
    play_counts: tuple[int, ...] = ()
    seats: tuple[FinalHand, ...] = ()


class Implausible(Exception):
    """A question about what cannot be in this game: by field, a word for what is wrong with it."""

    def __init__(self, **faults: str) -> None:
        super().__init__(faults)
        self.faults = faults


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What three rows are: the category of each by its name, whether they are a foul, and the
    special hand that their 13 cards are."""

    categories: Mapping[str, str]
    foul: bool
    special: str | None


@runtime_checkable
class ListsPlays(Protocol):
    """A game in which cards are put down on others."""

    def plays_from(
        self, hand: tuple[Card, ...], on: Play | None, must_include: Card | None
    ) -> Iterator[Play]:
        """All plays of this hand, as a lead or on that play, weakest first; each names its pattern.

        Raises NotAPattern or AmbiguousPattern where `on` is none.
        """


@runtime_checkable
class EvaluatesRows(Protocol):
    """A game in which 13 cards are set as rows."""

    def evaluate(
        self, front: tuple[Card, ...], middle: tuple[Card, ...], back: tuple[Card, ...]
    ) -> Evaluation:
        """What these rows are. Raises WrongRowSizes."""
