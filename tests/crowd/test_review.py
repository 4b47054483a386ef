"""What is held against each other after a crowd has gone home: each lie alone is noticed."""

from __future__ import annotations

import copy
import hashlib

import pytest

from config.crowd import Tally
from config.crowd.review import SessionStory, review_ledger, review_scores, review_story
from config.crowd.sitting import Sitting
from config.playing.errors import PlayError

ANN, BEN = "ann", "ben"
GAME, WALLET_GAME = "big-two-tw", "dou-dizhu"
SCOPES = {GAME: "session", WALLET_GAME: "wallet"}


def replay(number, players, points, totals):
    seed = f"{number:064x}"
    settlement = {"server_seed": seed, "points": points, "totals": totals}
    return {
        "number": number,
        "players": players,
        "commitment": hashlib.sha256(bytes.fromhex(seed)).hexdigest(),
        "moves": [{"number": 1}, {"number": 2}],
        "settlement": settlement,
    }


# Ben leaves after the first round, a bot sits down instead; then he is back.
REPLAYS = [
    replay(1, [ANN, BEN, None], [5, -2, -3], [5, -2, -3]),
    replay(2, [ANN, None, None], [-1, 4, -3], [4, 4, -6]),
    replay(3, [ANN, BEN, None], [2, -1, -1], [6, -3, -7]),
]
LISTED = [
    {"number": replay["number"], "moves": 2}
    | {name: replay["settlement"][name] for name in ("points", "totals")}
    for replay in REPLAYS
]
SESSION = {"id": "s", "status": "finished", "version": 30, "rounds_played": 3}


def sitting():
    card = {"id": "s", "game": GAME, "options": {"turn_seconds": 0}}
    seen = Sitting(card, Tally())
    seen.final_version = 30
    seen.commitments = {replay["number"]: replay["commitment"] for replay in REPLAYS}
    seen.settlements = {replay["number"]: replay["settlement"] for replay in REPLAYS}
    return copy.deepcopy(seen)


def story(change=None):
    told = SessionStory(*copy.deepcopy((SESSION, LISTED, REPLAYS)))
    if change:
        change(told)
    return told


def test_a_session_that_is_right():
    assert list(review_story(story(), sitting(), "session")) == []


def points_moved(told):
    for settlement in (told.replays[1]["settlement"], told.listed[1]):
        settlement["points"] = [-2, 5, -3]


def totals_wrong(told):
    for settlement in (told.replays[2]["settlement"], told.listed[2]):
        settlement["totals"] = [6, -1, -7]


def round_missing(told):
    del told.listed[1], told.replays[1]


def round_twice(told):
    told.listed.insert(1, told.listed[0])
    told.replays.insert(1, told.replays[0])


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda told: told.session.update(status="playing"), "is playing in version 30"),
        (lambda told: told.session.update(version=29), "is finished in version 29"),
        (lambda told: told.session.update(rounds_played=4), "has played 4 rounds and lists"),
        (round_missing, r"lists \[1, 3\]"),
        (round_missing, "does not list the round 2 that was seen settled"),
        (round_twice, r"lists \[1, 1, 2, 3\]"),
        (points_moved, "another settlement"),
        (points_moved, r"Round 2 has the totals \[4, 4, -6\]; its points add up to \[3, 5, -6\]"),
        (totals_wrong, r"Round 3 has the totals \[6, -1, -7\]; its points add up to \[6, -3, -7\]"),
        (lambda told: told.listed[0].update(points=[5, -3, -2]), "listed with the points"),
        (lambda told: told.listed[0].update(totals=[5, -3, -2]), "listed with the totals"),
        (lambda told: told.listed[0].update(moves=3), "its log had 3"),
        (lambda told: told.replays[0]["moves"].pop(0), r"has the moves \[2\]"),
        (
            lambda told: told.replays[0]["settlement"].update(server_seed="00" * 32),
            "another settlement",
        ),
    ],
)
def test_a_session_that_is_wrong(change, complaint):
    with pytest.raises(AssertionError, match=complaint):
        assert "\n".join(review_story(story(change), sitting(), "session")) == ""


def test_a_seed_that_is_not_the_one_committed_to():
    seen = sitting()
    seen.commitments[2] = "0" * 64
    (text,) = review_story(story(), seen, "session")
    assert "not the one committed to" in text


def booking(round_, amount, balance, **fields):
    entry = {"session": "s", "seat": 0, "kind": "settlement", "game": GAME}
    return {**entry, "round": round_, "amount": amount, "balance": balance, **fields}


LEDGER = [booking(1, 5, 5), booking(2, -1, 4), booking(3, 2, 6)]


def ledger_complaints(ledger):
    return "\n".join(review_ledger(ANN, ledger, [story()], SCOPES))


def test_a_ledger_that_is_right():
    assert ledger_complaints(LEDGER) == ""


@pytest.mark.parametrize(
    ("ledger", "complaint"),
    [
        (LEDGER[:2], r"has booked [] for seat 0 in round 3 of session s; settled was [2]"),
        ([*LEDGER, LEDGER[0]], "has booked [5, 5] for seat 0 in round 1"),
        ([*LEDGER, booking(4, 9, 15)], "has booked [9] for seat 0 in round 4"),
        ([*LEDGER[:2], booking(3, 2, 6, seat=1)], "has booked [2] for seat 1 in round 3"),
        ([booking(1, 4, 5), *LEDGER[1:]], "has booked [4] for seat 0 in round 1"),
        ([booking(1, 5, 6), *LEDGER[1:]], "has 6 where the total was 5"),
    ],
)
def test_a_ledger_that_is_wrong(ledger, complaint):
    assert complaint in ledger_complaints(ledger)


def wallet(*bookings):
    return [
        booking(1, amount, balance, game=WALLET_GAME, session="of another run", kind=kind)
        for amount, balance, kind in bookings
    ]


def test_a_wallet_whose_balances_follow_from_each_other():
    ledger = wallet((-1100, -100, "settlement"), (1100, 1000, "top_up"), (40, 1040, "settlement"))
    assert ledger_complaints(LEDGER + ledger) == ""


def test_a_wallet_that_has_lost_something():
    ledger = wallet((-20, 980, "settlement"), (40, 1000, "settlement"))
    assert "had 1020 after a booking of 40; the ledger says 1000" in ledger_complaints(
        LEDGER + ledger
    )


SCORE = {"game": GAME, "rounds": 3, "wins": 2, "balance": None}


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({}, None),
        ({"rounds": 4}, "has 4 rounds and 2 wins in big-two-tw; the ledger has 3 and 2."),
        ({"wins": 3}, "has 3 rounds and 3 wins in big-two-tw; the ledger has 3 and 2."),
        ({"balance": 7}, "has 7; the ledger 6."),
    ],
)
def test_scores_are_held_against_the_ledger(change, complaint):
    found = list(review_scores(ANN, [SCORE | change], LEDGER))
    assert [text.removeprefix("Player ann ") for text in found] == (
        [complaint] if complaint else []
    )


STATE = {
    "version": 5,
    "status": "playing",
    "round": 1,
    "commitment": "aa",
    "next_commitment": None,
    "settlement": None,
}


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"commitment": "bb"}, "different things of the commitment of round 1"),
        ({"settlement": {"points": [1, -1]}}, "different things of the settlement of round 1"),
        ({"round": 2, "commitment": "dd"}, "another commitment than the one that was shown"),
    ],
)
def test_two_people_are_told_the_same(change, complaint):
    seen = Sitting({"id": "s", "game": GAME, "options": {"turn_seconds": 0}}, Tally())
    seen.note(STATE)
    between = {"status": "between_rounds", "next_commitment": "cc"}
    seen.note({**STATE, **between, "settlement": {"points": [0, 0]}})
    with pytest.raises(PlayError, match=complaint):
        seen.note(STATE | change)
