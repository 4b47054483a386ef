"""What a policy is: a pure choice among legal moves, from what one seat may know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar, Protocol

from games.rules.moves import AnswerRedeal, CallRedeal, Declare, Move
from games.rules.variant import View


class Randomness(Protocol):
    """Where a policy's randomness comes from; `random.Random` is one."""

    def randrange(self, stop: int, /) -> int:
        """A number in 0 ... stop-1, each equally likely."""


class Policy(Protocol):
    """A program that plays. Equal views, moves and randomness give the same move."""

    name: ClassVar[str]
    version: ClassVar[str]

    def choose(self, view: View, moves: Iterable[Move], rng: Randomness) -> Move:
        """One of `moves`: the legal moves of the seat whose view this is, weakest first."""


def left_to_bots(moves: Iterable[Move]) -> Iterator[Move]:
    """The legal moves among which the rule book leaves a bot the choice.

    A bot never calls for a redeal and accepts every call; it always declares a special hand.
    """
    for move in moves:
        if isinstance(move, Declare):
            yield move
            return
        declines = isinstance(move, AnswerRedeal) and not move.accept
        if not declines and not isinstance(move, CallRedeal):
            yield move
