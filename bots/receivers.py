"""What the games ask of the bots: to move when it is their turn, and advice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

import structlog
from django.dispatch import receiver
from kombu.exceptions import OperationalError

from bots.services import move_choose
from bots.tasks import play_bot_turn
from contract.outage import Outage
from games.rules.moves import Move
from games.rules.variant import VariantInfo, View
from games.signals import advice_wanted, turn_started

logger = structlog.get_logger(__name__)

_outage = Outage(seconds=2.0)


@receiver(turn_started, dispatch_uid="bots.ask_bots")
def ask_bots(*, session_id: UUID, turn: int, bot_seats: Sequence[int], **_: Any) -> None:
    """One task for each bot, to think at once. Never raises: what is lost here, the sweep asks for
    again."""
    if _outage.lasts():
        return
    try:
        for seat in bot_seats:
            play_bot_turn.delay(str(session_id), turn, seat)
    except OperationalError as error:
        _outage.begin()
        logger.warning("bots not asked", session_id=str(session_id), reason=str(error))


@receiver(advice_wanted, dispatch_uid="bots.advise")
def advise(*, info: VariantInfo, view: View, moves: Iterable[Move], **_: Any) -> tuple[Move, str]:
    """What the default bot would do there, and the name of its policy."""
    return move_choose(info=info, view=view, moves=moves)
