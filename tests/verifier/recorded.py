"""Replays of rounds that programs played by the rules alone: no database, the same in every run."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any
from uuid import UUID

from bots.policies.registry import policy_for
from games.models import Actor, Move, Round, RoundStatus, Session
from games.rules import engine
from games.rules.moves import (
    AnswerRedeal,
    Arrange,
    Bid,
    CallRedeal,
    Cut,
    Extend,
    move_to_json,
)
from games.rules.moves import Move as RuleMove
from games.rules.outcome import Ending
from games.rules.record import outcome_to_json
from games.rules.registry import VARIANTS
from games.selectors.live import deal_from_json
from games.selectors.replays import replay_of
from games.services.dealing import deal_make
from tests.deals import redeal, seed_where

STARTED = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
PLAYERS = [UUID(int=1), None, UUID(int=2), None]

Json = dict[str, Any]
# What a seat does at the n-th move of the round; None leaves it to its program.
Script = Callable[[int, Any, int], RuleMove | None]


def record(
    game: str,
    seed: bytes,
    *,
    client_seed: str = "我的種子 🂡",
    carry: Mapping[str, Any] | None = None,
    script: Script = lambda number, view, seat: None,
) -> Json:
    """The replay of a round, as the service would serve it."""
    variant = VARIANTS[game]
    seats = variant.info.seats
    rng = random.Random(game)
    deals: list[Json] = []
    moves: list[Move] = []
    turn, outcome = 7, None
    while outcome is None or outcome.ending is Ending.REDEAL:
        dealt = deal_make(
            variant,
            server_seed=seed,
            client_seed=client_seed,
            number=len(deals) + 1,
            carry={**(carry or {}), **(outcome.carry if outcome else {})},
        )
        deals.append(json.loads(json.dumps(dealt)))
        state, outcome = variant.start(deal_from_json(dealt)), None
        while outcome is None:
            seat, move, actor = _decided(variant, state, len(moves), script, rng)
            after = engine.submit(variant, state, seat, move)
            moves.append(
                Move(
                    number=len(moves) + 1,
                    deal=len(deals),
                    turn=turn,
                    seat=seat,
                    data=move_to_json(move),
                    pattern=variant.pattern_of(state, seat, move) or "",
                    actor=actor,
                    policy="normal/x-1" if actor is Actor.BOT else "",
                    created_at=STARTED + timedelta(seconds=len(moves)),
                )
            )
            outcome = variant.outcome(after)
            closed = variant.decisions(after) != variant.decisions(state)
            turn += closed or outcome is not None
            state = after
    totals = [points + 10 * seat for seat, points in enumerate(outcome.points)]
    if variant.info.score_scope == "round":
        totals = list(outcome.points)
    round_ = Round(
        session=Session(game=game, id=UUID(int=9)),
        number=3,
        status=RoundStatus.SETTLED,
        rules_revision=variant.info.revision,
        server_seed=seed,
        client_seed=client_seed,
        deals=deals,
        players=PLAYERS[:seats],
        outcome={**outcome_to_json(outcome), "totals": totals},
        created_at=STARTED,
        settled_at=STARTED + timedelta(minutes=5),
    )
    replay: Json = json.loads(json.dumps(replay_of(round_, moves)))
    return replay


def _decided(
    variant: Any, state: Any, number: int, script: Script, rng: random.Random
) -> tuple[int, RuleMove, Actor]:
    """Who acts, with what: who may act by the script, else the first who is asked."""
    for seat in sorted(variant.to_act(state)):
        move = script(number, variant.view(state, seat), seat)
        if move is not None:
            return seat, move, Actor.PERSON if PLAYERS[seat] else Actor.BOT
    view = variant.view(state, None)
    seat = next(seat for seat in view.to_act if not view.seats[seat].has_acted)
    policy = policy_for(variant.info.slug, "normal")
    legal = variant.legal_moves(state, seat)
    move = policy.choose(variant.view(state, seat), legal, rng)
    return seat, move, Actor.PERSON if PLAYERS[seat] else Actor.BOT


SEED = bytes(range(32))


def _declined(number: int, view: Any, seat: int) -> RuleMove | None:
    """Seat 0 calls, seat 1 accepts and seat 2 declines."""
    if number == 0 and seat == 0:
        return CallRedeal()
    return AnswerRedeal(accept=seat != 2) if "answer_redeal" in view.you.actions else None


def _accepted(number: int, view: Any, seat: int) -> RuleMove | None:
    """Seat 0 calls and everybody accepts."""
    if number == 0 and seat == 0:
        return CallRedeal()
    return AnswerRedeal(accept=True) if "answer_redeal" in view.you.actions else None


def _nobody_bids(number: int, view: Any, seat: int) -> RuleMove | None:
    """All pass, two deals long."""
    return Bid(0) if number < 6 else None


def _cuts_and_time(number: int, view: Any, seat: int) -> RuleMove | None:
    """Cuts against the order of the seats, and the extra time for seat 0."""
    if view.phase == "cutting":
        return Cut(10 * seat + 3) if "cut" in view.you.actions and number == 3 - seat else None
    if seat == 0 and not view.you.extension_used:
        return Extend()
    return None


def _a_foul_and_second_thoughts(number: int, view: Any, seat: int) -> RuleMove | None:
    """Seat 0 sets a foul, says so, and sets another one before the others have set."""
    if number < 2 and seat == 0:
        hand = view.you.hand[number:] + view.you.hand[:number]
        return Arrange(hand[10:], hand[5:10], hand[:5], accept_foul=True)
    return None


def _six_pairs(hands: list[list[str]]) -> bool:
    ranks = [[card[0] for card in hand] for hand in hands]
    return any(sum(held.count(rank) // 2 for rank in set(held)) == 6 for held in ranks)


ROUNDS: dict[str, Callable[[], Json]] = {
    "big-two-tw": lambda: record("big-two-tw", SEED),
    "big-two-hk": lambda: record("big-two-hk", SEED),
    "big-two-hk declined": lambda: record(
        "big-two-hk", redeal(0, 1), client_seed="", script=_declined
    ),
    "big-two-hk redeal": lambda: record(
        "big-two-hk", redeal(0, 1), client_seed="", script=_accepted
    ),
    "dou-dizhu": lambda: record("dou-dizhu", SEED),
    "dou-dizhu all pass twice": lambda: record("dou-dizhu", SEED, script=_nobody_bids),
    "chinese-poker": lambda: record("chinese-poker", SEED, script=_a_foul_and_second_thoughts),
    "chinese-poker special": lambda: record(
        "chinese-poker", seed_where(_six_pairs), client_seed=""
    ),
    "thirteen": lambda: record("thirteen", SEED, script=_cuts_and_time),
    "thirteen later": lambda: record("thirteen", SEED, carry={"leader": 2}, script=_cuts_and_time),
}


@cache
def _text(name: str) -> str:
    return json.dumps(ROUNDS[name]())


def recorded(name: str) -> Json:
    """The replay of this name; the caller's own, to change."""
    replay: Json = json.loads(_text(name))
    return replay
