"""When a bot acts: at a time that says nothing of what it holds. The time is set; the messages are
those that lie in the broker."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from queue import Empty
from typing import Any, NamedTuple

import pytest
from celery import current_app

from bots.policies import registry
from bots.tasks import make_bot_move, play_bot_turn
from games import clock
from games.models import Move as StoredMove
from games.rules.moves import Move
from games.rules.variant import View
from tests.api.test_clocks import START, Clock
from tests.clients import Api, Table
from tests.deals import deal_from, host_follows

pytestmark = pytest.mark.django_db(transaction=True)


class Message(NamedTuple):
    """A task in the broker: its name, its arguments, and before when it is not to be run."""

    task: str
    arguments: list[Any]
    eta: datetime | None


def messages() -> list[Message]:
    """What was sent for the bots since this was asked last."""
    found = []
    with current_app.connection_for_read() as connection, suppress(Empty):
        queue = connection.SimpleQueue(current_app.conf.task_default_queue)
        while message := queue.get_nowait():
            message.ack()
            name = message.headers["task"].rsplit(".", 1)[-1]
            if name in ("play_bot_turn", "make_bot_move"):
                eta = message.headers["eta"]
                when = None if eta is None else datetime.fromisoformat(eta)
                found.append(Message(name, message.payload[0], when))
    return found


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch, transactional_db: Any) -> Clock:
    set_clock = Clock()
    monkeypatch.setattr(clock, "now", set_clock.now)
    messages()
    return set_clock


class Thinker:
    """Thinks for so long, then makes the first move."""

    name = "thinker"
    version = "1"

    def __init__(self, time: Clock, seconds: float) -> None:
        self.time, self.seconds = time, seconds

    def choose(self, view: View, moves: Iterable[Move], rng: Any) -> Move:
        self.time.seconds += self.seconds
        return next(iter(moves))


def led_by_a_bot(monkeypatch: pytest.MonkeyPatch, **options: int) -> Table:
    deal_from(monkeypatch, host_follows())
    return Api.guest().open_table(options=options)


def let_think(
    monkeypatch: pytest.MonkeyPatch, time: Clock, seconds: float, table: Table
) -> list[Message]:
    thinker = Thinker(time, seconds)
    monkeypatch.setitem(registry.POLICIES["big-two-tw"], "normal", thinker)
    assert messages() == [Message("play_bot_turn", [table.id, 1, 3], None)]
    assert play_bot_turn(table.id, 1, 3)
    return messages()


@pytest.mark.parametrize(("pause", "due"), [(600, 0.6), (5000, 5), (0, 0.02), (5, 0.02)])
@pytest.mark.parametrize("part", [0.0, 0.5, 0.99])
def test_a_move_is_made_when_the_pause_is_over_however_long_was_thought(
    time: Clock, monkeypatch: pytest.MonkeyPatch, part: float, pause: int, due: float
) -> None:
    table = led_by_a_bot(monkeypatch, bot_delay_ms=pause)
    [decided] = let_think(monkeypatch, time, due * part, table)
    assert (decided.task, decided.eta) == ("make_bot_move", START + timedelta(seconds=due))
    assert not StoredMove.objects.exists()
    time.seconds = due
    assert make_bot_move(*decided.arguments)
    [move] = StoredMove.objects.all()
    assert (move.seat, move.turn, move.policy) == (3, 1, "normal/thinker-1")
    assert move.data == {"type": "play", "cards": ["3C"], "pattern": None}


def test_who_thinks_longer_than_the_pause_acts_at_once(
    time: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = led_by_a_bot(monkeypatch, bot_delay_ms=600)
    after = let_think(monkeypatch, time, 0.7, table)
    assert StoredMove.objects.count() == 1
    assert [(sent.task, sent.arguments[1:]) for sent in after] == []


def test_a_decided_move_delivered_twice_or_for_a_closed_turn_is_made_once(
    time: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = led_by_a_bot(monkeypatch, bot_delay_ms=600)
    [decided] = let_think(monkeypatch, time, 0, table)
    assert make_bot_move(*decided.arguments)
    version = table.row().version
    assert not make_bot_move(*decided.arguments)
    assert not play_bot_turn(table.id, 1, 3)
    assert (table.row().version, StoredMove.objects.count()) == (version, 1)


@pytest.mark.parametrize("game", ["big-two-tw", "dou-dizhu", "chinese-poker", "thirteen"])
def test_all_bots_of_a_round_act_after_the_same_pause(time: Clock, game: str) -> None:
    """Whether there is one move to choose from, or many."""
    table = Api.guest().open_table(game=game, options={"bot_delay_ms": 600})
    acted = 0
    state = table.state()
    while state["status"] == "playing":
        started_at = table.row().turn_started_at
        assert started_at is not None
        for asked in messages():
            time.seconds += 0.01
            assert play_bot_turn(*asked.arguments)
        for decided in messages():
            assert decided.eta == started_at + timedelta(milliseconds=600)
            time.seconds = (decided.eta - START).total_seconds()
            assert make_bot_move(*decided.arguments)
            acted += 1
        state = table.state()
        if 0 in state["to_act"] and not state["seats"][0]["has_acted"]:
            assert table.follow_hint().status == 201
            state = table.state()
    assert (acted >= 3, messages()) == (True, [])
