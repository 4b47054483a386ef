"""The sandbox over real connections: forced faults, and scripts that a real worker follows."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

from tests.e2e.http_player import HttpPlayer, HttpTable
from tests.e2e.service_processes import ServiceProcesses, eventually
from tests.events import events_in

LEADS = {"hands": [["3C", "3D", "4C"], [], [], []]}


@pytest.fixture
def builder(rehearsing_service: ServiceProcesses) -> Generator[HttpPlayer]:
    """Who builds a client."""
    player = HttpPlayer(rehearsing_service.url)
    yield player
    player.http.close()


@pytest.fixture
def table(builder: HttpPlayer) -> HttpTable:
    """One at which the player leads, and the bots take their time."""
    options = {"turn_seconds": 30, "bot_delay_ms": 5000}
    return rehearse(builder, game="big-two-tw", deal=LEADS, options=options)


def rehearse(player: HttpPlayer, **body: Any) -> HttpTable:
    opened = player.http.post("sandbox/sessions/", json=body)
    assert opened.status_code == 201, opened.text
    return HttpTable(player, opened.json()["id"])


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


@pytest.mark.parametrize(
    ("game", "scenario"),
    [
        ("big-two-tw", "straight_flush_lead"),
        ("dou-dizhu", "all_pass_redeal"),
        ("chinese-poker", "grand_slam"),
        ("thirteen", "home_run"),
    ],
)
def test_a_worker_makes_the_scripted_moves_of_the_others(
    builder: HttpPlayer, game: str, scenario: str
):
    told = builder.http.get("sandbox/scenarios/").json()["results"]
    script = next(s["script"] for s in told if (s["game"], s["scenario"]) == (game, scenario))
    table = rehearse(builder, game=game, scenario=scenario, options={"bot_delay_ms": 0})
    for line in script:
        if line["seat"] == 0:
            eventually(
                lambda: 0 in table.state()["to_act"], within=30, complaint=f"not led to {line}"
            )
            move = {name: value for name, value in line.items() if name != "seat"}
            answer = table.post("moves/", {**move, "turn": table.state()["turn"]})
            assert answer.status_code == 201, answer.text
    by_others = [line for line in script if line["seat"] != 0]
    eventually(
        lambda: len(made_by_script(table)) >= len(by_others), within=30, complaint=str(script)
    )
    made = made_by_script(table)
    for seat in (1, 2, 3):
        lines = [said(line) for line in by_others if line["seat"] == seat]
        assert [said(move) for move in made if move["seat"] == seat] == lines


def said(move: dict[str, Any]) -> dict[str, Any]:
    """What the move is, with its cards in one order."""
    return {
        name: sorted(value) if isinstance(value, list) else value
        for name in ("type", "cards", "bid", "accept", "position", "front", "middle", "back")
        if (value := move.get(name)) is not None
    }


def made_by_script(table: HttpTable) -> list[dict[str, Any]]:
    return [move for move in table.log(round=1) if move["policy"] == "script"]
