"""A table as one read: the session, its seats with their players, and where the viewer sits."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Exists, F, OuterRef, Prefetch, QuerySet

from games.errors import NotSeated, SessionNotFound
from games.models import Member, Seat, SeatKind, Session, SessionStatus, Visibility
from games.selectors.prepared import PreparedRead, read_together


def seats_named() -> QuerySet[Seat, Any]:
    """Seats in order, with the names of their players."""
    named = {"player_name": F("player__display_name")}
    return Seat.objects.annotate(**named).order_by("number")


SESSION = PreparedRead[Session](lambda id: Session.objects.filter(id=id), UUID(int=0))
SEATS = PreparedRead[Seat](lambda id: seats_named().filter(session_id=id), UUID(int=0))
WHO_SITS = PreparedRead[Seat](
    lambda id: (
        Seat.objects.filter(session_id=id)
        .order_by()
        .values_list("player_id", "session__version", "session__clock_due_at")
    ),
    UUID(int=0),
)


@dataclass(frozen=True, slots=True)
class Table:
    """A session, its seats in order, and the viewer's seat (None for a watcher)."""

    session: Session
    seats: list[Seat]
    seat: int | None

    def own_seat(self) -> int:
        """The viewer's seat. Raises NotSeated for a watcher."""
        if self.seat is None:
            raise NotSeated()
        return self.seat

    def seen_by(self, player_id: UUID) -> Table:
        """The same table as this player sees it."""
        own = next((seat.number for seat in self.seats if seat.player_id == player_id), None)
        return replace(self, seat=own)


def table_get(*, session_id: UUID, player_id: UUID, lock: bool = False) -> Table:
    """The table as this player may see it; with `lock`, held until the transaction ends.

    Raises SessionNotFound for an unknown session and for a private one of others. Who was dealt a
    hand there and has left may watch it.
    """
    table = table_for_service(session_id=session_id, lock=lock)
    if table is None:
        raise SessionNotFound()
    return table_shown_to(table, player_id)


def table_shown_to(table: Table, player_id: UUID) -> Table:
    """The table as this player may see it. Raises SessionNotFound as `table_get` does."""
    session, table = table.session, table.seen_by(player_id)
    if table.seat is None and session.visibility != Visibility.PUBLIC:
        reads = Member.objects.filter(session_id=session.id, player_id=player_id, reads=True)
        if not reads.exists():
            raise SessionNotFound()
    return table


def table_for_service(*, session_id: UUID, lock: bool = False) -> Table | None:
    """The table for the service itself (bots, clocks), or None if there is none."""
    sessions, seats = read_together(SESSION, SEATS, session_id, lock=lock)
    return Table(sessions[0], seats, None) if sessions else None


def unchanged_version(*, session_id: UUID, player_id: UUID, now: datetime) -> int | None:
    """The version of a table where this player sits and nothing is overdue; None for any other.

    The least that a client which polls can be answered from.
    """
    for seated, version, clock_due_at in WHO_SITS.rows(session_id):
        if seated == player_id:
            return None if clock_due_at and clock_due_at <= now else int(version)
    return None


def versions_of(session_ids: Collection[UUID]) -> dict[UUID, int]:
    """The version of each of these sessions."""
    rows = Session.objects.filter(pk__in=session_ids).values_list("pk", "version")
    return dict(rows)


def seats_of(session: Session) -> list[Seat]:
    """The seats in order, with the names of their players."""
    return SEATS.instances(SEATS.rows(session.id))


def sessions_of(*, player_id: UUID) -> QuerySet[Session]:
    """Every session where this player sits or was dealt a hand, with its seats; no rounds and no
    moves."""
    mine = Member.objects.filter(session_id=OuterRef("pk"), player_id=player_id, reads=True)
    return Session.objects.filter(Exists(mine)).prefetch_related(Prefetch("seats", seats_named()))


def sessions_open() -> QuerySet[Session]:
    """The public tables that wait for players, with their seats."""
    free = Seat.objects.filter(session_id=OuterRef("pk"), kind=SeatKind.OPEN)
    return Session.objects.filter(
        Exists(free),
        visibility=Visibility.PUBLIC,
        status__in=(SessionStatus.LOBBY, SessionStatus.BETWEEN_ROUNDS),
    ).prefetch_related(Prefetch("seats", seats_named()))


def sessions_to_join(
    *, player_id: UUID, game: str, options: Mapping[str, Any], limit: int
) -> list[UUID]:
    """Public tables with a free seat where this was agreed; the player's own first, then the
    oldest."""
    mine = Seat.objects.filter(session_id=OuterRef("pk"), player_id=player_id)
    fitting = sessions_open().filter(game=game, options__contains=dict(options))
    ordered = fitting.order_by(Exists(mine).desc(), "created_at")
    return list(ordered.values_list("id", flat=True)[:limit])


def session_id_by_code(code: str) -> UUID:
    """The session with this join code, in upper or lower case. Raises SessionNotFound."""
    found = Session.objects.filter(join_code=code.upper()).values_list("id", flat=True).first()
    if found is None:
        raise SessionNotFound()
    return found


def tablemates_of(*, player_id: UUID) -> QuerySet[Any, Any]:
    """The ids of those who were ever at a table with this player."""
    shared = Member.objects.filter(player_id=player_id).values("session_id")
    mates = Member.objects.filter(session_id__in=shared).exclude(player_id=player_id)
    return mates.order_by().values("player_id")


def session_ids_seated(*, player_id: UUID) -> list[UUID]:
    """Every session that is not finished and where this player sits."""
    seats = Seat.objects.filter(player_id=player_id)
    open_ones = seats.exclude(session__status=SessionStatus.FINISHED)
    return list(open_ones.values_list("session_id", flat=True))


def sessions_to_resume(*, player_id: UUID) -> list[Table]:
    """Every session at which this player sits and that is not finished, with its seats."""
    mine = Seat.objects.filter(session_id=OuterRef("pk"), player_id=player_id)
    sessions = Session.objects.filter(Exists(mine)).exclude(status=SessionStatus.FINISHED)
    sessions = sessions.prefetch_related(Prefetch("seats", seats_named())).order_by(
        "-created_at", "-id"
    )
    return [table_of(session, player_id) for session in sessions]


def table_of(session: Session, player_id: UUID) -> Table:
    """The table of a session whose seats have been read already."""
    seats = sorted(session.seats.all(), key=lambda seat: seat.number)
    return Table(session, seats, None).seen_by(player_id)


def sessions_with_overdue_bots(*, before: datetime, limit: int) -> list[Session]:
    """Sessions where a bot should have acted before this time, longest first."""
    return list(Session.objects.filter(bot_due_at__lt=before).order_by("bot_due_at")[:limit])


def sessions_overdue(*, now: datetime, limit: int, player_id: UUID | None = None) -> list[UUID]:
    """Sessions (of this player, if one is named) where a person's time is up, longest first."""
    overdue = Session.objects.filter(clock_due_at__lte=now)
    if player_id is not None:
        overdue = overdue.filter(seats__player_id=player_id)
    return list(overdue.order_by("clock_due_at").values_list("id", flat=True)[:limit])
