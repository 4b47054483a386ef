"""A bot's turn: what its seat may know, its policy's choice, and the same submit as a person's."""

from __future__ import annotations

import random
from collections.abc import Iterable
from uuid import UUID

import structlog

from bots.policies.registry import NORMAL, policy_for
from games.errors import NoRound, StaleTurn
from games.rules.errors import NotYourTurn, RoundOver
from games.rules.moves import Move
from games.rules.variant import VariantInfo, View
from games.selectors.plays import bot_turn_get
from games.services.moves import move_submit_for

logger = structlog.get_logger(__name__)


def bot_turn_play(*, session_id: UUID, turn: int, seat: int) -> bool:
    """Choose and submit; False where the decision was closed already."""
    asked = bot_turn_get(session_id=session_id, turn=turn, seat=seat)
    if asked is None:
        return False
    move, policy = move_choose(
        info=asked.info, level=asked.level or NORMAL, view=asked.view, moves=asked.moves
    )
    try:
        move_submit_for(
            session_id=session_id,
            seat=seat,
            move=move,
            turn=turn,
            actor=asked.actor,
            policy=policy,
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
