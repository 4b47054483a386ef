"""One session as all its people have seen it: what they were told must fit together."""

from __future__ import annotations

import time
from typing import Any, Final

from config.crowd.tally import Tally
from config.playing.errors import require

State = dict[str, Any]

SHORT_TURN: Final = 20
"""At most so many seconds of a decision may be let run out on purpose."""


class Sitting:
    """A session, from sitting down to its end."""

    def __init__(self, session: dict[str, Any], tally: Tally) -> None:
        """Of a session that has just been opened."""
        self.id: str = session["id"]
        self.path = f"sessions/{self.id}/"
        self.game: str = session["game"]
        self.turn_seconds: int = session["options"]["turn_seconds"]
        self.players: set[str] = set()
        """Who has sat down."""
        self.is_over = False
        self.commitments: dict[int, str] = {}
        self.settlements: dict[int, dict[str, Any]] = {}
        self.final_version = 0
        self._tally = tally
        self._promises: dict[int, str] = {}
        self._answered: dict[int, float] = {}
        self._heard: dict[int, list[float]] = {}

    @property
    def has_short_turns(self) -> bool:
        """Whether one can let the time run out without boring the others."""
        return 0 < self.turn_seconds <= SHORT_TURN

    def note(self, state: State) -> None:
        """Hold a state against what anybody was told before. Raises PlayError."""
        number = state["round"]
        if state["commitment"]:
            self._agree(self.commitments, number, state["commitment"], "commitment")
        if state["next_commitment"]:
            self._agree(self._promises, number + 1, state["next_commitment"], "next commitment")
        promised = self._promises.get(number)
        if promised and state["commitment"]:
            require(
                promised == state["commitment"],
                f"Round {number} of session {self.id} was dealt under another commitment than the "
                "one that was shown before.",
            )
        if state["settlement"]:
            self._agree(self.settlements, number, state["settlement"], "settlement")
        if state["status"] == "finished":
            self.is_over = True
            self.final_version = max(self.final_version, state["version"])

    def _agree(self, known: dict[int, Any], number: int, told: Any, what: str) -> None:
        require(
            known.setdefault(number, told) == told,
            f"Two people were told different things of the {what} of round {number} of session "
            f"{self.id}.",
        )

    def moved(self, version: int, came_at: float) -> None:
        """The answer to the move that made this version came at that time; repeats do not count."""
        if version in self._answered:
            return
        self._tally.counts["moves"] += 1
        self._answered[version] = came_at
        for heard_at in self._heard.pop(version, ()):
            self._tally.delays.append(max(0.0, heard_at - came_at))

    def heard(self, version: int, *, opened_at: float) -> None:
        """Somebody's stream, open since then, has told this version now."""
        now = time.monotonic()
        answered_at = self._answered.get(version)
        if answered_at is None:
            self._heard.setdefault(version, []).append(now)
        elif opened_at < answered_at:
            self._tally.delays.append(max(0.0, now - answered_at))
