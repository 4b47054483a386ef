"""The event stream over real connections."""

from __future__ import annotations

import contextlib
import time

import psycopg
import pytest

from tests.e2e.event_reader import open_stream
from tests.e2e.http_player import HttpPlayer, HttpTable
from tests.e2e.service_processes import HEARTBEAT_SECONDS, eventually


@pytest.fixture
def quiet_table(player):
    """A table at which it is the player's turn, so that nothing changes by itself."""
    table = player.open_table(bot_delay_ms=0)
    state = table.wait_for_turn(table.state())
    assert state["status"] == "playing"
    return table, state


@pytest.fixture
def two_people(service, player):
    """A table of two people, not dealt yet, as each of them sees it."""
    seats = [{"kind": "open"}, {"kind": "bot"}, {"kind": "bot"}]
    body = {"game": "big-two-tw", "seats": seats, "start": False, "options": {"bot_delay_ms": 0}}
    host = HttpTable(player, player.http.post("sessions/", json=body).json()["id"])
    other = HttpPlayer(service.url)
    code = host.get("").json()["join_code"]
    assert other.http.post("sessions/join/", json={"code": code}).status_code == 200
    yield host, HttpTable(other, host.id)
    other.http.close()


def channel_of(service):
    return "sessions:" + service.environment["REDIS_URL"].rpartition("/")[2]


def versions(told):
    return [event["version"] for event in told]


def test_a_round_is_told_as_it_is_played_each_version_once(player):
    table = player.open_table(bot_delay_ms=0)
    with open_stream(table) as stream:
        state = table.play_on(table.state())
        told = stream.wait_for(state["version"])
    assert told[0]["type"] == "snapshot"
    assert versions(told) == list(range(told[0]["version"], state["version"] + 1))
    assert told[-1]["state"] == table.state()
    assert told[-1]["state"]["settlement"] is not None


def test_a_dropped_stream_goes_on_without_a_gap_or_a_repeat(player):
    """The app is killed after every second event, and comes back with the last id that it has."""
    table = player.open_table(bot_delay_ms=0)
    told, state = [], table.state()
    since = None
    while state["status"] == "playing":
        with open_stream(table, since) as stream:
            state = table.play_on(state, moves=1)
            told += stream.wait_for((since or 1) + 1)
        since = told[-1]["version"]
    with open_stream(table, since) as stream:
        if since < state["version"]:
            told += stream.wait_for(state["version"])
    assert versions(told) == list(range(told[0]["version"], state["version"] + 1))
    logged = [move["number"] for event in told[1:] for move in event["moves"]]
    first = logged[0]
    assert logged == list(range(first, len(table.log()) + 1))


def test_everybody_is_told_what_they_may_see(two_people):
    host, guest = two_people
    with open_stream(host) as by_host, open_stream(guest) as by_guest:
        assert host.post("start/", {}).status_code == 200
        version = host.state()["version"]
        ours, theirs = by_host.wait_for(version), by_guest.wait_for(version)
        dealt = [next(e for e in told if e["type"] == "dealt") for told in (ours, theirs)]
        ours_dealt, theirs_dealt = dealt
        assert ours_dealt["version"] == theirs_dealt["version"]
    assert [event["state"]["you"]["seat"] for event in (ours[-1], theirs[-1])] == [0, 1]
    hands = [set(event["state"]["you"]["hand"]) for event in (ours[-1], theirs[-1])]
    assert len(hands[0] | hands[1]) == len(hands[0]) + len(hands[1])


def test_silence_is_filled_and_headers_stop_proxies_from_buffering(quiet_table):
    """S11, and that a stream ends with its token."""
    table, state = quiet_table
    with open_stream(table) as stream:
        assert stream.headers["Content-Type"] == "text/event-stream"
        assert stream.headers["X-Accel-Buffering"] == "no"
        assert "no-transform" in stream.headers["Cache-Control"]
        assert "Content-Encoding" not in stream.headers
        acted_at = time.monotonic()
        version = table.act(state)["version"]
        stream.wait_for(version)
        came_at = next(at for at, event in stream.events if event.data["version"] == version)
        assert came_at - acted_at < 1.0
        table.wait_for_turn(table.state())
        within = HEARTBEAT_SECONDS + 10
        eventually(lambda: stream.heartbeats, within=within, complaint="silence")
        assert not stream.ended.is_set()
        assert table.player.http.post("auth/logout/").status_code == 204
        assert stream.ended.wait(2 * within), "the stream outlives its token"


def test_silence_is_filled_every_15_seconds_unless_said_otherwise(settings):
    assert settings.STREAM_HEARTBEAT_SECONDS == 15


def test_who_is_removed_from_the_table_is_told_no_more(two_people):
    host, guest = two_people
    with open_stream(guest) as stream:
        stream.wait_for(host.state()["version"])
        removed = host.player.http.patch(f"{host.path}seats/1/", json={"kind": "bot"})
        assert removed.status_code == 200
        assert stream.ended.wait(15), "still connected"
        told = stream.told
    assert versions(told) == [removed.json()["version"] - 1]


def test_a_player_has_only_so_many_streams(quiet_table):
    table, _ = quiet_table
    with contextlib.ExitStack() as stack:
        for _ in range(8):
            stack.enter_context(open_stream(table))
        refused = table.get("events/")
        assert (refused.status_code, refused.json()["code"]) == (429, "too_many_streams")
        assert refused.json()["params"] == {"limit": 8}
        assert int(refused.headers["Retry-After"]) > 0
    eventually(
        lambda: opened(table), within=10, complaint="closed streams are still counted as open"
    )


def opened(table):
    with table.player.http.stream("GET", f"{table.path}events/") as response:
        return response.status_code == 200


def test_streams_that_are_dropped_leave_no_connection_behind(quiet_table, service):
    table, _ = quiet_table
    database = service.environment["DATABASE_URL"]

    def connections():
        with psycopg.connect(database) as own:
            return own.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            ).fetchone()[0]

    def subscriptions():
        [(_, count)] = service.redis.pubsub_numsub(channel_of(service))
        return count

    assert opened(table)
    before = connections(), subscriptions()
    for _ in range(100):
        assert opened(table)
    # A few threads may have connected for the first time.
    assert connections() <= before[0] + 4
    assert subscriptions() == before[1] == 1
