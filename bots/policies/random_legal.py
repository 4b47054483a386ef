"""Any legal move, each equally likely. Plays every game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from bots.policies.policy import Randomness, left_to_bots
from games.rules.moves import Move
from games.rules.variant import View


class RandomLegal:
    """Picks blindly."""

    name: ClassVar[str] = "random_legal"
    version: ClassVar[str] = "1"

    def choose(self, view: View, moves: Iterable[Move], rng: Randomness) -> Move:
        """See `Policy.choose`."""
        choices = list(left_to_bots(moves))
        return choices[rng.randrange(len(choices))]
