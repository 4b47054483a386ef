"""S4: Redis stops in a running round, and comes back. Calls are answered, and nothing is lost."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from config.embedded.valkey import Valkey
from tests.e2e.http_player import HttpPlayer
from tests.e2e.service_processes import (
    SWEEP_SECONDS,
    ServiceProcesses,
    eventually,
    own_database,
)
from tests.serve.serve_process import clean_environment, free_port

# A call may find out for itself that Redis is away: a try of each kind, a second or two each.
PATIENCE = 15.0
READS = [
    "state/",
    "moves/",
    "hint/",
    "legal-plays/",
    "unseen/",
    "../../players/me/resume/",
    "../../players/me/scores/",
    "../../players/me/ledger/",
    "../../leaderboards/big-two-tw/",
    "../../leaderboards/big-two-tw/?metric=wins",
]


@pytest.fixture
def valkey(tmp_path: Path) -> Iterator[Valkey]:
    """A Redis of this test alone."""
    server = Valkey(tmp_path / "valkey", "secret", tmp_path)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def lonely_service(valkey: Valkey, tmp_path: Path) -> Iterator[ServiceProcesses]:
    """The service on that Redis, with its limits on."""
    with own_database() as database:
        environment = clean_environment(
            DATABASE_URL=database,
            REDIS_URL=valkey.url,
            ENVIRONMENT="test",
            SWEEP_SECONDS=str(SWEEP_SECONDS),
            PYTHONUNBUFFERED="1",
        )
        processes = ServiceProcesses(environment, free_port(), tmp_path)
        migrated = processes.manage("migrate", "-v0", "--no-input")
        assert migrated.returncode == 0, migrated.stderr
        try:
            processes.start_all()
            yield processes
        finally:
            left = processes.stop_all()
        assert left == []


def parts(service: ServiceProcesses) -> tuple[int, dict[str, str]]:
    answer = httpx.get(f"{service.url}/readyz", timeout=PATIENCE)
    return answer.status_code, answer.json()["parts"]


def quick(call: Any) -> httpx.Response:
    """The answer, if it comes before a client would give up."""
    began = time.monotonic()
    answer: httpx.Response = call()
    assert time.monotonic() - began < PATIENCE
    return answer


def test_redis_stops_in_a_running_round(lonely_service: ServiceProcesses, valkey: Valkey) -> None:
    player = HttpPlayer(lonely_service.url)
    table = player.open_table(bot_delay_ms=0, turn_seconds=0)
    state = table.wait_for_turn(table.state())
    assert state["status"] == "playing"

    valkey.stop()
    for path in READS:
        answer = quick(lambda path=path: table.get(path))
        assert answer.status_code == 200, (path, answer.text)
    assert table.state() == state
    status, named = parts(lonely_service)
    assert (status, named["database"], named["broker"]) == (503, "ok", "down")

    move = table.weakest_move(state)
    first = quick(lambda: table.post("moves/", move, key="K"))
    assert first.status_code == 201, first.text
    moved = table.state()
    assert moved["version"] == state["version"] + 1
    assert table.log()[-1]["seat"] == 0
    waited = quick(lambda: table.get("state/wait/", since=state["version"], timeout=5))
    assert waited.json() == moved

    valkey.start()
    again = table.post("moves/", move, key="K")
    assert (again.status_code, again.content) == (201, first.content)
    own = [entry for entry in table.log() if entry["turn"] == state["turn"]]
    assert [(entry["seat"], entry["actor"]) for entry in own] == [(0, "person")]
    eventually(
        lambda: parts(lonely_service)[0] == 200, within=60, complaint=lonely_service.log()[-3000:]
    )
    after = table.play_on(table.state())
    assert after["status"] == "between_rounds"
    assert [entry["number"] for entry in table.get("rounds/").json()["results"]] == [1]
    assert " 500 " not in lonely_service.log()
    player.http.close()
