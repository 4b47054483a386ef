"""The guide's lines, run as they stand and one after the other, against the real processes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from config.management.commands.write_guide import GUIDE
from tests.e2e.service_processes import ServiceProcesses

ADDRESS = "http://127.0.0.1:8000"
Names = dict[str, Any]


def snippets() -> list[tuple[str, str]]:
    """Each block of code with the heading that it stands under."""
    found = []
    for section in re.split(r"^## ", GUIDE.read_text(), flags=re.M)[1:]:
        heading, _, text = section.partition("\n")
        found += [(heading, block) for block in re.findall(r"```python\n(.*?)```", text, re.S)]
    return found


@pytest.fixture(scope="module")
def names(service: ServiceProcesses) -> Iterator[Names]:
    """What all names of the guide stand for after its last line."""
    run: Names = {}
    for heading, block in snippets():
        code = compile(block.replace(ADDRESS, service.url), f"guide: {heading}", "exec")
        exec(code, run)
        if heading.startswith("The first round"):
            run["first_state"] = run["state"]
    yield run
    run["api"].close()


def test_every_block_of_the_guide_is_run():
    assert GUIDE.read_text().count("```") == 2 * len(snippets())
    assert len(snippets()) == 15
    assert ADDRESS in snippets()[0][1]


def test_the_first_round_takes_ten_lines(names: Names):
    assert len([line for line in snippets()[0][1].splitlines() if line]) == 10
    assert names["first_state"]["status"] == "between_rounds"
    assert sum(names["first_state"]["settlement"]["points"]) == 0


def test_a_state_that_has_not_changed_is_not_sent_again(names: Names):
    # A bot may have played between the two calls.
    fresh, again = names["fresh"], names["again"]
    assert (again.status_code, again.content) == (304, b"") or (
        again.json()["version"] > fresh.json()["version"]
    )


def test_an_older_state_is_not_shown(names: Names):
    screen = names["Screen"]()
    for version in (5, 6, 4):
        screen.show({"version": version})
    assert screen.state == {"version": 6}


def test_the_guest_is_found_again_and_the_tables_too(names: Names):
    assert names["guest"]["player"] == names["the_same"]["player"]
    listed = [one["session"]["id"] for one in names["sessions"]]
    assert names["table"].removeprefix("sessions/") in listed
    assert set(names["waiting"]) <= set(listed)
    shown = {key: screen.state["session_id"] for key, screen in names["screens"].items()}
    assert shown == dict(zip(listed, listed, strict=True))


def test_moves_are_made_while_following_by_long_poll_and_by_stream(names: Names):
    assert (names["first_move"].status_code, names["second_move"].status_code) == (201, 201)
    first, second = (names[move].json()["move"]["number"] for move in ("first_move", "second_move"))
    assert second > first
    assert int(names["last_id"]) > names["second_move"].json()["state"]["version"] - 1


def test_a_move_for_a_closed_decision_shows_the_fresh_state(
    names: Names, monkeypatch: pytest.MonkeyPatch
):
    opened = names["api"].post("sessions/", json=names["new"]).json()["id"]
    screen = names["Screen"]()
    monkeypatch.setitem(names, "table", f"sessions/{opened}")
    monkeypatch.setitem(names, "screen", screen)
    screen.show(names["api"].get(f"sessions/{opened}/state/").json())
    names["wait_for_turn"]()
    decided_on = screen.state
    hint = names["api"].get(f"sessions/{opened}/hint/").json()["move"]
    assert names["move"](hint).status_code == 201
    screen.state = decided_on
    late = names["move"](hint)
    assert (late.status_code, late.json()["code"]) == (409, "stale_turn")
    assert screen.state["turn"] > decided_on["turn"]


def test_a_lost_answer_is_asked_for_again_with_the_same_key(names: Names, monkeypatch: Any):
    sent: list[str] = []

    def lost_twice(path: str, *, json: Any, headers: dict[str, str]) -> Any:
        sent.append(headers["Idempotency-Key"])
        if len(sent) < 3:
            raise names["httpx"].ReadTimeout("lost")
        return post(path, json=json, headers=headers)

    post = names["api"].post
    monkeypatch.setattr(names["api"], "post", lost_twice)
    monkeypatch.setattr(names["time"], "sleep", lambda _: None)
    assert names["send"]("sessions/", names["new"]).status_code == 201
    assert len(sent) == 3
    assert len(set(sent)) == 1


def test_the_clock_counts_down_from_when_the_state_came(names: Names):
    assert names["milliseconds_left"]() is None  # one person: no limit
    screen = names["screen"]
    before = screen.state, screen.received
    screen.show({**screen.state, "remaining_ms": 5000})
    assert 0 < names["milliseconds_left"]() <= 5000
    screen.received -= 60
    assert names["milliseconds_left"]() == 0
    screen.state, screen.received = before
    timed = names["api"].get(f"{names['timed_table']}/state/").json()
    assert 0 < timed["remaining_ms"] <= 600_000


def test_the_settlement_is_shown_with_its_working(names: Names):
    settlement, lines = names["settlement"], names["lines"]
    assert sum(settlement["points"]) == 0
    got = [0] * 4
    for pair in settlement["pairs"]:
        assert pair["points"] == sum(reason["points"] for reason in pair["reasons"])
        got[pair["from_seat"]] -= pair["points"]
        got[pair["to_seat"]] += pair["points"]
    assert got == settlement["points"]
    assert len(lines) == 4 + 3
    assert re.fullmatch(r"Seat \d pays \d+ to \d: 剩牌 \+\d+", lines[-1])


def test_errors_are_shown_in_words(names: Names):
    assert names["refused"].status_code == 422
    assert names["shown"].startswith("D3 is no card of this game")
    assert names["text"].startswith("D3 不是这个游戏的牌")
    bad = names["api"].post("sessions/", json={"game": "x"})
    assert names["explain"](bad).splitlines()[1] == 'game: "x" is not a valid choice.'
    assert names["names"]["name"] == "大老二"


def test_nothing_is_on_its_way_out(names: Names):
    assert names["goes_away"] is None
