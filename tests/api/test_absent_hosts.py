"""No table waits for ever for a host who has gone without a word."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from games import clock
from tests.api.test_sessions import everything
from tests.clients import Api, People, Table

WAIT = timedelta(minutes=2)
DEALS = {"lobby": "start/", "between_rounds": "rounds/"}


@pytest.fixture(params=DEALS)
def waiting(request: pytest.FixtureRequest, transactional_db: None) -> tuple[Table, str]:
    """A table that waits for its host, as the other person sees it, and the call that deals."""
    if request.param == "lobby":
        host = Api.guest().open_table(seats=[{"kind": "open"}] * 3, start=False)
        guest = Api.guest()
        code = host.get().json["join_code"]
        assert guest.post("sessions/join/", {"code": code}).status == 200
        table = host.seen_by(guest)
    else:
        people = People.at_a_table("big-two-tw", others=1, options={"turn_seconds": 0})
        people.play_on()
        table = people.by_seat(1)
    assert table.state()["status"] == request.param
    return table, DEALS[request.param]


def let_pass(monkeypatch: pytest.MonkeyPatch, time: timedelta) -> None:
    monkeypatch.setattr(clock, "now", lambda: timezone.now() + time)


def test_who_asks_too_early_is_told_how_long_to_wait(
    waiting: tuple[Table, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    table, deal = waiting
    before = everything(table)
    let_pass(monkeypatch, WAIT - timedelta(seconds=30))
    refused = table.post(deal, {})
    assert (refused.status, refused.code) == (403, "not_host")
    assert 0 < refused.json["params"]["wait_ms"] <= 30_000
    assert everything(table) == before


def test_after_that_whoever_sits_there_deals_and_is_host(
    waiting: tuple[Table, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    table, deal = waiting
    let_pass(monkeypatch, WAIT)
    dealt = table.post(deal, {})
    assert dealt.status in (200, 201)
    assert (dealt.json["status"], dealt.json["host"]) == ("playing", table.api.player["id"])


def change_now(table: Table, seat: int) -> None:
    """Autoplay of that seat is turned on, at this moment."""
    row = table.row()
    row.changes.create(version=row.version + 1, type="autoplay", seat=seat)
    row.changes.filter(type="autoplay").update(created_at=clock.now())
    type(row).objects.update(version=row.version + 1)


def test_what_the_host_does_begins_the_time_anew(
    waiting: tuple[Table, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    table, deal = waiting
    let_pass(monkeypatch, WAIT)
    change_now(table, seat=0)
    assert table.post(deal, {}).code == "not_host"


def test_what_others_do_or_who_else_comes_does_not(
    waiting: tuple[Table, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    table, deal = waiting
    let_pass(monkeypatch, WAIT)
    change_now(table, seat=table.state()["you"]["seat"])
    if deal == "start/":
        code = table.get().json["join_code"]
        assert Api.guest().post("sessions/join/", {"code": code}).status == 200
        table.row().changes.filter(type="joined", seat=2).update(created_at=clock.now())
    assert table.post(deal, {}).status in (200, 201)


def test_a_host_who_waited_alone_has_time_when_somebody_comes(
    api: Api, stranger: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = api.open_table(seats=[{"kind": "open"}] * 3, start=False)
    let_pass(monkeypatch, WAIT * 5)
    code = host.get().json["join_code"]
    assert stranger.post("sessions/join/", {"code": code}).status == 200
    host.row().changes.filter(type="joined").update(created_at=clock.now())
    assert host.seen_by(stranger).post("start/", {}).code == "not_host"


def test_a_watcher_deals_never(monkeypatch: pytest.MonkeyPatch, api: Api, stranger: Api) -> None:
    host = api.open_table(seats=[{"kind": "open"}] * 3, start=False, visibility="public")
    let_pass(monkeypatch, WAIT * 10)
    refused = host.seen_by(stranger).post("start/", {})
    assert (refused.status, refused.code, refused.json["params"]) == (403, "not_host", {})
