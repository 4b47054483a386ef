"""Players of the arranging games: they declare, cut by chance, and set the hand without a foul."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import ClassVar, Final

from bots.policies.policy import Randomness
from games.rules.arranging.arrangement import ArrangingRules
from games.rules.arranging.best import strongest_back_first
from games.rules.cards import DECK_52, Card
from games.rules.moves import Arrange, Cut, Declare, Move
from games.rules.variant import View

CUTS: Final = len(DECK_52)
"""A cut at 1 … 51, or 0 to skip: each equally likely."""


class ArrangingPlayer(ABC):
    """Plays one arranging game; how it sets a hand is left open."""

    def __init__(self, rules: ArrangingRules) -> None:
        self._rules = rules

    def choose(self, view: View, moves: Iterable[Move], rng: Randomness) -> Move:
        """See `Policy.choose`. The moves are not listed: there are 72,072 for a hand.

        Raises StopIteration where the seat has no move.
        """
        if view.you is None or not view.you.actions:
            return next(iter(moves))
        if Cut.type in view.you.actions:
            return Cut(rng.randrange(CUTS))
        if Declare.type in view.you.actions:
            return Declare()
        return self._arrange(view.you.hand)

    @abstractmethod
    def _arrange(self, hand: tuple[Card, ...]) -> Arrange:
        """Rows that are no foul."""


class BestArrangement(ArrangingPlayer):
    """Sets the arrangement that is worth most by the measure of the game."""

    name: ClassVar[str] = "best_arrangement"
    version: ClassVar[str] = "1"

    def _arrange(self, hand: tuple[Card, ...]) -> Arrange:
        return self._rules.best(hand)


class StrongestBackFirst(ArrangingPlayer):
    """Sets the highest back, then the highest middle of what is left, as a beginner does."""

    name: ClassVar[str] = "strongest_back_first"
    version: ClassVar[str] = "1"

    def _arrange(self, hand: tuple[Card, ...]) -> Arrange:
        return strongest_back_first(hand, self._rules.rows)
