"""What a host does with the seats, and what a person says of the own one."""

from __future__ import annotations

from uuid import UUID

from contract.transactions import atomic_retried
from games.errors import HostSeat, RoundRunning, SeatNotFound, SessionFinished
from games.models import Change, ChangeType, SeatKind, SessionStatus
from games.selectors.live import live_round_get
from games.selectors.tables import Table, table_get
from games.services.changes import change_finish
from games.services.seats import seat_open, seat_to_bot, seat_vacate, table_lock_as_host


@atomic_retried
def seat_change(
    *, session_id: UUID, player_id: UUID, number: int, kind: SeatKind, level: str | None
) -> Table:
    """Open a seat or give it to a bot (of the table's level, unless said); who sits there is
    removed and cannot come back.

    Raises SessionNotFound, NotHost, SessionFinished, RoundRunning, SeatNotFound, HostSeat.
    """
    table = table_lock_as_host(session_id=session_id, player_id=player_id)
    session = table.session
    if session.status == SessionStatus.PLAYING:
        raise RoundRunning(round=session.round_number)
    if number >= len(table.seats):
        raise SeatNotFound(seat=number)
    seat = table.seats[number]
    if seat.player_id == player_id:
        raise HostSeat()
    bot_level = (level or session.options["bot_level"]) if kind == SeatKind.BOT else ""
    if (seat.kind, seat.bot_level) == (kind, bot_level):
        return table
    if seat.player_id is not None:
        seat_vacate(session, seat, player_id=seat.player_id, removed=True)
    if kind == SeatKind.BOT:
        seat_to_bot(seat, level=bot_level)
    elif seat.kind != SeatKind.OPEN:
        seat_open(session, seat)
    change = Change(type=ChangeType.SEAT_CHANGED, seat=number)
    change_finish(table, None, change, new_turn=False)
    return table


@atomic_retried
def autoplay_set(*, session_id: UUID, player_id: UUID, enabled: bool) -> Table:
    """Let the server play the own seat, or end that.

    Raises SessionNotFound, NotSeated, SessionFinished.
    """
    table = table_get(session_id=session_id, player_id=player_id, lock=True)
    session, seat = table.session, table.seats[table.own_seat()]
    if session.status == SessionStatus.FINISHED:
        raise SessionFinished()
    if seat.autoplay == enabled:
        return table
    seat.autoplay, seat.timeouts = enabled, 0
    seat.save(update_fields=["autoplay", "timeouts"])
    live = live_round_get(session) if session.status == SessionStatus.PLAYING else None
    change = Change(type=ChangeType.AUTOPLAY, seat=seat.number)
    change_finish(table, live, change, new_turn=False, ask_bots=enabled)
    return table
