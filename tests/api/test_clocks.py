"""Clocks: deadlines, who acts when time is up, autoplay, the redeal window; the time is set."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from django.db import connection

from bots.tasks import ask_overdue_bots
from games import clock
from games.errors import StaleTurn
from games.models import Actor
from games.rules.moves import move_from_json
from games.selectors.live import live_rounds_forget
from games.services.clocks import turn_finish
from games.services.moves import move_submit_for
from games.tasks import finish_overdue_turns, finish_turn
from tests.api.test_phases import People, redeal_table
from tests.api.test_sessions import everything
from tests.clients import Api, Table
from tests.deals import deal_from, host_leads

START = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)


class Clock:
    """The service's time, in seconds since START."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def now(self) -> datetime:
        return START + timedelta(seconds=self.seconds)


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Clock:
    set_clock = Clock()
    monkeypatch.setattr(clock, "now", set_clock.now)
    return set_clock


@pytest.fixture
def people(transactional_db: Any) -> Callable[..., People]:
    return People.at_a_table


def deadline_of(table: Table) -> float | None:
    deadline = table.row().deadline
    return None if deadline is None else (deadline - START).total_seconds()


def by_task(table: Table) -> None:
    finish_turn(table.id)


def by_sweep(table: Table) -> None:
    finish_overdue_turns()


def by_state(table: Table) -> None:
    table.state()


def by_log(table: Table) -> None:
    assert table.get("moves/").status == 200


def by_long_poll(table: Table) -> None:
    assert table.get("state/wait/?since=0&timeout=0").status == 200


def by_resume(table: Table) -> None:
    assert table.api.get("players/me/resume/").status == 200


def by_hint(table: Table) -> None:
    assert table.get("hint/").status == 200


FINISHERS = [by_task, by_sweep, by_state, by_log, by_long_poll, by_resume, by_hint]


# --- the deadline


@pytest.mark.parametrize(
    ("game", "others", "chosen", "seconds"),
    [
        ("big-two-tw", 0, {}, None),
        ("big-two-tw", 1, {}, 30),
        ("big-two-tw", 0, {"turn_seconds": 7}, 7),
        ("big-two-tw", 1, {"turn_seconds": 0}, None),
        ("chinese-poker", 1, {}, 30),
        ("thirteen", 1, {}, 45),
        ("thirteen", 1, {"turn_seconds": 9}, 9),
    ],
)
def test_a_decision_of_a_person_has_a_deadline(
    people: Callable[..., People],
    time: Clock,
    monkeypatch: pytest.MonkeyPatch,
    game: str,
    others: int,
    chosen: dict[str, Any],
    seconds: int | None,
) -> None:
    deal_from(monkeypatch, host_leads())
    table = people(game, others=others, options=chosen).host
    table.bots_play()
    assert deadline_of(table) == seconds
    time.seconds = 2.5
    state = table.state()
    if seconds is None:
        assert (state["deadline"], state["remaining_ms"]) == (None, None)
    else:
        shown = (START + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")
        assert (state["deadline"], state["remaining_ms"]) == (shown, seconds * 1000 - 2500)
        entry = table.api.get("players/me/resume/").json["results"][0]
        assert entry["remaining_ms"] == seconds * 1000 - 2500


def test_a_clock_costs_a_move_no_query(
    people: Callable[..., People], monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Any
) -> None:
    """Token, begin, session, seats, the move, the session again, commit."""
    deal_from(monkeypatch, host_leads())
    table_of = people("big-two-tw", others=3, options={"turn_seconds": 20})
    table_of.host.state()
    with django_assert_num_queries(6):
        assert table_of.host.move(type="play", cards=["3C"]).status == 201
    with django_assert_num_queries(6):
        assert table_of.by_seat(1).move(type="pass").status == 201


def test_no_deadline_while_a_bot_thinks_nor_between_rounds(
    people: Callable[..., People], time: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_from(monkeypatch, host_leads())
    table = people("big-two-tw", others=0, options={"turn_seconds": 20}).host
    assert deadline_of(table) == 20
    table.move(type="play", cards=["3C"])
    assert table.state()["to_act"] == [1]
    assert deadline_of(table) is None
    assert table.row().clock_due_at is None
    table.play_on()
    assert (deadline_of(table), table.row().clock_due_at) == (None, None)


def test_a_play_in_time_leaves_the_clock_nothing_to_do(
    people: Callable[..., People], time: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T2: played at 19.9 s, the timer fires at 20.0 s, the service starts again at 25 s."""
    deal_from(monkeypatch, host_leads())
    table = people("big-two-tw", others=3, options={"turn_seconds": 20}).host
    time.seconds = 19.9
    assert table.move(type="play", cards=["3C"]).status == 201
    assert deadline_of(table) == 39.9
    before = everything(table)
    time.seconds = 20.0
    for finish in FINISHERS:
        finish(table)
    live_rounds_forget()
    time.seconds = 25.0
    for finish in FINISHERS:
        finish(table)
    assert everything(table) == before
    assert deadline_of(table) == 39.9
    assert table.state()["remaining_ms"] == 14_900
    assert [move["actor"] for move in table.get("moves/").json["results"]] == ["person"]


@pytest.mark.parametrize("finish", FINISHERS, ids=lambda finish: finish.__name__)
def test_each_finisher_alone_acts_once(
    people: Callable[..., People],
    time: Clock,
    monkeypatch: pytest.MonkeyPatch,
    finish: Callable[[Table], None],
) -> None:
    deal_from(monkeypatch, host_leads())
    table = people("big-two-tw", others=3, options={"turn_seconds": 6}).host
    turn, version = table.row().turn, table.row().version
    time.seconds = 6.0
    finish(table)
    row = table.row()
    assert (row.turn, row.version) == (turn + 1, version + 1)
    assert deadline_of(table) == 12.0
    finish(table)
    assert table.row().version == version + 1


def test_a_deadline_delivered_three_times_at_once_acts_once(
    people: Callable[..., People], time: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """S2, without the broker: tasks, sweep and reads at the same moment."""
    deal_from(monkeypatch, host_leads())
    table = people("big-two-tw", others=3, options={"turn_seconds": 6}).host
    version = table.row().version
    time.seconds = 6.5

    def run(finish: Callable[[Table], None]) -> None:
        finish(Table(Api(table.api.token), table.id))
        connection.close()

    threads = [
        threading.Thread(target=run, args=(finish,))
        for finish in (by_task, by_task, by_task, by_sweep, by_state, by_log)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert table.row().version == version + 1
    assert [move["actor"] for move in table.get("moves/").json["results"]] == ["clock"]


def test_the_clock_acts_for_nobody_who_has_time_or_has_acted(
    people: Callable[..., People], time: Clock
) -> None:
    """Several answer the same turn, so the turn alone does not say that it is too late."""
    table_of = people("chinese-poker", others=3)
    host = table_of.host
    hint = host.get("hint/").json["move"]
    move = move_from_json(hint)
    assert host.post("moves/", hint).status == 201
    for seconds, seat in ((29.9, 1), (30.0, 0)):
        time.seconds = seconds
        before = everything(host)
        with pytest.raises(StaleTurn):
            move_submit_for(
                session_id=host.row().id,
                seat=seat,
                move=move,
                turn=hint["turn"],
                actor=Actor.CLOCK,
                policy="",
            )
        assert everything(host) == before


def test_hands_are_set_once_by_finishers_at_the_same_moment(
    people: Callable[..., People], time: Clock
) -> None:
    host = people("chinese-poker", others=3).host
    time.seconds = 30

    def run() -> None:
        by_task(host)
        connection.close()

    threads = [threading.Thread(target=run) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    log = host.get("moves/?round=1").json["results"]
    assert sorted(move["seat"] for move in log) == [0, 1, 2, 3]
    assert host.row().status == "between_rounds"


# --- what is done


def test_one_automatic_act_a_missed_deadline(people: Callable[..., People], time: Clock) -> None:
    """T3: nobody bids; then nobody follows; then nobody leads."""
    table_of = people("dou-dizhu", others=2, options={"turn_seconds": 5})
    table = table_of.host
    first = table.state()["to_act"][0]
    order = [(first + step) % 3 for step in range(3)]
    time.seconds = 5
    by_task(table)
    assert table.state()["to_act"] == [order[1]]
    assert deadline_of(table) == 10
    assert table_of.by_seat(order[1]).move(type="bid", bid=1).status == 201
    time.seconds = 10
    by_task(table)
    state = table.state()
    assert (state["phase"], state["to_act"]) == ("playing", [order[1]])
    landlord = table_of.by_seat(order[1])
    assert len(landlord.state()["you"]["hand"]) == 20
    time.seconds = 15
    by_task(table)
    log = table.get("moves/").json["results"]
    assert [(m["seat"], m["type"], m["actor"]) for m in log] == [
        (order[0], "bid", "clock"),
        (order[1], "bid", "person"),
        (order[2], "bid", "clock"),
        (order[1], "play", "clock"),
    ]
    assert (log[0]["bid"], log[2]["bid"], len(log[3]["cards"])) == (0, 0, 1)
    assert deadline_of(table) == 20
    time.seconds = 17.5
    assert table.state()["remaining_ms"] == 2500
    time.seconds = 21
    by_task(table)
    last = table.get("moves/").json["results"][-1]
    assert (last["seat"], last["type"], last["actor"]) == (order[2], "pass", "clock")
    assert deadline_of(table) == 26


def test_the_lowest_lead_is_played_never_a_pass(
    people: Callable[..., People], time: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_from(monkeypatch, host_leads())
    table = people("big-two-tw", others=3).host
    time.seconds = 30
    state = table.state()
    assert state["trick"]["plays"] == [{"seat": 0, "cards": ["3C"], "pattern": "single"}]
    assert state["seats"][0]["autoplay"] is False


def test_hands_are_set_and_cuts_skipped_for_all_whose_time_is_up(
    people: Callable[..., People], time: Clock
) -> None:
    table_of = people("thirteen", others=3)
    table = table_of.host
    leader = table.state()["cutting"]["leader"]
    time.seconds = 45
    by_sweep(table)
    state = table.state()
    assert state["phase"] == "arranging"
    skipped = {(cut["seat"], cut["position"]) for cut in state["cutting"]["cuts"]}
    assert skipped == {(seat, 0) for seat in range(4) if seat != leader}
    time.seconds = 60
    setting = table_of.by_seat(leader)
    assert setting.follow_hint().status == 201
    version = table.row().version
    time.seconds = 90
    by_sweep(table)
    assert table.row().status == "between_rounds"
    assert table.row().version == version + 3
    log = table.get("moves/?round=1").json["results"]
    actors = {move["seat"]: move["actor"] for move in log if move["type"] != "cut"}
    assert actors == {seat: "person" if seat == leader else "clock" for seat in range(4)}
    assert [hand["foul"] for hand in table.state()["settlement"]["hands"]] == [False] * 4


def test_an_extension_is_of_its_own_seat_and_once(
    people: Callable[..., People], time: Clock
) -> None:
    table_of = people("thirteen", others=3)
    table = table_of.host
    time.seconds = 45
    by_task(table)
    slow = table_of.by_seat(2)
    time.seconds = 80
    answer = slow.move(type="extend")
    assert answer.status == 201
    assert answer.json["state"]["remaining_ms"] == 30_000
    assert answer.json["state"]["you"]["extension_used"] is True
    assert table.state()["remaining_ms"] == 10_000
    before = everything(table)
    again = slow.move(type="extend")
    assert (again.status, again.code) == (422, "extension_used")
    assert everything(table) == before
    time.seconds = 90
    by_task(table)
    acted = [seat["has_acted"] for seat in slow.state()["seats"]]
    assert acted == [True, True, False, True]
    time.seconds = 109
    by_task(table)
    assert table.row().status == "playing"
    time.seconds = 110
    by_task(table)
    assert table.row().status == "between_rounds"


def test_a_redeal_is_accepted_for_who_does_not_answer(
    time: Clock, monkeypatch: pytest.MonkeyPatch, transactional_db: Any
) -> None:
    table_of, caller = redeal_table(monkeypatch, others=3, options={"turn_seconds": 10})
    assert table_of.by_seat(caller).move(type="call_redeal").status == 201
    time.seconds = 10
    by_task(table_of.host)
    state = table_of.host.state()
    assert (state["deal"], state["redeal"], state["phase"]) == (2, None, "playing")
    log = table_of.host.get("moves/").json["results"]
    assert [(m["accept"], m["actor"]) for m in log[1:]] == [(True, "clock")] * 3


# --- autoplay


def test_two_time_outs_in_a_row_turn_on_autoplay_and_an_own_move_ends_it(
    people: Callable[..., People], time: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_from(monkeypatch, host_leads())
    options = {"turn_seconds": 5, "bot_delay_ms": 1000}
    table_of = people("big-two-tw", others=3, options=options)
    host = table_of.host

    def the_others_pass() -> None:
        for number in (1, 2, 3):
            assert table_of.by_seat(number).move(type="pass").status == 201

    time.seconds = 5
    by_task(host)
    assert host.state()["you"]["autoplay"] is False
    the_others_pass()
    time.seconds = 10
    by_task(host)
    state = host.state()
    assert (state["you"]["autoplay"], state["seats"][0]["autoplay"]) == (True, True)
    the_others_pass()
    assert host.row().clock_due_at == clock.now() + timedelta(seconds=5)
    assert host.row().bot_due_at == clock.now() + timedelta(seconds=1)
    time.seconds = 12.5
    assert ask_overdue_bots() == 1
    host.bots_play()
    played = host.get("moves/").json["results"][-1]
    assert (played["seat"], played["type"], played["actor"]) == (0, "play", "autoplay")
    assert played["policy"].startswith("normal/")
    assert host.state()["you"]["autoplay"] is True
    the_others_pass()
    assert host.play_lowest(host.state()).status == 201
    state = host.state()
    assert (state["you"]["autoplay"], state["seats"][0]["autoplay"]) == (False, False)
    assert [move["actor"] for move in host.get("moves/").json["results"]][::4] == [
        *("clock", "clock", "autoplay", "person")
    ]


def test_an_absent_host_hands_the_table_on_when_the_round_is_over(
    people: Callable[..., People], time: Clock
) -> None:
    """Nobody else could deal the next one."""
    table_of = people("chinese-poker", others=1, options={"turn_seconds": 5})
    host, friend = table_of.tables
    for number in (1, 2):
        friend.follow_hint()
        friend.bots_play()
        time.seconds = 5.0 * number
        by_task(friend)
        assert friend.row().status == "between_rounds"
        expected = host if number == 1 else friend
        assert friend.get().json["host"] == expected.api.player["id"]
        assert expected.post("rounds/").status == 201
    assert host.follow_hint().status == 201
    assert friend.get().json["host"] == friend.api.player["id"]


def test_a_host_on_autoplay_by_request_stays_host(
    people: Callable[..., People], time: Clock
) -> None:
    table_of = people("chinese-poker", others=1)
    host, friend = table_of.tables
    host.post("autoplay/", {"enabled": True})
    friend.follow_hint()
    assert friend.bots_play()["status"] == "between_rounds"
    assert friend.get().json["host"] == host.api.player["id"]


def test_a_move_in_time_starts_the_count_again(
    people: Callable[..., People], time: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_from(monkeypatch, host_leads())
    table_of = people("big-two-tw", others=3)
    table = table_of.host
    seat = table.row().seats.get(number=0)
    time.seconds = 30
    by_task(table)
    seat.refresh_from_db()
    assert (seat.timeouts, seat.autoplay) == (1, False)
    for number in (1, 2, 3):
        assert table_of.by_seat(number).move(type="pass").status == 201
    assert table.play_lowest(table.state()).status == 201
    seat.refresh_from_db()
    assert (seat.timeouts, seat.autoplay) == (0, False)


def test_autoplay_gains_no_time_though_its_pause_is_longer_than_the_turn(
    people: Callable[..., People], time: Clock
) -> None:
    table_of = people("chinese-poker", others=1, options={"turn_seconds": 1, "bot_delay_ms": 5000})
    host, friend = table_of.tables
    assert host.follow_hint().status == 201
    assert friend.post("autoplay/", {"enabled": True}).status == 200
    rows = friend.get("hint/").json["move"]
    time.seconds = 2
    late = friend.move(**{name: value for name, value in rows.items() if value is not None})
    assert (late.status, late.code) == (409, "stale_turn")
    own = friend.get("moves/").json["results"]
    assert [move["actor"] for move in own if move["seat"] == 1] == ["clock"]


def test_autoplay_on_request_asks_the_bot_and_off_ends_it(
    people: Callable[..., People], time: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_from(monkeypatch, host_leads())
    table = people("big-two-tw", others=1).host
    version = table.row().version
    answer = table.post("autoplay/", {"enabled": True})
    assert (answer.status, answer.json["you"]["autoplay"]) == (200, True)
    assert answer.json["version"] == version + 1
    assert table.row().bot_due_at == clock.now() + timedelta(milliseconds=600)
    before = everything(table)
    assert table.post("autoplay/", {"enabled": True}).status == 200
    assert everything(table) == before
    assert table.post("autoplay/", {"enabled": False}).json["you"]["autoplay"] is False
    assert table.row().bot_due_at is None
    # Neither gains time.
    assert deadline_of(table) == 30
    table.post("autoplay/", {"enabled": True})
    table.bots_play()
    first = table.get("moves/").json["results"][0]
    assert (first["seat"], first["actor"]) == (0, "autoplay")


@pytest.mark.parametrize("body", [{}, {"enabled": "yes"}, {"enabled": 1}, {"on": True}])
def test_a_bad_autoplay_body_is_refused(api: Api, body: Any) -> None:
    table = api.open_table()
    before = everything(table)
    answer = table.post("autoplay/", body)
    assert (answer.status, answer.code) == (400, "invalid_input")
    assert everything(table) == before


def test_leaving_and_coming_back_gains_no_time(
    people: Callable[..., People], time: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_from(monkeypatch, host_leads())
    table_of = people("big-two-tw", others=3)
    host = table_of.by_seat(0)
    time.seconds = 20
    host.post("leave/")
    host.post("join/")
    assert deadline_of(host) == 30
    assert host.row().clock_due_at == START + timedelta(seconds=30)


def test_who_comes_back_to_a_bots_turn_has_the_full_time(
    people: Callable[..., People], time: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_from(monkeypatch, host_leads())
    table_of = people("big-two-tw", others=3)
    second = table_of.by_seat(1)
    second.post("leave/")
    table_of.host.move(type="play", cards=["3C"])
    assert deadline_of(second) is None
    time.seconds = 7
    second.post("join/")
    assert deadline_of(second) == 37


# --- a bot that leads


@pytest.mark.parametrize("qualifies", [True, False])
def test_a_bot_that_leads_waits_for_the_redeal_window(
    time: Clock, monkeypatch: pytest.MonkeyPatch, transactional_db: Any, qualifies: bool
) -> None:
    """Whether or not a hand may call, so that nothing is told by it."""
    table_of, _ = redeal_table(monkeypatch, others=0, qualifies=qualifies, options={})
    host = table_of.host
    assert host.state()["to_act"] == [2]
    assert host.row().bot_due_at == START + timedelta(milliseconds=3000)
    time.seconds = 2.9
    assert ask_overdue_bots() == 0
    assert host.state()["you"]["can_call_redeal"] is qualifies


def test_after_a_declined_call_the_bot_waits_once_more(
    time: Clock, monkeypatch: pytest.MonkeyPatch, transactional_db: Any
) -> None:
    table_of, caller = redeal_table(monkeypatch, others=1, options={"redeal_window_ms": 2000})
    time.seconds = 1
    assert table_of.by_seat(caller).move(type="call_redeal").status == 201
    time.seconds = 4
    assert table_of.host.move(type="answer_redeal", accept=False).status == 201
    assert table_of.host.state()["to_act"] == [2]
    assert table_of.host.row().bot_due_at == START + timedelta(seconds=6)


def test_after_the_first_play_bots_take_their_usual_pause(
    time: Clock, monkeypatch: pytest.MonkeyPatch, transactional_db: Any
) -> None:
    table_of, _ = redeal_table(monkeypatch, others=0, host_leads=True, options={})
    host = table_of.host
    assert host.play_lowest(host.state()).status == 201
    assert host.row().bot_due_at == START + timedelta(milliseconds=600)


def test_nothing_is_done_for_a_session_that_does_not_exist(transactional_db: Any) -> None:
    assert turn_finish(session_id=UUID(int=0)) == 0
