"""A bot's turn: what its seat may know, its policy's choice, and the same submit as a person's."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import structlog

from bots.policies.registry import NORMAL, policy_for
from bots.signals import move_wanted
from games.errors import NoRound, StaleTurn
from games.models import Actor
from games.rules.errors import NotYourTurn, RoundOver
from games.rules.moves import Move
from games.rules.variant import VariantInfo, View
from games.selectors.plays import bot_turn_get
from games.services.moves import move_submit_for

logger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Decision:
    """What a bot will do, and when: not before `due_at`, however quickly it was decided."""

    move: Move
    actor: Actor
    policy: str
    due_at: datetime


def bot_turn_play(*, session_id: UUID, turn: int, seat: int) -> bool:
    """Choose and submit now; False where the decision was closed already."""
    decision = bot_turn_decide(session_id=session_id, turn=turn, seat=seat)
    if decision is None:
        return False
    return bot_move_make(
        session_id=session_id,
        turn=turn,
        seat=seat,
        move=decision.move,
        actor=decision.actor,
        policy=decision.policy,
    )


def bot_turn_decide(*, session_id: UUID, turn: int, seat: int) -> Decision | None:
    """Choose; None where the decision was closed already."""
    asked = bot_turn_get(session_id=session_id, turn=turn, seat=seat)
    if asked is None:
        return None
    move, policy = _decided(session_id, seat) or move_choose(
        info=asked.info, level=asked.level or NORMAL, view=asked.view, moves=asked.moves
    )
    return Decision(move, asked.actor, policy, asked.due_at)


def _decided(session_id: UUID, seat: int) -> tuple[Move, str] | None:
    """What somebody else has decided for the seat, and by what."""
    answers: Any = move_wanted.send(sender=Decision, session_id=session_id, seat=seat)
    return next((answer for _, answer in answers if answer is not None), None)


def bot_move_make(
    *, session_id: UUID, turn: int, seat: int, move: Move, actor: Actor, policy: str
) -> bool:
    """Submit what was chosen for this turn; False where the decision was closed meanwhile."""
    try:
        move_submit_for(
            session_id=session_id, seat=seat, move=move, turn=turn, actor=actor, policy=policy
        )
    except (StaleTurn, NoRound, NotYourTurn, RoundOver):
        return False
    return True


def move_choose(
    *, info: VariantInfo, level: str = NORMAL, view: View, moves: Iterable[Move]
) -> tuple[Move, str]:
    """The move that the policy of this level chooses, and the policy's name for the log."""
    policy = policy_for(info.slug, level)
    move = policy.choose(view, moves, random.Random())  # noqa: S311 - no secret
    return move, f"{level}/{policy.name}-{policy.version}"
