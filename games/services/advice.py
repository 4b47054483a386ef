"""A good move for a seat, from what this seat may know: chosen by whoever plays for the service."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from games.models import Session
from games.rules.moves import Move
from games.selectors.live import LiveRound, variant_of
from games.signals import advice_wanted


@dataclass(frozen=True, slots=True)
class Advice:
    """A move, and the policy that chose it."""

    move: Move
    policy: str


def advice_get(session: Session, live: LiveRound, seat: int) -> Advice:
    """What the default bot would do there now; the seat must have a move."""
    variant = variant_of(session)
    answers: Any = advice_wanted.send(
        sender=Session,
        info=variant.info,
        view=variant.view(live.state, seat),
        moves=variant.legal_moves(live.state, seat),
    )
    [(_, (move, policy))] = answers
    return Advice(move, policy)
