"""What the games hand over: facts of a settled round, by seat. Here nobody knows a rule."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Final
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Feats:
    """What somebody did in a round, counted; `fouls` and `specials` are hands set or declared so.

    `bombs` were played, `sweeps` are seats swept; a spring is one that the seat's side won by.
    """

    bombs: int = 0
    springs: int = 0
    sweeps: int = 0
    grand_slams: int = 0
    home_runs: int = 0
    fouls: int = 0
    specials: int = 0


FEATS: Final = tuple(field.name for field in fields(Feats))


@dataclass(frozen=True, slots=True)
class SeatResult:
    """What a round gave the player who was dealt this seat's hand.

    `figure` is the running figure of the scope after the round (the session's total, or the round's
    own points); for a wallet it is None and the balance is kept here. `place` is 1-4, shared by
    equals.
    """

    player_id: UUID
    seat: int
    points: int
    figure: int | None
    place: int
    feats: Feats = field(default_factory=Feats)


@dataclass(frozen=True, slots=True)
class RoundResults:
    """A settled round: a result for each person who was dealt a hand. `scope` is a `Scope`."""

    game: str
    scope: str
    session_id: UUID
    round_number: int
    settled_at: datetime
    results: tuple[SeatResult, ...]
