"""Sessions in short, and the move log."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from games.clock import moment
from games.errors import RoundNotFound
from games.models import Move, Round, SeatKind, Session, SessionStatus
from games.rules.moves import Arrange, Cut, Declare
from games.rules.record import move_fields
from games.selectors.clocks import turn_seconds
from games.selectors.states import next_commitment, player_card
from games.selectors.tables import Table, sessions_of, sessions_open

# What others answer to the same decision stays hidden until it is closed.
SECRET_TYPES = (Arrange.type, Declare.type, Cut.type)


def session_card(table: Table) -> dict[str, Any]:
    """The contract's session: who sits where, what was agreed, how far it is.

    The join code is only for who sits there.
    """
    session = table.session
    playing = session.status == SessionStatus.PLAYING
    return {
        "id": str(session.id),
        "game": session.game,
        "status": session.status,
        "visibility": session.visibility,
        "version": session.version,
        "host": str(session.host_id),
        "join_code": session.join_code if table.seat is not None else None,
        "options": {**session.options, "turn_seconds": turn_seconds(table)},
        "seats": [
            {
                "seat": seat.number,
                "kind": seat.kind,
                "player": player_card(seat),
                "bot_level": seat.bot_level if seat.kind == SeatKind.BOT else None,
                "autoplay": seat.autoplay,
                "total": seat.total,
            }
            for seat in table.seats
        ],
        "rounds_played": session.round_number - playing,
        "rematch": None if session.rematch_id is None else str(session.rematch_id),
        "next_commitment": next_commitment(session),
        "created_at": moment(session.created_at),
        "finished_at": moment(session.finished_at),
    }


def sessions_filtered(
    *,
    player_id: UUID,
    only_open: bool = False,
    game: str | None = None,
    status: str | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
) -> QuerySet[Session]:
    """The player's sessions, or with `only_open` the public tables of all that have a free seat;
    `since` and `until` bound the time of their creation."""
    sessions = sessions_open() if only_open else sessions_of(player_id=player_id)
    filters = {
        "game": game,
        "status": status,
        "created_at__gte": since,
        "created_at__lt": until,
    }
    return sessions.filter(**{name: value for name, value in filters.items() if value is not None})


def move_card(move: Move) -> dict[str, Any]:
    """One move of the log: the flat body, and who made it when."""
    return {
        "number": move.number,
        "deal": move.deal,
        "turn": move.turn,
        "seat": move.seat,
        "type": move.data["type"],
        **move_fields(move.data),
        "pattern": move.pattern or None,
        "actor": move.actor,
        "policy": move.policy or None,
        "created_at": moment(move.created_at),
    }


def moves_log(
    table: Table, *, number: int | None = None, after: int = 0, limit: int = 500
) -> list[dict[str, Any]]:
    """The moves of a round (the current one if `number` is None) with a number above `after`.

    Raises RoundNotFound.
    """
    session = table.session
    wanted = session.round_number if number is None else number
    if number is None and wanted == 0:
        return []
    round_ = Round.objects.filter(session_id=session.id, number=wanted).only("id").first()
    if round_ is None:
        raise RoundNotFound(round=wanted)
    moves = Move.objects.filter(round_id=round_.id, number__gt=after).order_by("number")[:limit]
    return [move_card(move) for move in moves if not move_is_secret(move, table)]


def move_is_secret(move: Move, table: Table) -> bool:
    """Whether the viewer may not know it yet."""
    still_open = move.turn == table.session.turn
    return still_open and move.data["type"] in SECRET_TYPES and move.seat != table.seat
