"""The rules' state of a session's current round: a replay of its moves, remembered per process.

A state belongs to a round and a number of moves, and never changes once those are committed. So a
process may remember it as long as it likes: what it remembers is right or too old, and what is too
old is brought up to date by the moves since. Only committed states are remembered.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final
from uuid import UUID

from django.db import transaction

from games.models import Move, Round, Session
from games.rules import engine
from games.rules.cards import CARDS_BY_NAME
from games.rules.dealing import commitment
from games.rules.moves import move_from_json
from games.rules.outcome import Ending
from games.rules.registry import VARIANTS
from games.rules.variant import Deal, Variant
from games.selectors.prepared import PreparedRead, read_together

REMEMBERED_ROUNDS: Final = 2000


@dataclass(frozen=True, slots=True)
class LiveRound:
    """A round as it stands after `move_number` moves; `state` is the variant's own value."""

    round_id: int
    commitment: str
    deal: int
    move_number: int
    state: Any


class _Memory:
    """The rounds that were looked at last, by session and round number."""

    def __init__(self) -> None:
        self._rounds: OrderedDict[tuple[UUID, int], LiveRound] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: tuple[UUID, int]) -> LiveRound | None:
        with self._lock:
            if live := self._rounds.get(key):
                self._rounds.move_to_end(key)
            return live

    def put(self, key: tuple[UUID, int], live: LiveRound) -> None:
        with self._lock:
            known = self._rounds.get(key)
            if known is None or known.move_number <= live.move_number:
                self._rounds[key] = live
            self._rounds.move_to_end(key)
            while len(self._rounds) > REMEMBERED_ROUNDS:
                self._rounds.popitem(last=False)

    def clear(self) -> None:
        with self._lock:
            self._rounds.clear()


_memory = _Memory()


def variant_of(session: Session) -> Variant[Any]:
    """The game's rules."""
    return VARIANTS[session.game]


def deal_from_json(data: dict[str, Any]) -> Deal:
    """A stored deal as the rules take it."""
    return Deal(deck=tuple(CARDS_BY_NAME[name] for name in data["deck"]), setup=data["setup"])


def live_round_get(session: Session) -> LiveRound | None:
    """The current round of a session as it was read, settled or not; None before the first."""
    if session.round_number == 0:
        return None
    key = (session.id, session.round_number)
    known = _memory.get(key)
    if known and known.move_number == session.move_number:
        return known
    if known and known.move_number < session.move_number:
        live = _advanced(session, known)
    else:
        live = _replayed(session)
    # What this transaction itself has done may yet be undone.
    transaction.on_commit(partial(_memory.put, key, live))
    return live


def states_replayed(
    variant: Variant[Any], deals: Sequence[dict[str, Any]], moves: Iterable[Move]
) -> Iterator[tuple[int, Any]]:
    """The number of the deal and the state in it, before the first of these moves and after each.

    `deals` and `moves` are those of a round. Raises what the rules refuse in the moves.
    """
    deal = 1
    state = variant.start(deal_from_json(deals[0]))
    yield deal, state
    for move in moves:
        if move.deal != deal:
            deal = move.deal
            state = variant.start(deal_from_json(deals[deal - 1]))
        state = engine.submit(variant, state, move.seat, move_from_json(move.data))
        yield deal, state


def live_round_remember(session: Session, live: LiveRound) -> None:
    """Keep the state after a move; only to be called once the move is committed."""
    _memory.put((session.id, session.round_number), live)


def live_rounds_forget() -> None:
    """Forget every round of this process."""
    _memory.clear()


# Chained filters, since their order is that of the parameters.
ROUND = PreparedRead[Round](
    lambda session, number: Round.objects.filter(session_id=session).filter(number=number),
    *(UUID(int=0), 1),
)
MOVES = PreparedRead[Move](
    lambda session, number: (
        Move.objects.filter(round__session_id=session)
        .filter(round__number=number)
        .order_by("number")
    ),
    *(UUID(int=0), 1),
)
MOVES_SINCE = PreparedRead[Move](
    lambda round_id, number: (
        Move.objects.filter(round_id=round_id).filter(number__gt=number).order_by("number")
    ),
    *(1, 2),
)


def _advanced(session: Session, known: LiveRound) -> LiveRound:
    since = MOVES_SINCE.instances(MOVES_SINCE.rows(known.round_id, known.move_number))
    moves = [move for move in since if move.number <= session.move_number]
    if any(move.deal != known.deal for move in moves):
        return _replayed(session)
    variant, state = variant_of(session), known.state
    for move in moves:
        state = engine.submit(variant, state, move.seat, move_from_json(move.data))
    if _is_dealt_anew(variant, state):
        return _replayed(session)
    return LiveRound(known.round_id, known.commitment, known.deal, session.move_number, state)


def _replayed(session: Session) -> LiveRound:
    rounds, every = read_together(ROUND, MOVES, session.id, session.round_number)
    round_ = rounds[0]
    moves = [move for move in every if move.number <= session.move_number]
    variant = variant_of(session)
    *_, (deal, state) = states_replayed(variant, round_.deals, moves)
    if _is_dealt_anew(variant, state):
        deal += 1
        state = variant.start(deal_from_json(round_.deals[deal - 1]))
    return LiveRound(
        round_.id, commitment(bytes(round_.server_seed)), deal, session.move_number, state
    )


def _is_dealt_anew(variant: Variant[Any], state: Any) -> bool:
    """Whether the last move ended the deal and not the round: another deal follows it."""
    outcome = variant.outcome(state)
    return outcome is not None and outcome.ending is Ending.REDEAL
