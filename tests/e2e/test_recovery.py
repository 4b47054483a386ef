"""Losing the worker or the broker's contents in the middle of a round costs seconds, no round."""

from __future__ import annotations

import pytest


@pytest.fixture
def worker(service):
    """The worker runs again after the test, whatever the test did to it."""
    yield service
    if "worker" not in service.running():
        service.start("worker")


@pytest.mark.parametrize("broker_is_emptied", [False, True], ids=["broker kept", "broker emptied"])
def test_a_killed_worker_loses_nothing(worker, player, broker_is_emptied):
    table = player.open_table(bot_delay_ms=0)
    state = table.play_on(table.state(), moves=1)
    assert state["to_act"] == [0], "the deal ended at once: play another"
    worker.kill("worker")
    state = table.act(state)
    stored = table.log()
    waited = table.get("state/wait/", since=state["version"], timeout=2).json()
    assert (waited["version"], waited["to_act"]) == (state["version"], [1])
    assert table.log() == stored
    if broker_is_emptied:
        worker.redis.flushdb()

    worker.start("worker")
    state = table.play_on(state)
    assert state["status"] == "between_rounds"
    assert_settled_once(player, table, state)
    assert table.log()[: len(stored)] == stored


def test_a_broker_emptied_under_a_running_worker_stops_nothing(service, player):
    """The worker still hears of new tasks, and the round goes on."""
    table = player.open_table(bot_delay_ms=0)
    state = table.state()
    while state["status"] == "playing":
        service.redis.flushdb()
        state = table.wait_for_turn(state)
        if state["status"] == "playing":
            state = table.act(state)
    assert_settled_once(player, table, state)


def assert_settled_once(player, table, state):
    log = table.log()
    assert [move["number"] for move in log] == list(range(1, len(log) + 1))
    points = state["settlement"]["points"]
    assert sum(points) == 0
    assert state["settlement"]["totals"] == points
    rounds = table.get("rounds/").json()["results"]
    assert [(entry["number"], entry["points"]) for entry in rounds] == [(1, points)]
    ledger = player.http.get("players/me/ledger/").json()["results"]
    booked = [(entry["session"], entry["round"], entry["amount"]) for entry in ledger]
    assert booked == [(table.id, 1, points[0])]
