"""Races of real processes: a task handed out again, work in a long transaction, a restart."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from kombu import Connection

from tests.e2e.http_player import HttpPlayer, HttpTable
from tests.e2e.service_processes import ServiceProcesses, eventually

HASTY = ("hasty1", "hasty2")
TURN_SECONDS = 6
VISIBILITY_SECONDS = 2


@pytest.fixture
def processes(service: ServiceProcesses) -> Iterator[ServiceProcesses]:
    """All of them run again after the test, and nothing else."""
    yield service
    for name in service.running() & set(HASTY):
        service.kill(name)
    for name in {"web", "worker", "beat"} - service.running():
        service.start(name)
    service.wait_until_ready()


@pytest.fixture
def friends(service: ServiceProcesses) -> Iterator[list[HttpPlayer]]:
    players = [HttpPlayer(service.url) for _ in range(3)]
    yield players
    for player in players:
        player.http.close()


def table_of_four(player: HttpPlayer, friends: list[HttpPlayer], **options: Any) -> HttpTable:
    """Four people at Big Two, dealt."""
    body = {"game": "big-two-tw", "seats": [{"kind": "open"}] * 3, "options": options}
    session = player.http.post("sessions/", json=body).json()
    for friend in friends:
        joined = friend.http.post("sessions/join/", json={"code": session["join_code"]})
        assert joined.status_code == 200, joined.text
    table = HttpTable(player, session["id"])
    assert table.post("start/", {}).status_code == 200
    return table


# --- S2


def deadlines_held(processes: ServiceProcesses) -> list[str]:
    """The ids of the deadlines' tasks that workers hold until their time."""
    held = [json.loads(entry)[0]["headers"] for entry in processes.redis.hvals("unacked")]
    return [task["id"] for task in held if task["task"] == "games.tasks.finish_turn"]


def hand_out_again(processes: ServiceProcesses) -> None:
    """What every worker does now and then: give back what one has held for too long."""
    options = {"visibility_timeout": VISIBILITY_SECONDS}
    url = processes.environment["REDIS_URL"]
    with Connection(url, transport_options=options) as broker:
        broker.default_channel.qos.restore_visible(interval=1)


def test_a_deadlines_task_that_is_delivered_three_times_acts_once(
    processes: ServiceProcesses, player: HttpPlayer, friends: list[HttpPlayer]
) -> None:
    """S2: a turn limit of 6 s, a broker that waits 2 s, two workers. Nobody else looks."""
    processes.kill("beat")
    processes.kill("worker")
    processes.redis.flushdb()
    for name in HASTY:
        processes.start_worker(name, "tests.e2e.hasty_broker")
    eventually(
        lambda: len(re.findall(r"hasty\d@\S+ ready", processes.log())) == len(HASTY),
        within=60,
        complaint="the workers do not start",
    )
    table = table_of_four(player, friends, turn_seconds=TURN_SECONDS)
    before = table.state()
    [task] = eventually(
        lambda: deadlines_held(processes), within=TURN_SECONDS, complaint="no worker took the task"
    )
    for _ in range(2):
        time.sleep(VISIBILITY_SECONDS + 0.1)
        hand_out_again(processes)

    done = f"done {task}: "
    eventually(
        lambda: processes.log().count(done) == 3,
        within=TURN_SECONDS + 20,
        complaint="the task was not done three times",
    )
    log = processes.log()
    assert log.count(f"received {task}") == 3
    assert sorted(re.findall(rf"{done}(\d)", log)) == ["0", "0", "1"]
    after = table.state()
    assert (after["version"], after["turn"]) == (before["version"] + 1, before["turn"] + 1)
    assert [move["actor"] for move in table.log()] == ["clock"]


# --- S3

HELD_OPEN = """
import time
from uuid import UUID
import redis
from django.conf import settings
from django.db import transaction
from games.broadcast import CHANNEL
from games.models import Visibility
from games.rules.registry import VARIANTS
from games.services.options import options_complete
from games.services.sessions import SeatPlan, session_create

info = VARIANTS["chinese-poker"].info
broker = redis.Redis.from_url(settings.REDIS_URL)
told = broker.pubsub(ignore_subscribe_messages=True)
told.subscribe(CHANNEL)
told.get_message(timeout=5)
with transaction.atomic():
    table = session_create(
        host_id=UUID("{player}"),
        game=info.slug,
        options=options_complete(info, {{"bot_delay_ms": 0}}),
        seats=[SeatPlan.host(), *[SeatPlan.bot("easy")] * 3],
        visibility=Visibility.PRIVATE,
        start=True,
    )
    time.sleep(0.5)
    print(told.get_message(timeout=0.1), broker.llen("celery"))
    transaction.set_rollback({rolled_back})
print(table.session.id)
message = told.get_message(timeout={patience})
print(message and message["data"].decode())
"""


def held_open(processes: ServiceProcesses, player: HttpPlayer, *, rolled_back: bool) -> list[str]:
    """Deal in a transaction that stays open for 500 ms; what was told and queued before its end,
    the session, and what was told after it."""
    me = player.http.get("players/me/").json()["id"]
    patience = 1.0 if rolled_back else 20.0
    script = HELD_OPEN.format(player=me, rolled_back=rolled_back, patience=patience)
    ran = processes.manage("shell", "--no-imports", "-c", script)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.split("\n")


def test_work_is_queued_when_its_transaction_is_committed(
    processes: ServiceProcesses, own_servers: dict[str, str], player: HttpPlayer
) -> None:
    """S3: the worker waits for work all the time, and never looks for a row that is not there."""
    processes.kill("beat")  # the sweep would find what a task has missed
    before, session, told, *_ = held_open(processes, player, rolled_back=False)
    assert before == "None 0"
    assert told == f"{session}:2"
    query = """
        SELECT count(*) FROM games_move JOIN games_round ON games_round.id = round_id
        WHERE session_id = %s AND actor = 'bot'
    """
    with psycopg.connect(own_servers["DATABASE_URL"], autocommit=True) as connection:
        eventually(
            lambda: connection.execute(query, [session]).fetchone() == (3,),
            within=30,
            complaint=f"the bots were not asked: {processes.log()[-2000:]}",
        )


def test_of_a_transaction_that_is_undone_nobody_hears(
    processes: ServiceProcesses, player: HttpPlayer
) -> None:
    """S3: neither a task nor an event."""
    for name in ("beat", "worker"):
        processes.kill(name)
    processes.redis.flushdb()
    before, session, told, *_ = held_open(processes, player, rolled_back=True)
    assert (before, told) == ("None 0", "None")
    assert processes.redis.llen("celery") == 0
    assert player.http.get(f"sessions/{session}/").status_code == 404


# --- T7


def test_after_a_kill_everybody_has_the_same_cards(
    processes: ServiceProcesses, player: HttpPlayer, friends: list[HttpPlayer]
) -> None:
    """T7: the service is killed in a round and comes back; a stranger asks for seat 1."""
    table = table_of_four(player, friends, turn_seconds=0)
    seats = [table, *(HttpTable(friend, table.id) for friend in friends)]
    leader = seats[table.state()["to_act"][0]]
    leader.act(leader.state())
    before = [seat.state() for seat in seats]
    for name in ("web", "worker", "beat"):
        processes.kill(name)
        processes.start(name)
    processes.wait_until_ready()
    assert [seat.state() for seat in seats] == before
    stranger = HttpPlayer(processes.url)
    theirs = HttpTable(stranger, table.id)
    assert theirs.get("state/").status_code == theirs.post("join/", {}).status_code == 404
    stranger.http.close()
