"""What Celery workers do for the games: keep the clock."""

from __future__ import annotations

from uuid import UUID

from celery import shared_task

from games import clock
from games.selectors.tables import sessions_overdue
from games.services.clocks import turn_finish

MOST_AT_ONCE = 500


@shared_task
def finish_turn(session_id: str) -> int:
    """Act for those whose time is up; for how many. Twice, or too early, is harmless."""
    return turn_finish(session_id=UUID(session_id))


@shared_task
def finish_overdue_turns() -> int:
    """Do what tasks at their deadlines have not done, because one was lost or far away."""
    overdue = sessions_overdue(now=clock.now(), limit=MOST_AT_ONCE)
    return sum(turn_finish(session_id=session_id) for session_id in overdue)
