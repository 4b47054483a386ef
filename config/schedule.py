"""What beat sends to the workers again and again."""

from typing import Any

from celery.schedules import schedule


def beat_schedule(sweep_seconds: float) -> dict[str, Any]:
    """Celery's beat schedule; the sweeps for what was lost run this often."""
    return {
        "ask-bots-again": {
            "task": "bots.tasks.ask_overdue_bots",
            "schedule": schedule(sweep_seconds),
            "options": {"expires": sweep_seconds},
        },
        "finish-overdue-turns": {
            "task": "games.tasks.finish_overdue_turns",
            "schedule": schedule(sweep_seconds),
            "options": {"expires": sweep_seconds},
        },
        "note-heartbeat": {
            "task": "config.tasks.note_heartbeat",
            "schedule": schedule(5.0),
            "options": {"expires": 5.0},
        },
        "mark-boards": {
            "task": "scoring.tasks.mark_boards",
            "schedule": schedule(60.0),
            "options": {"expires": 60.0},
        },
        "forget-expired-tokens": {
            "task": "players.tasks.forget_expired_tokens",
            "schedule": schedule(3600.0),
        },
        "forget-old-answers": {
            "task": "config.tasks.forget_old_answers",
            "schedule": schedule(3600.0),
        },
    }
