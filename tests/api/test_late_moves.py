"""A move that comes after its time: the server acts first, whether or not anybody looked before."""

from __future__ import annotations

from typing import Any

import pytest

from games import clock
from games.selectors import live
from games.selectors.live import live_rounds_forget
from tests.api.test_clocks import Clock, by_task, deadline_of
from tests.api.test_sessions import everything
from tests.clients import Answer, People, Table
from tests.deals import deal_from, host_leads

PLAY = {"type": "play", "cards": ["3C", "3D"]}


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Clock:
    set_clock = Clock()
    monkeypatch.setattr(clock, "now", set_clock.now)
    return set_clock


@pytest.fixture
def four(transactional_db: Any, time: Clock, monkeypatch: pytest.MonkeyPatch) -> People:
    """Four people at Big Two; seat 0 leads, with 6 seconds for each turn."""
    deal_from(monkeypatch, host_leads())
    return People.at_a_table("big-two-tw", others=3, options={"turn_seconds": 6})


def log(table: Table) -> list[tuple[int, str, list[str] | None]]:
    moves = table.get("moves/?round=1").json["results"]
    return [(move["seat"], move["actor"], move["cards"]) for move in moves]


@pytest.mark.parametrize("says_turn", [True, False], ids=["with its turn", "without a turn"])
@pytest.mark.parametrize("seconds", [6.0, 9.0])
def test_a_late_move_meets_the_decision_after_the_servers_act(
    four: People, time: Clock, says_turn: bool, seconds: float
) -> None:
    table, row = four.host, four.host.row()
    time.seconds = seconds
    body = {**PLAY, "turn": row.turn} if says_turn else PLAY
    answer = table.post("moves/", body, Idempotency_Key="K")
    assert (answer.status, answer.code) == (409, "stale_turn")
    assert answer.json["params"] == {"turn": row.turn, "open_turn": row.turn + 1}
    state = answer.json["state"]
    assert (state["version"], state["turn"]) == (row.version + 1, row.turn + 1)
    assert (state["to_act"], state["remaining_ms"]) == ([1], 6000)
    assert state == table.state()
    assert log(table) == [(0, "clock", ["3C"])]
    assert deadline_of(table) == seconds + 6
    before = everything(table)
    again = table.post("moves/", body, Idempotency_Key="K")
    assert (again.status, again.bytes) == (409, answer.bytes)
    assert everything(table) == before


def test_what_the_server_did_is_not_remembered_if_the_request_fails(
    four: People, time: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its act and the answer are one transaction; memory holds only what is committed."""
    session, before = four.host.row(), everything(four.host)
    time.seconds = 6.0
    live_rounds_forget()

    def fail(*_: Any) -> None:
        raise RuntimeError("after the server's act")

    with monkeypatch.context() as patched:
        patched.setattr("games.api.play.state_get", fail)
        assert four.host.post("moves/", PLAY, Idempotency_Key="K").status == 500
    assert everything(four.host) == before
    known = live._memory.get((session.id, session.round_number))
    assert known is None or known.move_number == 0


def test_a_late_move_without_a_key_does_the_same(four: People, time: Clock) -> None:
    time.seconds = 6.0
    answer = four.host.move(**PLAY)
    assert (answer.status, answer.code) == (409, "stale_turn")
    assert log(four.host) == [(0, "clock", ["3C"])]


def test_whose_turn_comes_by_it_may_move_at_once(four: People, time: Clock) -> None:
    """The one before has run out of time, and nobody has looked yet."""
    turn = four.host.row().turn
    time.seconds = 6.5
    assert four.by_seat(1).move(type="pass", turn=turn + 1).status == 201
    assert log(four.host) == [(0, "clock", ["3C"]), (1, "person", None)]
    assert deadline_of(four.host) == 12.5


def test_a_preview_says_that_it_is_too_late(four: People, time: Clock) -> None:
    turn = four.host.row().turn
    time.seconds = 5.9
    assert four.host.post("moves/preview/", {**PLAY, "turn": turn}).json["code"] is None
    time.seconds = 6.0
    answer = four.host.post("moves/preview/", {**PLAY, "turn": turn})
    assert (answer.status, answer.json["code"]) == (200, "stale_turn")
    assert log(four.host) == [(0, "clock", ["3C"])]


def test_who_asks_for_more_time_too_late_gets_none(transactional_db: Any, time: Clock) -> None:
    table = People.at_a_table("thirteen", others=0, options={"turn_seconds": 10}).host
    arranging(table, time)
    time.seconds += 10
    answer = table.move(type="extend")
    assert answer.status == 409
    table.bots_play()
    assert table.row().status == "between_rounds"


def arranging(table: Table, time: Clock) -> None:
    """Skip what comes before the hands are set."""
    table.bots_play()
    while table.state()["phase"] == "cutting":
        time.seconds += 10
        by_task(table)
        table.bots_play()


@pytest.mark.parametrize("looked", [True, False], ids=["the clock was first", "nobody looked"])
def test_what_is_set_stays_when_the_own_time_is_up(
    transactional_db: Any, time: Clock, looked: bool
) -> None:
    """Another seat has extra time, so the same decision is still open; only not for all."""
    people = People.at_a_table("thirteen", others=1, options={"turn_seconds": 10})
    host, slow = people.tables
    arranging(host, time)
    own = host.get("hint/").json["move"]
    move = {name: value for name, value in own.items() if value is not None}
    assert host.move(**move).status == 201
    assert slow.move(type="extend").status == 201
    deadline = deadline_of(host)
    assert deadline is not None
    time.seconds = deadline - 0.1
    assert host.move(**move).status == 201
    time.seconds = deadline
    if looked:
        by_task(host)
    before = everything(host)
    refused(host.move(**move), host)
    assert everything(host) == before
    assert slow.follow_hint().status == 201


def refused(answer: Answer, table: Table) -> None:
    assert (answer.status, answer.code) == (409, "stale_turn")
    assert answer.json["params"] == {"turn": table.row().turn}
    assert answer.json["detail"] == answer.json["title"] == "Decision already closed"
    assert answer.json["state"] == table.state()


def test_who_is_on_autoplay_may_move_until_the_bot_or_the_clock_has(
    four: People, time: Clock
) -> None:
    """Autoplay neither loses the turn nor gains time for it."""
    table = four.host
    turn = table.row().turn
    assert table.post("autoplay/", {"enabled": True}).status == 200
    preview = table.post("moves/preview/", {**PLAY, "turn": turn}).json
    assert preview["accepted"] is True
    time.seconds = 60
    late = table.move(**PLAY, turn=turn)
    assert (late.status, late.code) == (409, "stale_turn")
    acted = table.get("moves/").json["results"][-1]
    assert (acted["seat"], acted["actor"]) == (0, "clock")
