"""What operators do at a table."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction

from games.errors import SessionFinished, SessionNotFound
from games.models import Change, ChangeType, Round, RoundStatus, Seat, SeatKind, SessionStatus
from games.rules.variant import ScoreScope
from games.selectors.live import variant_of
from games.selectors.tables import Table, table_for_service
from games.services.changes import change_finish
from games.services.rounds import session_close
from games.services.seats import seat_vacate


@transaction.atomic
def session_end(*, session_id: UUID) -> Table:
    """End a session that cannot go on by itself.

    A running round is void: nothing of it is booked, and the table is left as it was before that
    round was dealt, at the settlement of the round before, if any. Raises SessionNotFound,
    SessionFinished.
    """
    table = table_for_service(session_id=session_id, lock=True)
    if table is None:
        raise SessionNotFound()
    session = table.session
    if session.status == SessionStatus.FINISHED:
        raise SessionFinished()
    if session.status == SessionStatus.PLAYING:
        _round_void(table)
    session_close(table)
    change_finish(table, None, Change(type=ChangeType.ENDED_BY_OPERATOR), new_turn=False)
    return table


def _round_void(table: Table) -> None:
    session = table.session
    rounds = Round.objects.filter(session_id=session.id).defer("deals")
    void = rounds.get(number=session.round_number)
    void.status = RoundStatus.VOIDED
    void.save(update_fields=["status"])
    for seat, player_id in zip(table.seats, void.players, strict=True):
        if player_id is not None and seat.player_id != player_id:
            seat_vacate(session, seat, player_id=player_id)
    session.round_number -= 1
    before = rounds.filter(number=session.round_number).first()
    session.move_number = before.move_count if before else 0
    if before and variant_of(session).info.score_scope is ScoreScope.ROUND:
        _totals_restore(table, before)


def _totals_restore(table: Table, settled: Round) -> None:
    """Where a round's points are shown alone: those of the settled one, to who got them."""
    assert settled.outcome is not None
    got = dict(zip(settled.players, settled.outcome["totals"], strict=True))
    for seat in table.seats:
        if seat.player_id is not None:
            seat.total = got.get(seat.player_id, 0)
        elif settled.players[seat.number] is None and seat.kind == SeatKind.BOT:
            seat.total = settled.outcome["totals"][seat.number]
    Seat.objects.bulk_update(table.seats, ["total"])
