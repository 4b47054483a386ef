"""What the player over HTTP holds against what was played: each lie alone is noticed."""

from __future__ import annotations

import copy
import hashlib

import pytest

from config.playing.errors import PlayError
from config.playing.review import review_history, review_round, review_scores

SEED = "8928844c5821aee0251659cc752a99adc9c7e87fbd6c34b01ccc4d0dc5660d38"
SETTLEMENT = {"server_seed": SEED, "points": [3, -1, -1, -1], "totals": [3, -1, -1, -1]}
ROUND = {
    "commitment": hashlib.sha256(bytes.fromhex(SEED)).hexdigest(),
    "settlement": SETTLEMENT,
    "replay": {"settlement": SETTLEMENT, "moves": [{"number": 1}, {"number": 2}]},
    "moves": 2,
}


def changed(value, path, new):
    """A copy with what lies at `path` replaced."""
    if not path:
        return new
    twin = copy.copy(value)
    twin[path[0]] = changed(value[path[0]], path[1:], new)
    return twin


def test_a_round_that_is_right():
    review_round(1, **ROUND)


@pytest.mark.parametrize(
    ("path", "new", "complaint"),
    [
        (["commitment"], "0" * 64, "not the one committed to"),
        (["settlement", "server_seed"], "00" * 32, "not the one committed to"),
        (["settlement", "points"], [3, -1, -1, 0], "do not add up to 0"),
        (["settlement", "totals"], [4, -1, -1, -2], "another settlement"),
        (["replay", "settlement", "points"], [0, 0, 0, 0], "another settlement"),
        (["replay", "moves", 1, "number"], 3, r"has the moves \[1, 3\]; its log had 2"),
        (["moves"], 3, "its log had 3"),
    ],
)
def test_a_round_that_is_wrong(path, new, complaint):
    with pytest.raises(PlayError, match=complaint):
        review_round(1, **changed(ROUND, path, new))


SESSION = {"id": "s", "status": "finished", "rounds_played": 1}
HISTORY = {
    "session": SESSION,
    "rounds": [{"number": 1, "points": [3, -1, -1, -1], "totals": [3, -1, -1, -1]}],
    "newest": [SESSION],
    "settlements": [SETTLEMENT],
}


def test_a_history_that_is_right():
    review_history(**HISTORY)


@pytest.mark.parametrize(
    ("path", "new", "complaint"),
    [
        (["session", "status"], "playing", "is playing after 1 rounds"),
        (["session", "rounds_played"], 2, "is finished after 2 rounds"),
        (["newest"], [], "not the newest"),
        (["newest", 0, "id"], "t", "not the newest"),
        (["rounds"], [], "list of rounds"),
        (["rounds", 0, "number"], 2, "list of rounds"),
        (["rounds", 0, "totals"], [0, 0, 0, 0], "list of rounds"),
    ],
)
def test_a_history_that_is_wrong(path, new, complaint):
    with pytest.raises(PlayError, match=complaint):
        review_history(**changed(HISTORY, path, new))


def booking(round_, amount, balance, kind="settlement"):
    return {"round": round_, "amount": amount, "balance": balance, "kind": kind}


@pytest.mark.parametrize(
    ("score", "ledger", "points"),
    [
        pytest.param(
            {"best": 3, "balance": None}, [booking(1, 3, 3), booking(2, -5, -2)], [3, -5], id="sum"
        ),
        pytest.param({"best": -3, "balance": None}, [booking(1, -3, -3)], [-3], id="below zero"),
        pytest.param(
            {"best": 1000, "balance": 980}, [booking(1, -20, 980)], [-20], id="wallet as given"
        ),
        pytest.param(
            {"best": 1000, "balance": 1000},
            [booking(1, -1280, -280), booking(1, 1280, 1000, "top_up")],
            [-1280],
            id="wallet filled up",
        ),
    ],
)
def test_scores_that_are_right(score, ledger, points):
    review_scores(score, ledger=ledger, points=points)


@pytest.mark.parametrize(
    ("best", "ledger", "complaint"),
    [
        (2, [booking(1, 3, 3)], "best score is 2"),
        (3, [booking(1, 2, 3)], "has booked"),
        (3, [booking(2, 3, 3)], "has booked"),
        (3, [], "has booked"),
        (6, [booking(1, 3, 3), booking(1, 3, 6)], "has booked"),
    ],
)
def test_scores_that_are_wrong(best, ledger, complaint):
    with pytest.raises(PlayError, match=complaint):
        review_scores({"best": best, "balance": None}, ledger=ledger, points=[3])
