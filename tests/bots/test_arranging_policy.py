"""The players of the arranging games: never a foul, always a declaration, cuts by chance."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bots.policies.arranging import BestArrangement, StrongestBackFirst
from bots.policies.policy import Policy
from games.rules.cards import DECK_52
from games.rules.dealing import NumberStream
from games.rules.engine import submit
from games.rules.moves import Cut, Declare, Move, parse_cards
from games.rules.variant import Deal
from games.rules.variants.chinese_poker import CHINESE_POKER
from games.rules.variants.thirteen import THIRTEEN

GAMES = [
    pytest.param(CHINESE_POKER, id="chinese-poker"),
    pytest.param(THIRTEEN, id="thirteen"),
]
LEVELS = [
    pytest.param(BestArrangement, id="best"),
    pytest.param(StrongestBackFirst, id="strongest back first"),
]


def play_round(game: Any, policies: list[Policy], seed: int) -> tuple[list[Move], Any]:
    rng = random.Random(seed)
    deal = game.deal(NumberStream(seed.to_bytes(32, "big"), "", 1), 1, {})
    state = game.start(deal)
    moves = []
    while game.to_act(state):
        seat = next(
            seat.seat for seat in game.view(state, None).seats if waiting(game, state, seat)
        )
        view = game.view(state, seat)
        moves.append(policies[seat].choose(view, game.legal_moves(state, seat), rng))
        state = submit(game, state, seat, moves[-1])
    return moves, game.outcome(state)


def waiting(game: Any, state: Any, seat: Any) -> bool:
    return seat.seat in game.to_act(state) and not seat.has_acted


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("level", LEVELS)
def test_rounds_end_without_a_foul_and_the_same_seeds_give_the_same_rounds(
    game: Any, level: Any
) -> None:
    policies = [level(game.arranging)] * 4
    for seed in range(20):
        moves, outcome = play_round(game, policies, seed)
        assert len(moves) == (7 if game is THIRTEEN else 4)
        assert not any(hand.foul for hand in outcome.hands)
        assert play_round(game, policies, seed) == (moves, outcome)


@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_always_declares(level: Any) -> None:
    hand = parse_cards(
        ["3C", "3D", "5C", "5D", "7C", "7D", "9C", "9D", "JC", "JD", "KC", "KD", "2S"]
    )
    rest = [card for card in DECK_52 if card not in hand]
    hands = (hand, rest[:13], rest[13:26], rest[26:])
    deck = tuple(card for turn in zip(*hands, strict=True) for card in turn)
    state = CHINESE_POKER.start(Deal(deck, {"deal": 1}))
    view = CHINESE_POKER.view(state, 0)
    moves = CHINESE_POKER.legal_moves(state, 0)
    assert level(CHINESE_POKER.arranging).choose(view, moves, random.Random(1)) == Declare()


def test_cuts_are_at_all_positions_and_sometimes_skipped() -> None:
    state = THIRTEEN.start(THIRTEEN.deal(NumberStream(b"\0" * 32, "", 1), 1, {"leader": 3}))
    policy = BestArrangement(THIRTEEN.arranging)
    rng = random.Random(1)
    cuts = {
        policy.choose(THIRTEEN.view(state, 0), THIRTEEN.legal_moves(state, 0), rng)
        for _ in range(1000)
    }
    assert cuts == {Cut(position) for position in range(52)}
