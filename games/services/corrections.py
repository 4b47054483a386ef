"""The totals of a session, when points that made them are corrected."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction
from django.db.models import F

from games.models import Member, Round, SessionStatus
from games.rules.variant import ScoreScope
from games.selectors.live import live_round_get, variant_of
from games.selectors.tables import Table, table_for_service
from games.services.changes import change_finish


@transaction.atomic
def total_correct(*, session_id: UUID, round_number: int, player_id: UUID, amount: int) -> None:
    """Move the total that the player has in the session, at the table or away from it.

    Where each round stands alone, that of another round than the last is no longer shown anywhere.
    """
    table = table_for_service(session_id=session_id, lock=True)
    if table is None:
        return
    session = table.session
    playing = session.status == SessionStatus.PLAYING
    if variant_of(session).info.score_scope is ScoreScope.ROUND and (
        playing or session.round_number != round_number
    ):
        return
    number = _seat_of(table, player_id)
    if number is None:
        members = Member.objects.filter(session_id=session.id, player_id=player_id)
        members.update(total=F("total") + amount)
        return
    seat = table.seats[number]
    seat.total += amount
    seat.save(update_fields=["total"])
    # Told by no change of its own: who watches gets the whole state.
    change_finish(table, live_round_get(session) if playing else None, None, new_turn=False)


def _seat_of(table: Table, player_id: UUID) -> int | None:
    """Where the player sits, or where a bot plays on the hand that was dealt to them."""
    session = table.session
    own = table.seen_by(player_id).seat
    if own is None and session.status == SessionStatus.PLAYING:
        round_ = Round.objects.only("players").get(session=session, number=session.round_number)
        return round_.players.index(player_id) if player_id in round_.players else None
    return own
