"""The clock in real processes: a turn ends by its task or by the sweep, with nobody looking."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from tests.e2e.http_player import HttpPlayer, HttpTable
from tests.e2e.service_processes import SWEEP_SECONDS, ServiceProcesses, eventually

TURN_SECONDS = 3


@pytest.fixture
def processes(service: ServiceProcesses) -> Iterator[ServiceProcesses]:
    """All of them run again after the test, whatever the test did."""
    yield service
    for name in {"worker", "beat"} - service.running():
        service.start(name)


@pytest.fixture
def friend(service: ServiceProcesses) -> Iterator[HttpPlayer]:
    player = HttpPlayer(service.url)
    yield player
    player.http.close()


def table_of_two(player: HttpPlayer, friend: HttpPlayer) -> HttpTable:
    """Two people set their hands; nobody does."""
    body = {
        "game": "chinese-poker",
        "seats": [{"kind": "open"}, {"kind": "bot"}, {"kind": "bot"}],
        "options": {"turn_seconds": TURN_SECONDS, "bot_delay_ms": 0},
    }
    session = player.http.post("sessions/", json=body).json()
    code = {"code": session["join_code"]}
    assert friend.http.post("sessions/join/", json=code).status_code == 200
    table = HttpTable(player, session["id"])
    assert table.post("start/", {}).status_code == 200
    return table


def stored(own_servers: dict[str, str], table: HttpTable) -> dict[int, tuple[str, float]]:
    """By seat, who has set its hand and how long after the deal: read without the service."""
    query = """
        SELECT seat, actor, extract(epoch FROM games_move.created_at - games_round.created_at)
        FROM games_move JOIN games_round ON games_round.id = round_id WHERE session_id = %s
    """
    with psycopg.connect(own_servers["DATABASE_URL"]) as connection:
        rows = connection.execute(query, [table.id]).fetchall()
    assert len({row[0] for row in rows}) == len(rows), "a seat acted twice"
    return {seat: (actor, float(after)) for seat, actor, after in rows}


@pytest.mark.parametrize("lost", ["beat", "task", "worker"])
def test_time_that_is_up_is_acted_on_once(
    processes: ServiceProcesses,
    own_servers: dict[str, str],
    player: HttpPlayer,
    friend: HttpPlayer,
    lost: str,
) -> None:
    if lost == "beat":
        processes.kill("beat")
    table = table_of_two(player, friend)
    if lost == "task":
        eventually(
            lambda: len(stored(own_servers, table)) == 2, within=2.0, complaint="bots asleep"
        )
        # Both what waits in the broker and what a worker holds until its time.
        processes.kill("worker")
        processes.redis.flushdb()
        processes.start("worker")
    if lost == "worker":
        processes.kill("worker")
        processes.start("worker")
    acted: Any = eventually(
        lambda: len(found := stored(own_servers, table)) == 4 and found,
        within=TURN_SECONDS + 15 * SWEEP_SECONDS,
        complaint=f"nobody acted: {processes.log()[-2000:]}",
    )
    assert [acted[seat][0] for seat in range(4)] == ["clock", "clock", "bot", "bot"]
    assert all(acted[seat][1] >= TURN_SECONDS for seat in (0, 1))
    if lost == "beat":
        assert all(acted[seat][1] < TURN_SECONDS + 1 for seat in (0, 1))
    state = table.state()
    assert state["status"] == "between_rounds"
    assert len(table.get("rounds/").json()["results"]) == 1
