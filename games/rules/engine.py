"""What every game shares: who may act, and a state as the replay of its moves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from games.rules.errors import RoundOver, RuleViolation, WrongPhase
from games.rules.moves import Move
from games.rules.variant import Deal, Variant

S = TypeVar("S")


def submit(variant: Variant[S], state: S, seat: int, move: Move) -> S:
    """The state after this seat's move. The input stays as it was.

    Raises RoundOver, NotYourTurn, WrongPhase, or what the variant's own rules refuse.
    """
    to_act = variant.to_act(state)
    try:
        if not to_act:
            raise RoundOver()
        if seat not in to_act:
            raise variant.out_of_turn(state, seat, move)
        return variant.play(state, seat, move)
    except RuleViolation as refusal:
        refusal.game = variant.info.slug
        raise


def refuse_unless_open(phase: str, move: Move, actions: tuple[str, ...]) -> None:
    """Raises WrongPhase unless this type of move is open; for use by the variants."""
    if move.type not in actions:
        raise WrongPhase(phase=phase, type=move.type, actions=list(actions))


def replay(variant: Variant[S], deal: Deal, moves: Iterable[tuple[int, Move]]) -> S:
    """The state after these accepted moves, as (seat, move)."""
    state = variant.start(deal)
    for seat, move in moves:
        state = submit(variant, state, seat, move)
    return state
