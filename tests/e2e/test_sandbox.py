"""Forced faults over real connections, at a web process whose sandbox is on."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

from tests.e2e.http_player import HttpPlayer, HttpTable
from tests.e2e.service_processes import ServiceProcesses
from tests.events import events_in
from tests.serve.serve_process import free_port

LEADS = {"hands": [["3C", "3D", "4C"], [], [], []]}


@pytest.fixture
def table(
    service: ServiceProcesses, tmp_path_factory: pytest.TempPathFactory
) -> Generator[HttpTable]:
    """A table of the sandbox at which the player leads; no worker follows its script."""
    environment = {**service.environment, "SANDBOX": "1"}
    processes = ServiceProcesses(environment, free_port(), tmp_path_factory.mktemp("sandbox"))
    processes.start("web")
    try:
        processes.wait_until_ready()
        player = HttpPlayer(processes.url)
        options = {"turn_seconds": 30, "bot_delay_ms": 5000}
        body = {"game": "big-two-tw", "deal": LEADS, "options": options}
        opened = player.http.post("sandbox/sessions/", json=body)
        assert opened.status_code == 201, opened.text
        yield HttpTable(player, opened.json()["id"])
        player.http.close()
    finally:
        left = processes.stop_all()
    assert left == []


def test_a_lost_answer_is_given_to_the_retry(table: HttpTable):
    move: dict[str, Any] = {"type": "play", "cards": ["3C"]}
    lost = table.player.http.post(
        f"{table.path}moves/",
        json=move,
        headers={"Idempotency-Key": "k", "Sandbox-Fault": "lost_answer"},
    )
    assert (lost.status_code, lost.content) == (502, b"")
    again = table.post("moves/", move, key="k")
    assert (again.status_code, again.json()["move"]["number"]) == (201, 1)


def test_a_dropped_stream_ends_after_its_next_event_and_can_be_resumed(table: HttpTable):
    http, url = table.player.http, f"{table.path}events/"
    headers = {"Sandbox-Fault": "dropped_stream"}
    with http.stream("GET", url, headers=headers, timeout=30.0) as stream:
        told = events_in(stream.iter_lines())
        first = next(event for event in told if event)
        moved = table.post("moves/", {"type": "play", "cards": ["3C"]})
        assert moved.status_code == 201, moved.text
        rest = [event for event in told if event]  # it ends by itself
    assert [event.data["type"] for event in (first, *rest)] == ["snapshot", "move"]
    with http.stream("GET", url, headers={"Last-Event-ID": first.id}, timeout=30.0) as stream:
        assert next(e for e in events_in(stream.iter_lines()) if e).data == rest[0].data
