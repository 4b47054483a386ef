"""What an event stream says; how it goes on by itself is told in `tests/e2e/test_events.py`."""

from __future__ import annotations

from typing import Any

import pytest
from django.db.models import F

from games.models import Change, Move, Session
from games.rules.registry import VARIANTS
from games.selectors.changes import MOST_MISSED
from tests.clients import Api, People, Table
from tests.deals import deal_from, host_leads, redeal
from tests.events import events_in


def events(table: Table, since: int | None = None) -> list[dict[str, Any]]:
    headers = {} if since is None else {"Last_Event_ID": str(since)}
    answer = table.get("events/", **headers)
    assert answer.status == 200, answer.bytes
    found = [event for event in events_in(answer.bytes.decode().splitlines()) if event]
    assert [event.id for event in found] == [str(event.data["version"]) for event in found]
    return [event.data for event in found]


@pytest.fixture
def led_table(api: Api, monkeypatch: pytest.MonkeyPatch) -> Table:
    deal_from(monkeypatch, host_leads())
    return api.open_table()


def test_a_stream_begins_with_a_snapshot(led_table: Table):
    state = led_table.state()
    (snapshot,) = events(led_table)
    assert snapshot == {
        "version": state["version"],
        "type": "snapshot",
        "seat": None,
        "moves": [],
        "state": state,
    }


def test_each_move_is_told_with_the_state_that_it_led_to(led_table: Table):
    before = led_table.state()
    played = led_table.play_lowest(before).json
    (event,) = events(led_table, before["version"])
    assert event == {
        "version": before["version"] + 1,
        "type": "move",
        "seat": 0,
        "moves": [played["move"]],
        "state": played["state"],
    }
    assert events(led_table, event["version"]) == []


@pytest.mark.parametrize("game", VARIANTS)
def test_whoever_comes_back_is_told_each_version_once(transactional_db: Any, game: str):
    people = People.at_a_table(game, others=1)
    people.play_on()
    people.host.post("rounds/", {})
    people.play_on()
    version = people.host.row().version
    for table in people.tables:
        for since in (1, version // 2, version - 1, version):
            told = events(table, since)
            if told and told[0]["type"] == "snapshot":
                # Nothing is told of what was before the round before.
                assert since < version // 2
                continue
            assert [event["version"] for event in told] == list(range(since + 1, version + 1))
            assert all("state" not in event for event in told[:-1])
            assert not told or told[-1]["state"] == table.state()
    told = events(people.host, 1)
    logged = [move for event in told for move in event["moves"]]
    rounds = [people.host.get(f"moves/?round={number}").json["results"] for number in (1, 2)]
    assert logged == rounds[0] + rounds[1]
    assert {event["type"] for event in told} == {"joined", "dealt", "move"}


def test_every_change_of_the_table_has_its_event(api: Api, stranger: Api):
    host = api.open_table(seats=[{"kind": "open"}] * 2 + [{"kind": "bot"}], start=False)
    guest = host.seen_by(stranger)
    code = host.get().json["join_code"]
    assert stranger.post("sessions/join/", {"code": code}).status == 200
    assert api.call("PATCH", host.path("seats/3/"), {"kind": "open"}).status == 200
    assert host.post("start/", {}).status == 200
    assert guest.post("autoplay/", {"enabled": True}).status == 200
    assert guest.post("leave/").status == 200
    assert stranger.post("sessions/join/", {"code": code}).status == 200
    assert guest.post("leave/").status == 200
    state = host.play_on()
    assert state["status"] == "between_rounds"
    assert host.post("finish/").status == 200
    assert host.post("rematch/").status == 200
    told = [(event["type"], event["seat"]) for event in events(host, 1)]
    assert [entry for entry in told if entry[0] != "move"] == [
        ("joined", 1),
        ("seat_changed", 3),
        ("dealt", None),
        ("autoplay", 1),
        ("left", 1),
        ("joined", 1),
        ("left", 1),
        ("finished", None),
        ("rematch", 0),
    ]
    assert len(told) == host.row().version - 1


def test_what_two_moves_made_at_once_is_one_event(api: Api, monkeypatch: pytest.MonkeyPatch):
    """The bots' answers to a call for a redeal belong to the call."""
    deal_from(monkeypatch, redeal(0, 0))
    table = api.open_table(game="big-two-hk")
    state = table.bots_play()
    assert table.move(type="call_redeal", turn=state["turn"]).status == 201
    (event,) = events(table, state["version"])
    types = [move["type"] for move in event["moves"]]
    assert (event["type"], event["seat"]) == ("move", 0)
    assert types == ["call_redeal", "answer_redeal", "answer_redeal", "answer_redeal"]


def test_rows_are_told_to_others_only_when_all_are_set(transactional_db: Any):
    people = People.at_a_table("thirteen", others=1, options={"turn_seconds": 0})
    host, guest = people.tables
    before = host.bots_play()["version"]
    assert host.follow_hint().status == 201
    (own,), (hidden,) = events(host, before), events(guest, before)
    assert (own["type"], own["seat"]) == (hidden["type"], hidden["seat"]) == ("move", 0)
    assert [move["seat"] for move in own["moves"]] == [0]
    assert hidden["moves"] == []
    assert guest.follow_hint().status == 201
    assert events(guest, before)[0]["moves"] == own["moves"]


@pytest.mark.parametrize("sent", ["x", "-1", "1.5", "1 2", "9" * 11], ids=str)
def test_a_wrong_id_is_refused(led_table: Table, sent: str):
    answer = led_table.get("events/", Last_Event_ID=sent)
    assert (answer.status, answer.code) == (400, "invalid_input")
    assert [error["field"] for error in answer.json["errors"]] == ["Last-Event-ID"]


@pytest.mark.parametrize("since", ["later", "long ago", "before the log"])
def test_an_id_from_which_nothing_can_be_told_gives_a_snapshot(led_table: Table, since: str):
    led_table.play_lowest(led_table.state())
    version = led_table.row().version
    known = version + 1 if since == "later" else version - 1
    if since == "long ago":
        Session.objects.update(version=F("version") + MOST_MISSED)
    elif since == "before the log":
        Move.objects.update(version=0)
        Change.objects.all().delete()
    (event,) = events(led_table, known)
    assert (event["type"], event["state"]) == ("snapshot", led_table.state())


def test_who_may_not_see_the_table_gets_no_stream(led_table: Table, stranger: Api, anonymous: Api):
    refused = led_table.seen_by(stranger).get("events/")
    assert (refused.status, refused.code) == (404, "not_found")
    assert led_table.seen_by(anonymous).get("events/").status == 401


def test_proxies_and_browsers_are_told_to_let_it_through(led_table: Table):
    answer = led_table.get("events/", Accept_Encoding="gzip", Accept="text/event-stream")
    assert answer.headers["Content-Type"] == "text/event-stream"
    assert answer.headers["Cache-Control"] == "no-store, no-transform"
    assert answer.headers["X-Accel-Buffering"] == "no"
    assert "Content-Encoding" not in answer.headers
