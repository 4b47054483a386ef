"""The same table again, after the end."""

from __future__ import annotations

from uuid import UUID

from contract.transactions import atomic_retried
from games.errors import NotFinished, SessionNotFound
from games.models import Change, ChangeType, Seat, SeatKind, SessionStatus, Visibility
from games.selectors.tables import Table, table_for_service, table_get
from games.services.changes import change_finish
from games.services.joining import table_sit
from games.services.sessions import SeatPlan, session_create


@atomic_retried
def session_rematch(*, session_id: UUID, player_id: UUID) -> Table:
    """One new session for all who ask: the first becomes its host, each gets the old seat.

    Bots sit where they sat; the seats of people who have not asked yet are open. It waits in the
    lobby. If all have left it before its first round, who asks then opens another. Raises
    SessionNotFound, NotSeated, NotFinished, and as `table_sit` does where the new session has gone
    on without the caller.
    """
    ended = table_get(session_id=session_id, player_id=player_id, lock=True)
    session, number = ended.session, ended.own_seat()
    if session.status != SessionStatus.FINISHED:
        raise NotFinished()
    if session.rematch_id is not None:
        again = table_for_service(session_id=session.rematch_id, lock=True)
        if again is None:
            raise SessionNotFound()
        was_left = again.session.status == SessionStatus.FINISHED and not again.session.round_number
        if not was_left:
            return table_sit(again.seen_by(player_id), player_id=player_id, old_seat=number)
    again = session_create(
        host_id=player_id,
        game=session.game,
        options=session.options,
        seats=[_plan(seat, player_id) for seat in ended.seats],
        visibility=Visibility(session.visibility),
        start=False,
    )
    session.rematch = again.session
    change_finish(ended, None, Change(type=ChangeType.REMATCH, seat=number), new_turn=False)
    return again


def _plan(seat: Seat, host_id: UUID) -> SeatPlan:
    if seat.player_id == host_id:
        return SeatPlan.host()
    return SeatPlan.bot(seat.bot_level) if seat.kind == SeatKind.BOT else SeatPlan.free()
