"""What Celery workers do for the bots."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from celery import shared_task
from django.conf import settings

from bots.services import bot_turn_play
from games import clock
from games.selectors.tables import sessions_with_overdue_bots
from games.services.changes import bots_asked_again

GRACE = timedelta(seconds=1)
MOST_AT_ONCE = 500


@shared_task
def play_bot_turn(session_id: str, turn: int, seat: int) -> bool:
    """Let a bot act; whether its move was made. Twice, or too late, is harmless."""
    return bot_turn_play(session_id=UUID(session_id), turn=turn, seat=seat)


@shared_task
def ask_overdue_bots() -> int:
    """Ask again for every bot's move that is overdue; how many were asked for.

    So a lost task, a killed worker or an emptied broker costs seconds, never the round.
    """
    overdue = sessions_with_overdue_bots(before=clock.now() - GRACE, limit=MOST_AT_ONCE)
    asked = 0
    for session in overdue:
        for turn, seat in bots_asked_again(session):
            play_bot_turn.apply_async(
                (str(session.id), turn, seat), expires=settings.SWEEP_SECONDS * 5
            )
            asked += 1
    return asked
