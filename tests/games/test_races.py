"""Two who act at once: one wins, the other gets a clear conflict, and the log is whole."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta
from itertools import groupby
from operator import attrgetter
from typing import Any

import pytest

from bots.services import bot_turn_play
from games import clock
from games.models import Change, Move, Round, Session
from games.services.changes import bots_asked_again
from games.tasks import finish_turn
from players.models import Player
from scoring.models import LedgerEntry
from tests.api.test_clocks import START
from tests.api.test_sessions import everything
from tests.clients import Answer, Api, People, Table
from tests.contract.test_transactions import DEADLOCK, fail
from tests.deals import deal_from, host_leads
from tests.races import another_transaction, at_once, in_threads, wait_for_waiting

OPEN = {"kind": "open"}
BOT = {"kind": "bot", "level": "easy"}
QUICK = {"bot_level": "easy", "bot_delay_ms": 0, "turn_seconds": 0}

SESSION_LOCKED = "SELECT 1 FROM games_session WHERE id = %s FOR UPDATE"
STANDING_LOCKED = "SELECT 1 FROM scoring_standing WHERE player_id = %s FOR UPDATE"
PLAYER_LOCKED = "SELECT 1 FROM players_player WHERE id = %s FOR UPDATE"


def two_devices() -> tuple[Api, Api]:
    secret = {"device_secret": "s" * 40}
    first, second = (Api(Api().post("players/guest/", secret).json["token"]) for _ in range(2))
    return first, second


def sent(table: Table, rest: str, **headers: str) -> Callable[[], Answer]:
    """A call that a device of its own makes, with a body or none."""
    return lambda: Table(Api(table.api.token), table.id).post(rest, **headers)


def won_and_lost(answers: list[Answer], status: int, code: str) -> tuple[Answer, Answer]:
    """The good answer and the conflict."""
    won, lost = sorted(answers, key=lambda answer: answer.status)
    assert (won.status, lost.status, lost.code) == (status, 409, code), lost.bytes
    return won, lost


def log_is_whole(table: Table) -> bool:
    """Moves are numbered from 1 in each round, and there is no version without a change."""
    moves = Move.objects.filter(round__session_id=table.id).order_by("round", "number")
    for _, of_the_round in groupby(moves, key=attrgetter("round_id")):
        if any(move.number != number for number, move in enumerate(of_the_round, start=1)):
            return False
    changes = Change.objects.filter(session_id=table.id)
    versions = {row.version for row in (*moves, *changes)}
    return versions == set(range(2, table.row().version + 1))


# --- the table


@pytest.mark.parametrize("keys", [(None, None), ("K1", "K2")], ids=["no keys", "a key each"])
def test_of_two_hosts_who_start_one_deals(transactional_db: Any, keys: tuple[Any, Any]) -> None:
    """One player on two devices."""
    phone, tablet = two_devices()
    table = phone.open_table(start=False)
    seats = (table, table.seen_by(tablet))
    headers = [{"Idempotency_Key": key} if key else {} for key in keys]
    answers = at_once(
        *(sent(seat, "start/", **named) for seat, named in zip(seats, headers, strict=True))
    )
    won, _ = won_and_lost(answers, 200, "already_started")
    assert won.json["status"] == "playing"
    assert Round.objects.count() == 1
    assert log_is_whole(table)


def test_of_two_hosts_who_deal_the_next_round_one_does(transactional_db: Any) -> None:
    phone, tablet = two_devices()
    table = phone.open_table(game="chinese-poker", options=QUICK)
    table.play_on()
    seats = (table, table.seen_by(tablet))
    _, lost = won_and_lost(
        at_once(*(sent(seat, "rounds/") for seat in seats)), 201, "round_running"
    )
    assert lost.json["params"] == {"round": 2}
    assert [round_.number for round_ in Round.objects.order_by("number")] == [1, 2]
    assert log_is_whole(table)


@pytest.mark.parametrize("visibility", ["private", "public"])
def test_the_last_seat_is_one_players(api: Api, visibility: str) -> None:
    """Joined by two at once: by its code, and where all may see it by its id."""
    table = api.open_table(seats=[OPEN, BOT, BOT], visibility=visibility)
    guests = [Api.guest(), Api.guest()]
    code = {"code": table.get().json["join_code"]}

    def joins(guest: Api) -> Callable[[], Answer]:
        if visibility == "public":
            return lambda: table.seen_by(guest).post("join/")
        return lambda: guest.post("sessions/join/", code)

    version = table.row().version
    answers = at_once(*map(joins, guests))
    won_and_lost(answers, 200, "table_full")
    winner = guests[[answer.status for answer in answers].index(200)]
    seats = table.get().json["seats"]
    assert [seat["kind"] for seat in seats] == ["human", "human", "bot", "bot"]
    assert seats[1]["player"]["id"] == winner.player["id"]
    assert table.row().version == version + 1


def test_two_who_come_at_once_to_an_empty_game_sit_together(transactional_db: Any) -> None:
    guests = [Api.guest() for _ in range(4)]
    body = {"game": "big-two-tw"}
    answers = at_once(*(lambda g=guest: g.post("sessions/quick-join/", body) for guest in guests))
    assert [answer.status for answer in answers] == [200] * 4
    assert len({answer.json["id"] for answer in answers}) == 1
    assert Session.objects.count() == 1


def test_all_who_ask_at_once_for_a_rematch_get_the_same_one(transactional_db: Any) -> None:
    people = People.at_a_table("chinese-poker", others=3, options={"rounds": 1, **QUICK})
    people.play_on()
    answers = at_once(*(sent(table, "rematch/") for table in people.tables))
    assert [answer.status for answer in answers] == [200] * 4
    assert len({answer.json["id"] for answer in answers}) == 1
    again = people.host.seen_by(people.host.api)
    again.id = answers[0].json["id"]
    seats = again.get().json["seats"]
    assert [seat["player"]["id"] for seat in seats] == [
        table.api.player["id"] for table in people.tables
    ]
    assert Session.objects.count() == 2


# --- the clock


@pytest.fixture
def own_time(monkeypatch: pytest.MonkeyPatch) -> threading.local:
    """The service's time, by thread: `own_time.seconds` since START."""
    time = threading.local()
    monkeypatch.setattr(
        clock, "now", lambda: START + timedelta(seconds=getattr(time, "seconds", 0.0))
    )
    return time


@pytest.mark.parametrize("first", ["person", "clock"])
def test_a_move_against_its_own_deadline(
    transactional_db: Any, own_time: threading.local, monkeypatch: pytest.MonkeyPatch, first: str
) -> None:
    """It comes in the last moment, and the timer fires: whoever has the session first, acts."""
    deal_from(monkeypatch, host_leads())
    table = People.at_a_table("big-two-tw", others=3, options={"turn_seconds": 6}).host
    version, turn = table.row().version, table.row().turn
    play = {"type": "play", "cards": ["3C", "3D"], "turn": turn}

    def person() -> Answer:
        own_time.seconds = 5.99
        return Table(Api(table.api.token), table.id).post("moves/", play, Idempotency_Key="k")

    def timer() -> int:
        own_time.seconds = 6.0
        return finish_turn(table.id)

    with in_threads(2) as begin:
        with another_transaction() as execute:
            execute(SESSION_LOCKED, [table.id])
            acts = {"person": person, "clock": timer}
            second = next(name for name in acts if name != first)
            began: dict[str, Any] = {first: begin(acts[first])}
            wait_for_waiting(1)
            began[second] = begin(acts[second])
            wait_for_waiting(2)
        answer, acted = began["person"].result(), began["clock"].result()

    [move] = table.get("moves/").json["results"]
    if first == "person":
        assert (answer.status, acted) == (201, 0)
        assert (move["actor"], move["cards"]) == ("person", ["3C", "3D"])
    else:
        assert (answer.status, answer.code, acted) == (409, "stale_turn", 1)
        assert (move["actor"], move["cards"]) == ("clock", ["3C"])
        assert answer.json["state"]["version"] == version + 1
    assert (table.row().version, table.row().turn) == (version + 1, turn + 1)


# --- settling


def score(api: Api, game: str = "chinese-poker") -> dict[str, Any]:
    """What the player has reached in this game."""
    results = api.get("players/me/scores/").json["results"]
    return next(entry for entry in results if entry["game"] == game)


@pytest.mark.parametrize("game", ["chinese-poker", "thirteen"])
def test_four_who_set_the_last_hands_at_once_settle_once(transactional_db: Any, game: str) -> None:
    people = People.at_a_table(game, others=3, options=QUICK)
    while people.host.state()["phase"] != "arranging":
        state = people.host.state()
        waiting = [seat for seat in state["to_act"] if not state["seats"][seat]["has_acted"]]
        assert people.by_seat(waiting[0]).follow_hint().status == 201
    moves = Move.objects.count()
    answers = at_once(*(table.follow_hint for table in people.tables))
    assert [answer.status for answer in answers] == [201] * 4
    assert Move.objects.count() == moves + 4
    assert log_is_whole(people.host)
    assert people.host.row().status == "between_rounds"
    points = people.host.state()["settlement"]["points"]
    booked = LedgerEntry.objects.order_by("seat").values_list("seat", "amount")
    assert list(booked) == list(enumerate(points))
    assert [score(table.api, game)["rounds"] for table in people.tables] == [1] * 4


def bots_set(table: Table) -> None:
    session = table.row()
    for turn, seat in bots_asked_again(session):
        assert bot_turn_play(session_id=session.id, turn=turn, seat=seat)


def weakest_in_front(table: Table) -> dict[str, Any]:
    """A move that takes no thinking: the hand as it is sorted, a foul or not."""
    hand = table.state()["you"]["hand"]
    rows = {"front": hand[:3], "middle": hand[3:8], "back": hand[8:]}
    return {"type": "arrange", **rows, "accept_foul": True}


@pytest.fixture
def last_move(api: Api) -> tuple[Table, dict[str, Any]]:
    """A table in its second round, and the move that will settle it."""
    table = api.open_table(game="chinese-poker", options=QUICK)
    table.play_on()
    assert table.post("rounds/").status == 201
    bots_set(table)
    return table, weakest_in_front(table)


@pytest.mark.parametrize("key", [None, "K"])
def test_a_deadlock_in_a_settlement_is_not_the_clients(
    last_move: tuple[Table, dict[str, Any]], key: str | None
) -> None:
    """Another transaction holds the standing and wants the session; PostgreSQL gives ours up."""
    table, move = last_move
    headers = {"Idempotency_Key": key} if key else {}
    with in_threads(1) as begin:
        with another_transaction() as execute:
            execute(STANDING_LOCKED, [table.api.player["id"]])
            answered = begin(lambda: table.post("moves/", move, **headers))
            wait_for_waiting(1)
            execute(SESSION_LOCKED, [table.id])
        answer = answered.result()
    assert answer.status == 201, answer.bytes
    assert answer.json["state"]["settlement"] == table.state()["settlement"]
    assert log_is_whole(table)
    assert LedgerEntry.objects.filter(round_number=2).count() == 1
    assert score(table.api)["rounds"] == 2
    if key:
        again = table.post("moves/", move, **headers)
        assert (again.status, again.bytes) == (201, answer.bytes)


def test_a_deadlock_in_a_workers_task_is_done_again_in_it(
    transactional_db: Any, own_time: threading.local
) -> None:
    people = People.at_a_table("chinese-poker", others=1, options={**QUICK, "turn_seconds": 5})
    table = people.host
    people.play_on()
    assert table.post("rounds/").status == 201
    table.bots_play()

    def task() -> int:
        own_time.seconds = 6.0
        return finish_turn(table.id)

    with in_threads(1) as begin:
        with another_transaction() as execute:
            execute(STANDING_LOCKED, [table.api.player["id"]])
            acted = begin(task)
            wait_for_waiting(1)
            execute(SESSION_LOCKED, [table.id])
        assert acted.result() == 2
    assert table.row().status == "between_rounds"
    assert log_is_whole(table)
    assert sorted(LedgerEntry.objects.filter(round_number=2).values_list("seat", flat=True)) == [
        *(0, 1)
    ]


@pytest.mark.parametrize("key", [None, "K"])
def test_a_deadlock_again_and_again_is_told_as_an_outage(
    last_move: tuple[Table, dict[str, Any]], key: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, move = last_move
    headers = {"Idempotency_Key": key} if key else {}
    before = everything(table)
    tries: list[int] = []

    def give_up(*_: Any, **__: Any) -> None:
        tries.append(1)
        fail(DEADLOCK)

    with monkeypatch.context() as patched:
        patched.setattr("games.services.moves.change_finish", give_up)
        answer = table.post("moves/", move, **headers)
    assert (answer.status, answer.code) == (503, "temporarily_unavailable")
    assert answer.headers["Retry-After"] == "2"
    assert len(tries) == 4
    assert everything(table) == before
    assert table.post("moves/", move, **headers).status == 201


# --- S5


@pytest.fixture
def quick_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of calls, whose form other tests hold against the contract."""
    monkeypatch.setattr("tests.openapi.check_answer", lambda *_: None)


def test_sixteen_play_at_once_and_every_move_is_recorded(
    transactional_db: Any, quick_calls: None
) -> None:
    """S5: 16 threads, a session each, 50 moves each."""
    tables = [Api.guest().open_table(options=QUICK) for _ in range(16)]

    at_once(*(lambda table=table: fifty_moves(table) for table in tables))
    for table in tables:
        assert Move.objects.filter(round__session_id=table.id).count() >= 50
        assert log_is_whole(table)
        settled = Round.objects.filter(session_id=table.id, status="settled")
        points = [round_.outcome["points"][0] for round_ in settled.order_by("number")]
        booked = LedgerEntry.objects.filter(session_id=table.id, kind="settlement")
        assert list(booked.order_by("id").values_list("amount", flat=True)) == points


def fifty_moves(table: Table) -> None:
    """Play, round after round, until 50 moves are made."""
    while Move.objects.filter(round__session_id=table.id).count() < 50:
        state = table.bots_play()
        if state["status"] != "playing":
            assert table.post("rounds/").status == 201
            continue
        answer = table.play_lowest(state)
        assert answer.status == 201, answer.bytes
        assert answer.json["state"]["version"] == state["version"] + 1


ROUNDS = 100


def test_two_hundred_settlements_of_two_who_sit_at_both_tables(
    transactional_db: Any, quick_calls: None, caplog: pytest.LogCaptureFixture
) -> None:
    """S5: both tables settle at once, where the same two players sit in opposite order."""
    players = [Api.guest(), Api.guest()]
    tables = [table_of(*players), table_of(*players[::-1])]
    for number in range(1, ROUNDS + 1):
        lasts = []
        for table, guest in tables:
            if number > 1:
                assert table.post("rounds/").status == 201
            bots_set(table)
            assert guest.post("moves/", weakest_in_front(guest)).status == 201
            move = weakest_in_front(table)
            lasts.append(lambda table=table, move=move: table.post("moves/", move))
        assert [answer.status for answer in at_once(*lasts)] == [201, 201]
    assert "transaction done again" not in caplog.text, "locks are not taken in one order"
    won = dict.fromkeys((player.player["id"] for player in players), 0)
    for table, _ in tables:
        assert log_is_whole(table)
        settled = Round.objects.filter(session_id=table.id, status="settled").order_by("number")
        points = [round_.outcome["points"] for round_ in settled]
        assert len(points) == ROUNDS
        seats = table.state()["seats"]
        assert [seat["total"] for seat in seats] == [
            sum(of_seat) for of_seat in zip(*points, strict=True)
        ]
        for seat in (0, 1):
            booked = LedgerEntry.objects.filter(session_id=table.id, seat=seat).order_by("id")
            assert [entry.amount for entry in booked] == [row[seat] for row in points]
            assert booked.last().balance == seats[seat]["total"]
            won[seats[seat]["player"]["id"]] += sum(row[seat] > 0 for row in points)
    for player in players:
        reached = score(player)
        assert (reached["rounds"], reached["wins"]) == (2 * ROUNDS, won[player.player["id"]])


def table_of(host: Api, guest: Api) -> tuple[Table, Table]:
    """Two people and two bots, dealt: as the host and as the guest see it."""
    table = host.open_table(game="chinese-poker", seats=[OPEN, BOT, BOT], options=QUICK)
    assert guest.post("sessions/join/", {"code": table.get().json["join_code"]}).status == 200
    assert table.post("start/").status == 200
    return table, table.seen_by(guest)


# --- S6


def test_a_rename_a_settlement_and_another_edit_of_one_player_are_all_there(
    last_move: tuple[Table, dict[str, Any]],
) -> None:
    """S6: all three wait for the player's row, and get it one after the other."""
    table, move = last_move
    api = table.api
    total = table.state()["seats"][0]["total"]
    with in_threads(3) as begin:
        with another_transaction() as execute:
            execute(PLAYER_LOCKED, [api.player["id"]])
            calls = [
                begin(lambda: api.call("PATCH", "players/me/", {"display_name": "Mei Lin"})),
                begin(lambda: table.post("moves/", move)),
                begin(lambda: api.call("PATCH", "players/me/", {"language": "zh-Hant"})),
            ]
            wait_for_waiting(3)
        answers = [call.result() for call in calls]
    assert [answer.status for answer in answers] == [200, 201, 200]
    player = Player.objects.get(pk=api.player["id"])
    assert (player.display_name, player.language) == ("Mei Lin", "zh-Hant")
    points = answers[1].json["state"]["settlement"]["points"][0]
    assert table.state()["seats"][0]["total"] == total + points
    assert list(LedgerEntry.objects.filter(round_number=2).values_list("amount", flat=True)) == [
        points
    ]
