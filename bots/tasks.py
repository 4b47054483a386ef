"""What Celery workers do for the bots."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

from celery import shared_task
from django.conf import settings

from bots.services import bot_move_make, bot_turn_decide
from games import clock
from games.models import Actor
from games.rules.moves import move_from_json, move_to_json
from games.selectors.tables import sessions_with_overdue_bots
from games.services.changes import bots_asked_again

GRACE = timedelta(seconds=1)
MOST_AT_ONCE = 500


@shared_task
def play_bot_turn(session_id: str, turn: int, seat: int) -> bool:
    """Let a bot think, and act when it is due; whether it will have acted.

    It thinks first, so that how long it thinks, which follows from its hand, shows in no answer.
    Twice, or too late, is harmless.
    """
    decision = bot_turn_decide(session_id=UUID(session_id), turn=turn, seat=seat)
    if decision is None:
        return False
    acts = move_to_json(decision.move), str(decision.actor), decision.policy
    if decision.due_at > clock.now():
        make_bot_move.apply_async((session_id, turn, seat, *acts), eta=decision.due_at)
        return True
    return make_bot_move(session_id, turn, seat, *acts)


@shared_task
def make_bot_move(
    session_id: str, turn: int, seat: int, move: dict[str, Any], actor: str, policy: str
) -> bool:
    """Submit what a bot has decided for this turn; whether its move was made."""
    return bot_move_make(
        session_id=UUID(session_id),
        turn=turn,
        seat=seat,
        move=move_from_json(move),
        actor=Actor(actor),
        policy=policy,
    )


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
