"""Coming to a table and leaving it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final
from uuid import UUID

from django.db import connection

from contract.transactions import atomic_retried
from games.errors import (
    RemovedFromTable,
    RoundRunning,
    SessionFinished,
    SessionNotFound,
    TableFull,
)
from games.models import Change, ChangeType, Member, Round, SeatKind, SessionStatus, Visibility
from games.rules.registry import VARIANTS
from games.selectors.live import live_round_get
from games.selectors.tables import (
    Table,
    seats_of,
    session_id_by_code,
    session_ids_seated,
    sessions_to_join,
    table_for_service,
    table_get,
)
from games.services.changes import change_finish
from games.services.options import options_complete
from games.services.rounds import session_close
from games.services.seats import (
    host_hand_on,
    humans,
    seat_take,
    seat_take_back,
    seat_to_bot,
    seat_vacate,
)
from games.services.sessions import SeatPlan, session_create

TABLES_TRIED: Final = 10


@atomic_retried
def session_join(*, session_id: UUID, player_id: UUID) -> Table:
    """Sit down at a table that the player may see; who sits there already just sees it.

    Raises SessionNotFound, SessionFinished, RoundRunning, TableFull, RemovedFromTable.
    """
    table = table_get(session_id=session_id, player_id=player_id, lock=True)
    return table_sit(table, player_id=player_id)


@atomic_retried
def session_join_by_code(*, code: str, player_id: UUID) -> Table:
    """Sit down at the table with this code. Raises as `session_join` does."""
    table = table_for_service(session_id=session_id_by_code(code), lock=True)
    if table is None:
        raise SessionNotFound()
    return table_sit(table.seen_by(player_id), player_id=player_id)


@atomic_retried
def quick_join(*, player_id: UUID, game: str, options: Mapping[str, Any]) -> Table:
    """A seat at a public table of this game where these options were agreed, or a new one."""
    # One at a time for each game: of two who come at once, the second finds the first's table.
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", [f"quick-join {game}"])
    wanted = {name: value for name, value in options.items() if name != "client_seed"}
    for session_id in sessions_to_join(
        player_id=player_id, game=game, options=wanted, limit=TABLES_TRIED
    ):
        try:
            return session_join(session_id=session_id, player_id=player_id)
        except (SessionNotFound, SessionFinished, RoundRunning, TableFull, RemovedFromTable):
            continue
    info = VARIANTS[game].info
    return session_create(
        host_id=player_id,
        game=game,
        options=options_complete(info, options),
        seats=[SeatPlan.host(), *[SeatPlan.free()] * (info.seats - 1)],
        visibility=Visibility.PUBLIC,
        start=False,
    )


@atomic_retried
def session_leave(*, session_id: UUID, player_id: UUID) -> Table:
    """Get up. In a round a bot plays the seat on, and its result still counts for the player.

    A host's leaving hands the table to the next person; the last person's leaving finishes it, a
    round first being played to its end by the bots. Raises SessionNotFound, NotSeated,
    SessionFinished.
    """
    table = table_get(session_id=session_id, player_id=player_id, lock=True)
    session, number = table.session, table.own_seat()
    if session.status == SessionStatus.FINISHED:
        raise SessionFinished()
    playing = session.status == SessionStatus.PLAYING
    if playing:
        seat_to_bot(table.seats[number], level=session.options["bot_level"])
    else:
        seat_vacate(session, table.seats[number], player_id=player_id)
    people = humans(table)
    if session.host_id == player_id:
        host_hand_on(table, after=number)
    if not people and not playing:
        session_close(table)
    left = replace(table, seat=None)
    live = live_round_get(session) if playing else None
    change = Change(type=ChangeType.LEFT, seat=number)
    change_finish(left, live, change, new_turn=False, ask_bots=True)
    return left


@atomic_retried
def sessions_leave(*, player_id: UUID) -> None:
    """Get up everywhere. Sessions are locked in the order of their ids."""
    for session_id in sorted(session_ids_seated(player_id=player_id)):
        session_leave(session_id=session_id, player_id=player_id)


def table_sit(table: Table, *, player_id: UUID, old_seat: int = 0) -> Table:
    """The locked table with the player on a free seat, best the old one; in a round, back on the
    seat that they have left.

    Raises SessionFinished, RoundRunning, TableFull, RemovedFromTable.
    """
    session = table.session
    if session.status == SessionStatus.FINISHED:
        raise SessionFinished()
    if table.seat is not None:
        return table
    # First, since to wait for a free seat or the end of the round would not help.
    if Member.objects.filter(session_id=session.id, player_id=player_id, removed=True).exists():
        raise RemovedFromTable()
    if session.status == SessionStatus.PLAYING:
        number = _seat_dealt(table, player_id)
        seat_take_back(table.seats[number], player_id=player_id)
        live = live_round_get(session)
    else:
        number = _seat_free(table, old_seat)
        seat_take(session, table.seats[number], player_id=player_id)
        live = None
    if all(seat.player_id != session.host_id for seat in table.seats):
        session.host_id = player_id
    change_finish(table, live, Change(type=ChangeType.JOINED, seat=number), new_turn=False)
    return Table(session, seats_of(session), number)


def _seat_free(table: Table, wanted: int) -> int:
    free = [seat.number for seat in table.seats if seat.kind == SeatKind.OPEN]
    if not free:
        raise TableFull()
    return wanted if wanted in free else free[0]


def _seat_dealt(table: Table, player_id: UUID) -> int:
    """The seat of the running round that was dealt to this player. Raises RoundRunning."""
    session = table.session
    round_ = Round.objects.only("players").get(session=session, number=session.round_number)
    if player_id not in round_.players:
        raise RoundRunning(round=session.round_number)
    return round_.players.index(player_id)
