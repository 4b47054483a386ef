"""Everything stored about a player in the games: where they sat, and what they did there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final
from uuid import UUID

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet

from contract.stored_rows import rows_stored
from games.clock import moment
from games.models import Actor, Member, Move, Round, RoundStatus, Seat, Session
from games.selectors.history import move_card, session_card
from games.selectors.tables import seats_named, table_of

AT_ONCE: Final = 50


def games_stored(*, player_id: UUID) -> dict[str, Iterator[dict[str, Any]]]:
    """By section. Of rounds it has the player's own moves: those of others are theirs."""
    seats = Seat.objects.filter(player_id=player_id)
    members = Member.objects.filter(player_id=player_id)
    return {
        "seats": rows_stored(seats, without=("id", "player_id", "kind", "bot_level")),
        "memberships": rows_stored(members, without=("id", "player_id")),
        "sessions": _sessions(player_id),
        "rounds": _rounds(player_id),
    }


def _sessions(player_id: UUID) -> Iterator[dict[str, Any]]:
    """Where the player sits or was dealt a hand, or is host: what they may still see."""
    reads = Member.objects.filter(session_id=OuterRef("pk"), player_id=player_id, reads=True)
    sessions = Session.objects.filter(Exists(reads) | Q(host_id=player_id))
    named = sessions.prefetch_related(Prefetch("seats", seats_named())).order_by("pk")
    for session in named.iterator(chunk_size=AT_ONCE):
        yield session_card(table_of(session, player_id))


def _rounds(player_id: UUID) -> Iterator[dict[str, Any]]:
    """What the player was dealt a hand of, also if it is still being played: of that only what
    they did themselves."""
    for round_ in _dealt_to(player_id).iterator(chunk_size=AT_ONCE):
        seat = round_.players.index(player_id)
        settled = round_.status == RoundStatus.SETTLED
        yield {
            "session_id": str(round_.session_id),
            "game": round_.session.game,
            "number": round_.number,
            "seat": seat,
            "points": round_.outcome["points"][seat] if settled and round_.outcome else None,
            "moves": [
                move_card(move)
                for move in round_.moves.all()
                if move.seat == seat and (settled or move.actor == Actor.PERSON)
            ],
            "started_at": moment(round_.created_at),
            "settled_at": moment(round_.settled_at),
        }


def _dealt_to(player_id: UUID) -> QuerySet[Round]:
    dealt = Round.objects.filter(
        session__members__player_id=player_id, players__contains=[player_id]
    )
    moves = Prefetch("moves", Move.objects.order_by("number"))
    return dealt.defer("deals").select_related("session").prefetch_related(moves).order_by("pk")
