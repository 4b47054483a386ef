"""What the player over HTTP does when it is asked."""

from __future__ import annotations

import random

import pytest

from config.playing.choices import arrangements, move_choose
from games.rules.arranging.fouls import RowRules
from games.rules.cards import CARD_NAMES, DECK_52
from games.rules.moves import move_from_json


def never(*_):
    raise AssertionError("asked without need")


def state(*actions, **parts):
    return {"you": {"actions": list(actions), "hand": []}, "bidding": None, **parts}


@pytest.mark.parametrize(
    ("given", "chosen"),
    [
        pytest.param(state("arrange", "declare"), {"type": "declare"}, id="special hand"),
        pytest.param(
            state("answer_redeal"), {"type": "answer_redeal", "accept": True}, id="redeal"
        ),
        pytest.param(state("cut"), {"type": "cut", "position": 26}, id="cut"),
        pytest.param(
            state("bid", bidding={"highest": 0}), {"type": "bid", "bid": 1}, id="first bid"
        ),
        pytest.param(
            state("bid", bidding={"highest": 1}), {"type": "bid", "bid": 0}, id="bid after another"
        ),
    ],
)
def test_decisions_without_cards(given, chosen):
    assert move_choose(given, legal_plays=never, is_accepted=never) == chosen


@pytest.mark.parametrize(
    ("plays", "chosen"),
    [
        (
            [{"cards": ["3C"], "pattern": "single"}, {"cards": ["4C"], "pattern": "single"}],
            {"type": "play", "cards": ["3C"], "pattern": "single"},
        ),
        ([], {"type": "pass"}),
    ],
)
def test_the_weakest_play_else_a_pass(plays, chosen):
    given = state("play", "pass", "call_redeal")
    asked = move_choose(given, legal_plays=lambda: {"plays": plays}, is_accepted=never)
    assert asked == chosen


@pytest.mark.parametrize("accepted", [0, 1])
def test_an_arrangement_that_the_service_accepts(accepted):
    hand = [CARD_NAMES[card] for card in DECK_52[:13]]
    given = state("arrange")
    given["you"]["hand"] = hand
    candidates = arrangements(hand)
    chosen = move_choose(
        given, legal_plays=never, is_accepted=lambda move: move == candidates[accepted]
    )
    assert chosen == candidates[accepted]


def is_foul(body):
    move = move_from_json(body)
    return RowRules().is_foul(move.front, move.middle, move.back)


def test_one_of_the_two_arrangements_is_never_a_foul():
    rng = random.Random(7)
    first_was_foul = 0
    for _ in range(20_000):
        hand = [CARD_NAMES[card] for card in rng.sample(DECK_52, 13)]
        first, second = arrangements(hand)
        for body in (first, second):
            assert sorted(body["front"] + body["middle"] + body["back"]) == sorted(hand)
        if is_foul(first):
            first_was_foul += 1
            assert not is_foul(second), hand
    assert first_was_foul > 100
