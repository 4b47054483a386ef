"""A clock that can be moved, so that nobody waits for a time-out."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from games.models import Session
from games.selectors.plays import bot_turn_get
from tests.clients import Answer, Api, Table
from tests.sandbox.rehearsals import log, rehearse

LEADS: Any = {"hands": [["3C", "3D"], [], [], []]}


def table_of(api: Api, **options: Any) -> Table:
    return rehearse(api, game="big-two-tw", deal=LEADS, options=options)


def advance(table: Table, ms: int, **headers: str) -> Answer:
    return table.api.post(f"sandbox/sessions/{table.id}/clock/", {"advance_ms": ms}, **headers)


def test_the_deadline_comes_nearer_and_the_state_is_a_new_one(builder: Api):
    table = table_of(builder, turn_seconds=600)
    before = table.row()
    answer = advance(table, 500_000)
    after = table.row()
    assert before.deadline is not None
    assert after.deadline == before.deadline - timedelta(milliseconds=500_000)
    assert after.clock_due_at == after.deadline
    assert (after.version, after.turn) == (before.version + 1, before.turn)
    assert 0 < answer.json["remaining_ms"] <= 100_000
    assert answer.headers["ETag"] == f'"{after.version}"'
    stale = table.get("state/", If_None_Match=f'"{before.version}"')
    assert (stale.status, stale.json["version"]) == (200, after.version)
    assert log(table) == []


def test_whose_time_is_up_is_acted_for_at_once(builder: Api):
    table = table_of(builder, turn_seconds=30)
    answer = advance(table, 30_000)
    assert answer.status == 200
    (move,) = log(table)
    assert (move["seat"], move["actor"], move["cards"]) == (0, "clock", ["3C"])
    assert answer.json["to_act"] == [1]


def test_a_second_time_out_turns_on_autoplay(builder: Api):
    table = table_of(builder, turn_seconds=30)
    advance(table, 30_000)
    assert table.bots_play()["to_act"] == [0]
    state = advance(table, 30_000).json
    assert state["you"]["autoplay"] is True


def test_the_pause_of_a_bot_comes_nearer_too(builder: Api):
    deal = {"hands": [[], ["3C"], [], []]}
    table = rehearse(builder, game="big-two-tw", deal=deal, options={"bot_delay_ms": 5000})
    before = table.row()
    assert advance(table, 4000).status == 200
    asked = bot_turn_get(session_id=before.id, turn=before.turn, seat=1)
    assert asked is not None
    assert before.bot_due_at is not None
    assert asked.due_at == before.bot_due_at - timedelta(milliseconds=4000)


def test_the_extra_time_is_kept(builder: Api):
    table = rehearse(builder, game="thirteen", scenario="foul", options={"turn_seconds": 45})
    advance(table, 1000)
    table.bots_play()
    assert table.move(type="extend").status == 201
    state = advance(table, 45_000).json
    assert state["phase"] == "arranging"
    assert 0 < state["remaining_ms"] <= 20_000


def test_a_retry_moves_it_once(builder: Api):
    table = table_of(builder, turn_seconds=600)
    first, again = (advance(table, 1000, Idempotency_Key="k") for _ in range(2))
    assert first.json == again.json
    assert table.row().version == first.json["version"]


@pytest.mark.parametrize("ms", [0, -1, 24 * 3600 * 1000 + 1, "1000", None])
def test_a_time_that_is_none_is_refused(builder: Api, ms: Any):
    table = table_of(builder, turn_seconds=600)
    before = Session.objects.values().get()
    assert advance(table, ms).status == 400
    assert Session.objects.values().get() == before


def test_only_tables_of_the_sandbox_have_such_a_clock_and_only_for_who_sits_there(
    builder: Api, stranger: Api
):
    other = builder.open_table(options={"turn_seconds": 600})
    assert advance(other, 1000).code == "not_found"
    table = table_of(builder, turn_seconds=600)
    assert advance(table.seen_by(stranger), 1000).code == "not_found"
    assert advance(table.seen_by(Api()), 1000).status == 401
    assert {row.version for row in Session.objects.all()} == {other.row().version}


def test_between_rounds_no_clock_runs(builder: Api):
    table = rehearse(builder, game="chinese-poker", scenario="dragon")
    table.play_on()
    version = table.row().version
    assert advance(table, 1000).code == "round_over"
    assert table.row().version == version
