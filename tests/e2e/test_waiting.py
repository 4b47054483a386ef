"""The long poll and the ETag, over real connections."""

from __future__ import annotations

import asyncio
import threading
import time

import httpx
import pytest

from tests.e2e.http_player import HttpPlayer

WAITERS = 100


@pytest.fixture
def quiet_table(player):
    """A table at which it is the player's turn, so that nothing changes by itself."""
    table = player.open_table(bot_delay_ms=0)
    state = table.wait_for_turn(table.state())
    assert state["status"] == "playing"
    return table, state


def timed(call):
    began = time.monotonic()
    answer = call()
    return answer, time.monotonic() - began


def test_a_version_that_is_there_already_is_answered_at_once(quiet_table):
    table, state = quiet_table
    answer, seconds = timed(
        lambda: table.get("state/wait/", since=state["version"] - 1, timeout=20)
    )
    assert (answer.status_code, answer.json()) == (200, state)
    assert answer.headers["ETag"].removeprefix("W/") == f'"{state["version"]}"'
    assert seconds < 2


def test_a_change_ends_the_wait(quiet_table):
    table, state = quiet_table
    moved_at = []

    def move_later():
        time.sleep(1.0)
        moved_at.append(time.monotonic())
        assert table.post("moves/", move).status_code == 201

    move = table.weakest_move(state)
    mover = threading.Thread(target=move_later)
    mover.start()
    answer = table.get("state/wait/", since=state["version"], timeout=20)
    answered_at = time.monotonic()
    mover.join()
    assert answer.json()["version"] > state["version"]
    assert 0 < answered_at - moved_at[0] < 1.5


def test_at_the_time_out_the_state_is_as_it_was(quiet_table):
    table, state = quiet_table
    answer, seconds = timed(lambda: table.get("state/wait/", since=state["version"], timeout=1))
    assert (answer.status_code, answer.json()) == (200, state)
    assert 1.0 <= seconds < 3


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({}, "since"),
        ({"since": "x"}, "since"),
        ({"since": -1}, "since"),
        ({"since": 1, "timeout": 31}, "timeout"),
        ({"since": 1, "timeout": -1}, "timeout"),
        ({"since": 1, "timeout": "1.5"}, "timeout"),
        ({"since": 1, "until": 3}, "until"),
    ],
)
def test_a_wrong_query_is_refused_at_once(quiet_table, query, field):
    table, _ = quiet_table
    answer, seconds = timed(lambda: table.get("state/wait/", **query))
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_input")
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert [error["field"] for error in answer.json()["errors"]] == [field]
    assert seconds < 2


def test_who_may_not_see_the_table_does_not_wait(quiet_table, service):
    table, state = quiet_table
    wait = f"{service.url}/api/v1/{table.path}state/wait/"
    query = {"since": state["version"], "timeout": 20}
    stranger = HttpPlayer(service.url)
    refusals = [
        (httpx.get(wait, params=query), 401, "not_authenticated"),
        (httpx.get(wait, params=query, headers={"Authorization": "Bearer x"}), 401, None),
        (stranger.http.get(wait, params=query), 404, "not_found"),
        (table.player.http.post(f"{table.path}state/wait/"), 405, "method_not_allowed"),
    ]
    for answer, status, code in refusals:
        assert answer.status_code == status, answer.text
        assert answer.headers["Content-Type"] == "application/problem+json"
        assert answer.json()["code"] == (code or "not_authenticated")
        assert answer.headers["X-Request-ID"] == answer.json()["request_id"]
    stranger.http.close()


def test_a_hundred_wait_while_others_are_served(quiet_table):
    table, state = quiet_table
    answers, served = asyncio.run(wait_together(table, state))
    assert [answer.status_code for answer in answers] == [200] * WAITERS
    assert {answer.json()["version"] > state["version"] for answer in answers} == {True}
    served.sort()
    assert served[len(served) // 2] < 0.5, served


async def wait_together(table, state):
    """The answers to all who waited, and the seconds that other calls took meanwhile."""
    headers = {"Authorization": table.player.http.headers["Authorization"]}
    limits = httpx.Limits(max_connections=None)
    async with httpx.AsyncClient(
        base_url=table.player.http.base_url, headers=headers, limits=limits, timeout=40
    ) as client:
        query = {"since": state["version"], "timeout": 25}
        waiting = [
            asyncio.create_task(client.get(f"{table.path}state/wait/", params=query))
            for _ in range(WAITERS)
        ]
        await asyncio.sleep(1.5)
        assert not any(task.done() for task in waiting)
        served = []
        for _ in range(20):
            began = time.monotonic()
            answer = await client.get(f"{table.path}state/")
            served.append(time.monotonic() - began)
            assert answer.json() == state
        move = await asyncio.to_thread(table.weakest_move, state)
        assert (await client.post(f"{table.path}moves/", json=move)).status_code == 201
        async with asyncio.timeout(5):
            return await asyncio.gather(*waiting), served


def test_a_state_that_has_not_changed_is_not_sent_again(quiet_table):
    table, state = quiet_table
    http = table.player.http
    answer = table.get("state/")
    etag = answer.headers["ETag"].removeprefix("W/")
    assert etag == f'"{state["version"]}"'
    same = http.get(f"{table.path}state/", headers={"If-None-Match": etag})
    assert (same.status_code, same.content, same.headers["ETag"].removeprefix("W/")) == (
        304,
        b"",
        etag,
    )
    table.act(state)
    changed = http.get(f"{table.path}state/", headers={"If-None-Match": etag})
    assert changed.status_code == 200
    assert changed.json()["version"] > state["version"]
    assert changed.headers["ETag"].removeprefix("W/") == f'"{changed.json()["version"]}"'
