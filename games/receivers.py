"""What the games do when they are told something: set the clock, leave with who goes for good."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

import structlog
from django.dispatch import receiver
from kombu.exceptions import OperationalError

from contract.outage import Outage
from games import clock
from games.services.corrections import total_correct
from games.services.joining import sessions_leave
from games.signals import deadline_set
from games.tasks import finish_turn
from players.signals import player_banning, player_deleting
from scoring.signals import points_correcting

logger = structlog.get_logger(__name__)

# A worker's timer must not look a moment before the time is up.
AFTER: Final = timedelta(milliseconds=20)
# What is further away is the sweep's: the broker hands out again what a worker holds for long.
HORIZON: Final = timedelta(seconds=50)

_outage = Outage(seconds=2.0)


@receiver(deadline_set, dispatch_uid="games.set_clock")
def set_clock(*, session_id: UUID, due_at: datetime, **_: Any) -> None:
    """One task. Never raises: what is lost here, the sweep and any reader do."""
    if _outage.lasts() or due_at - clock.now() > HORIZON:
        return
    try:
        finish_turn.apply_async((str(session_id),), eta=due_at + AFTER)
    except OperationalError as error:
        _outage.begin()
        logger.warning("clock not set", session_id=str(session_id), reason=str(error))


@receiver([player_deleting, player_banning], dispatch_uid="games.leave_all_tables")
def leave_all_tables(*, player_id: UUID, **_: Any) -> None:
    """Bots play the rounds on, and no table waits for somebody who will never come."""
    sessions_leave(player_id=player_id)


@receiver(points_correcting, dispatch_uid="games.correct_total")
def correct_total(
    *, session_id: UUID, round_number: int, player_id: UUID, amount: int, **_: Any
) -> None:
    """The session's total follows the correction of a round that made it."""
    total_correct(
        session_id=session_id, round_number=round_number, player_id=player_id, amount=amount
    )
