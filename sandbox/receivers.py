"""What the bots ask of the sandbox: whether a script says what to do."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from bots.signals import move_wanted
from games.rules.moves import Move
from sandbox.services import SCRIPT, scripted_move


def listen() -> None:
    """Answer the bots from now on."""
    move_wanted.connect(follow_script, dispatch_uid="sandbox.follow_script")


def follow_script(*, session_id: UUID, seat: int, **_: Any) -> tuple[Move, str] | None:
    """The move that the script has for this seat now, if it fits."""
    move = scripted_move(session_id=session_id, seat=seat)
    return None if move is None else (move, SCRIPT)
