"""Sessions, seats, rounds and moves: columns and constraints, no logic."""

from games.models.choices import Actor, ChangeType, RoundStatus, SeatKind, SessionStatus, Visibility
from games.models.log import Change, Move
from games.models.rounds import DealTally, Round
from games.models.tables import Member, Seat, Session

__all__ = [
    "Actor",
    "Change",
    "ChangeType",
    "DealTally",
    "Member",
    "Move",
    "Round",
    "RoundStatus",
    "Seat",
    "SeatKind",
    "Session",
    "SessionStatus",
    "Visibility",
]
