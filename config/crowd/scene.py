"""What a crowd is to do, and what all of it share while it does so."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from config.crowd.tally import Tally

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Scene:
    """What is to be played where. Everything that people choose follows from `seed`.

    No `games` are all of them. `people` is the most at a table; `faults` the share of decisions at
    which something is done wrong first. In seconds: nobody deals again after `seconds`, `think` is
    the mean pause before a person's move, `patience` how long a table may stand still.
    """

    url: str
    games: Sequence[str] = ()
    tables: int = 20
    people: int = 4
    seconds: float = 60.0
    think: float = 2.0
    faults: float = 0.3
    patience: float = 60.0
    seed: int = 1


class Deck(Generic[T]):
    """Things to do, in a random order that comes round to each of them."""

    def __init__(self, things: Iterable[T], rng: random.Random) -> None:
        self._things = list(things)
        rng.shuffle(self._things)

    def draw(self, fits: Callable[[T], bool]) -> T | None:
        """The next one that fits, which goes to the bottom; None if none does."""
        for index, thing in enumerate(self._things):
            if fits(thing):
                self._things.append(self._things.pop(index))
                return thing
        return None


class Run:
    """One run of a scene."""

    def __init__(self, scene: Scene, tally: Tally) -> None:
        self.scene = scene
        self.tally = tally
        self.ends_at = time.monotonic() + scene.seconds

    @property
    def is_over(self) -> bool:
        """Whether the rounds that are being played are the last."""
        return time.monotonic() >= self.ends_at
