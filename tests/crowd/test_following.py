"""What an app that follows a table notices: versions that repeat, are missing, or go back."""

from __future__ import annotations

import asyncio
import json
import ssl

import httpx
import pytest

from config.crowd import Tally
from config.crowd.device import Device
from config.crowd.following import Sight
from config.crowd.sitting import Sitting
from config.playing.errors import PlayError, Refused


def state(version, **fields):
    told = {"version": version, "status": "playing", "round": 1, "to_act": [0]}
    return {**told, "commitment": None, "next_commitment": None, "settlement": None, **fields}


def event(version, kind="move", event_id=None):
    data = {"version": version, "type": kind, "seat": 0, "moves": [], "state": state(version)}
    return f"id: {event_id or version}\ndata: {json.dumps(data)}\n\n"


def snapshot(version):
    return event(version, "snapshot")


@pytest.fixture(autouse=True)
def pauses(monkeypatch):
    monkeypatch.setattr("config.crowd.following.RECONNECT_AFTER", 0.0)
    monkeypatch.setattr("config.crowd.following.POLL_EVERY", 0.0)
    monkeypatch.setattr("config.crowd.device.FIRST_PAUSE", 0.0)


def follow(manner, *answers, until=9):
    """Follow a table whose service gives these answers until a version is known; the calls."""
    calls, left = [], list(answers)

    async def answer(request):
        calls.append(request)
        if not left:
            await asyncio.Event().wait()
        given = left.pop(0)
        if isinstance(given, Exception):
            raise given
        return given

    async def run():
        device = Device("http://cards.example", ssl.create_default_context(), Tally())
        await device.close()
        base = "http://cards.example/api/v1/"
        device.http = httpx.AsyncClient(base_url=base, transport=httpx.MockTransport(answer))
        session = {"id": "s", "game": "big-two-tw", "options": {"turn_seconds": 0}}
        sight = Sight(device, Sitting(session, device.tally))
        sight.follow(manner)
        try:
            while sight.version < until:
                await sight.newer(sight.version, within=5)
        finally:
            await sight.stop_following()

    # A lie that goes unnoticed leaves the app waiting.
    asyncio.run(asyncio.wait_for(run(), 10))
    return calls


def stream(*events):
    return httpx.Response(200, text="retry: 1000\n\n" + "".join(events))


def test_a_stream_that_ends_is_gone_on_with_after_its_last_event():
    calls = follow(
        "stream",
        stream(snapshot(5), event(6), ": heartbeat\n\n"),
        httpx.ConnectError("refused"),
        stream(event(7), event(8)),
        stream(snapshot(9)),
    )
    asked = [call.headers.get("Last-Event-ID") for call in calls[:4]]
    assert asked == [None, "6", "6", "8"]


@pytest.mark.parametrize(
    ("answers", "complaint"),
    [
        pytest.param([stream(snapshot(5), event(7))], "told move 7 after 5", id="gap"),
        pytest.param([stream(snapshot(5), event(6), event(6))], "told move 6 after 6", id="repeat"),
        pytest.param([stream(snapshot(5), event(4))], "told move 4 after 5", id="back"),
        pytest.param([stream(event(5))], "told move 5 after None", id="no snapshot"),
        pytest.param([stream(snapshot(5)), stream(event(5))], "5 after 5", id="repeat on return"),
        pytest.param([stream(snapshot(5)), stream(event(7))], "7 after 5", id="gap on return"),
        pytest.param([stream(snapshot(5), snapshot(5))], "snapshot 5 after 5", id="snapshot"),
        pytest.param([stream(event(5, "snapshot", event_id=4))], "has the id 4", id="id"),
        pytest.param([httpx.ReadTimeout("")], "was silent for 45", id="silence"),
    ],
)
def test_a_stream_that_is_wrong(answers, complaint):
    with pytest.raises(PlayError, match=complaint):
        follow("stream", *answers)


@pytest.mark.parametrize("manner", ["poll", "wait"])
def test_a_version_that_goes_back_is_an_error(manner):
    with pytest.raises(PlayError, match="went from version 6 to 5"):
        follow(manner, httpx.Response(200, json=state(6)), httpx.Response(200, json=state(5)))


def test_polling_sends_the_version_that_is_known():
    calls = follow(
        "poll",
        httpx.Response(200, json=state(8)),
        httpx.Response(304),
        httpx.Response(200, json=state(9)),
    )
    assert [call.headers.get("If-None-Match") for call in calls[:3]] == [None, '"8"', '"8"']


def test_what_the_service_refuses_is_an_error_with_its_request_id():
    problem = {"code": "internal_error", "detail": "No.", "request_id": "r-1"}
    with pytest.raises(Refused, match=r"500 internal_error(.|\n)*request id r-1"):
        follow("wait", httpx.Response(500, json=problem))


def test_a_service_that_asks_for_patience_gets_it():
    busy = httpx.Response(429, headers={"Retry-After": "0"})
    calls = follow("wait", busy, httpx.ReadTimeout(""), httpx.Response(200, json=state(9)))
    assert len(calls) >= 3
