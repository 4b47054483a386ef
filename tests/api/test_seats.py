"""Seats over the API: taken, left, given away, taken back; hosts, codes, rematches."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.db import connection

from bots.services import bot_turn_play
from games.errors import StaleTurn
from games.models import Actor, Member, Session
from games.rules.moves import Pass
from games.services.moves import move_submit_for
from games.services.seats import CODE_ALPHABET
from scoring.models import LedgerEntry
from tests.api.test_sessions import everything
from tests.clients import Answer, Api, Table
from tests.deals import deal_from, host_follows, host_leads

BOT, OPEN = {"kind": "bot"}, {"kind": "open"}


@pytest.fixture
def friend(transactional_db: Any) -> Api:
    return Api.guest()


@pytest.fixture
def table(api: Api) -> Table:
    """A private table in the lobby with one open seat, number 1."""
    return api.open_table(seats=[OPEN, BOT, BOT])


def code_of(table: Table) -> str:
    return str(table.get().json["join_code"])


def join_by_code(api: Api, table: Table) -> Table:
    answer = api.post("sessions/join/", {"code": code_of(table)})
    assert answer.status == 200, answer.bytes
    return table.seen_by(api)


def kinds(table: Table) -> list[str]:
    return [seat["kind"] for seat in table.get().json["seats"]]


def player_ids(session: dict[str, Any]) -> list[str | None]:
    return [seat["player"] and seat["player"]["id"] for seat in session["seats"]]


def refused(answer: Answer, status: int, code: str) -> None:
    assert (answer.status, answer.json.get("code")) == (status, code), answer.bytes


# --- open seats and codes


def test_a_table_with_an_open_seat_waits_in_the_lobby_with_a_code(table: Table) -> None:
    session = table.get().json
    assert session["status"] == "lobby"
    assert kinds(table) == ["human", "open", "bot", "bot"]
    assert len(session["join_code"]) == 6
    assert set(session["join_code"]) <= set(CODE_ALPHABET)
    assert not set("0O1IL2Z5S8BUV") & set(CODE_ALPHABET)
    assert session["options"]["turn_seconds"] == 30


def test_a_table_without_open_seats_has_no_code(api: Api) -> None:
    assert api.open_table().get().json["join_code"] is None


def test_by_the_code_in_any_case_a_friend_sits_down(table: Table, friend: Api) -> None:
    answer = friend.post("sessions/join/", {"code": code_of(table).lower()})
    assert answer.status == 200
    assert player_ids(answer.json) == [table.api.player["id"], friend.player["id"], None, None]
    assert answer.json["join_code"] == code_of(table)
    assert table.seen_by(friend).state()["you"]["seat"] == 1


def test_who_sits_there_may_join_again_and_nothing_happens(table: Table, friend: Api) -> None:
    joined = join_by_code(friend, table)
    before = everything(table)
    assert friend.post("sessions/join/", {"code": code_of(table)}).status == 200
    assert joined.post("join/").status == 200
    assert everything(table) == before


@pytest.mark.parametrize("code", ["NOPE99", "x", "💥" * 6])
def test_a_wrong_code_is_not_found(table: Table, friend: Api, code: str) -> None:
    before = everything(table)
    refused(friend.post("sessions/join/", {"code": code}), 404, "not_found")
    assert everything(table) == before


@pytest.mark.parametrize(
    ("body", "field"), [({}, "code"), ({"code": 7}, "code"), ({"code": "A" * 21}, "code")]
)
def test_a_bad_join_is_refused_by_field(friend: Api, body: Any, field: str) -> None:
    answer = friend.post("sessions/join/", body)
    refused(answer, 400, "invalid_input")
    assert [error["field"] for error in answer.json["errors"]] == [field]


def test_a_private_table_cannot_be_joined_without_its_code(table: Table, friend: Api) -> None:
    before = everything(table)
    refused(table.seen_by(friend).post("join/"), 404, "not_found")
    assert everything(table) == before


def test_a_full_table_is_refused(table: Table, friend: Api, stranger: Api) -> None:
    join_by_code(friend, table)
    before = everything(table)
    refused(stranger.post("sessions/join/", {"code": code_of(table)}), 409, "table_full")
    assert everything(table) == before


def test_a_running_table_is_refused(table: Table, friend: Api) -> None:
    code = code_of(table)
    table.post("start/")
    before = everything(table)
    answer = friend.post("sessions/join/", {"code": code})
    refused(answer, 409, "round_running")
    assert answer.json["params"] == {"round": 1}
    assert everything(table) == before


def test_the_code_of_a_finished_table_is_nobodys(table: Table, friend: Api) -> None:
    code = code_of(table)
    table.post("finish/")
    refused(friend.post("sessions/join/", {"code": code}), 404, "not_found")
    assert table.get().json["join_code"] is None


def test_the_last_seat_is_one_players(table: Table) -> None:
    code = code_of(table)
    guests = [Api.guest() for _ in range(4)]
    answers: list[Answer] = []

    def join(guest: Api) -> None:
        answers.append(guest.post("sessions/join/", {"code": code}))
        connection.close()

    threads = [threading.Thread(target=join, args=(guest,)) for guest in guests]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answer.status for answer in answers) == [200, 409, 409, 409]
    assert {answer.code for answer in answers if answer.status == 409} == {"table_full"}
    assert table.row().version == 2


# --- public tables


def test_a_public_table_is_listed_and_joined_without_a_code(api: Api, friend: Api) -> None:
    public = api.open_table(seats=[OPEN, OPEN, BOT], visibility="public")
    api.open_table(seats=[OPEN, BOT, BOT])
    api.open_table(visibility="public")
    listed = friend.get("sessions/?scope=open").json["results"]
    assert [session["id"] for session in listed] == [public.id]
    assert listed[0]["join_code"] is None
    assert friend.get("sessions/").json["results"] == []
    assert public.seen_by(friend).post("join/").status == 200
    assert [s["id"] for s in friend.get("sessions/").json["results"]] == [public.id]
    public.post("start/")
    assert friend.get("sessions/?scope=open").json["results"] == []


def test_a_watcher_sees_counts_only(api: Api, friend: Api) -> None:
    public = api.open_table(visibility="public")
    state = public.seen_by(friend).state()
    assert state["you"] is None
    assert [seat["cards_left"] for seat in state["seats"]] == [13] * 4
    for rest in ("hint/", "unseen/", "legal-plays/"):
        refused(public.seen_by(friend).get(rest), 403, "not_seated")
    before = everything(public)
    refused(public.seen_by(friend).move(type="pass"), 403, "not_seated")
    refused(public.seen_by(friend).post("autoplay/", {"enabled": True}), 403, "not_seated")
    refused(public.seen_by(friend).post("leave/"), 403, "not_seated")
    assert everything(public) == before


def test_quick_join_finds_the_oldest_table_that_fits_or_opens_one(api: Api, friend: Api) -> None:
    first = api.post("sessions/quick-join/", {"game": "dou-dizhu"})
    assert first.status == 200
    assert (first.json["status"], first.json["visibility"]) == ("lobby", "public")
    assert [seat["kind"] for seat in first.json["seats"]] == ["human", "open", "open"]
    other_game = friend.post("sessions/quick-join/", {"game": "big-two-tw"}).json
    assert other_game["id"] != first.json["id"]
    slower = {"game": "dou-dizhu", "options": {"turn_seconds": 60}}
    assert friend.post("sessions/quick-join/", slower).json["id"] != first.json["id"]
    joined = Api.guest().post("sessions/quick-join/", {"game": "dou-dizhu"}).json
    assert joined["id"] == first.json["id"]
    assert [seat["kind"] for seat in joined["seats"]] == ["human", "human", "open"]


def test_quick_join_twice_is_the_same_table(api: Api, friend: Api) -> None:
    older = friend.post("sessions/quick-join/", {"game": "thirteen"}).json
    own = api.open_table(game="thirteen", seats=[OPEN] * 3, visibility="public")
    assert api.post("sessions/quick-join/", {"game": "thirteen"}).json["id"] == own.id
    assert older["id"] != own.id


def test_of_many_quick_joins_at_once_none_sits_alone(transactional_db: Any) -> None:
    guests = [Api.guest() for _ in range(4)]
    answers: list[Answer] = []

    def join(guest: Api) -> None:
        answers.append(guest.post("sessions/quick-join/", {"game": "big-two-tw"}))
        connection.close()

    threads = [threading.Thread(target=join, args=(guest,)) for guest in guests]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {answer.status for answer in answers} == {200}
    assert len({answer.json["id"] for answer in answers}) == 1
    seated = {str(seat.player_id) for seat in Session.objects.get().seats.all()}
    assert seated == {guest.player["id"] for guest in guests}


def test_quick_join_refuses_options_of_other_games(api: Api) -> None:
    body = {"game": "thirteen", "options": {"redeal_window_ms": 5}}
    answer = api.post("sessions/quick-join/", body)
    refused(answer, 400, "invalid_input")
    assert [error["field"] for error in answer.json["errors"]] == ["options.redeal_window_ms"]
    assert Session.objects.count() == 0


# --- starting, and rounds with whoever is there


def test_start_fills_open_seats_with_bots_of_the_tables_level(api: Api) -> None:
    table = api.open_table(
        seats=[OPEN, {"kind": "bot", "level": "normal"}, OPEN], options={"bot_level": "easy"}
    )
    answer = table.post("start/")
    assert answer.status == 200
    assert [seat["bot_level"] for seat in answer.json["seats"]] == [None, "easy", "normal", "easy"]
    assert answer.json["status"] == "playing"


def test_of_two_hosts_starting_at_once_one_deals(table: Table) -> None:
    answers: list[Answer] = []

    def start() -> None:
        answers.append(Table(Api(table.api.token), table.id).post("start/"))
        connection.close()

    threads = [threading.Thread(target=start) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answer.status for answer in answers) == [200, 409, 409]
    assert {answer.code for answer in answers if answer.status == 409} == {"already_started"}
    assert table.row().rounds.count() == 1


@pytest.mark.parametrize("rest", ["start/", "rounds/", "finish/"])
def test_only_the_host_deals_and_finishes(table: Table, friend: Api, rest: str) -> None:
    joined = join_by_code(friend, table)
    before = everything(table)
    refused(joined.post(rest, {}), 403, "not_host")
    assert everything(table) == before


def test_the_next_round_is_played_by_whoever_is_there(table: Table, friend: Api) -> None:
    joined = join_by_code(friend, table)
    table.post("start/")
    table.play_on(joined)
    joined.post("leave/")
    assert kinds(table) == ["human", "open", "bot", "bot"]
    assert table.post("rounds/").status == 201
    assert kinds(table) == ["human", "bot", "bot", "bot"]
    table.play_on()
    assert [p is None for p in table.get("rounds/2/").json["players"]] == [False, True, True, True]


# --- leaving


def test_leaving_a_lobby_opens_the_seat_and_forgets_the_visitor(table: Table, friend: Api) -> None:
    joined = join_by_code(friend, table)
    assert joined.post("leave/").status == 200
    assert kinds(table) == ["human", "open", "bot", "bot"]
    refused(joined.get(), 404, "not_found")
    assert friend.get("sessions/").json["results"] == []
    refused(joined.post("leave/"), 404, "not_found")


def test_a_hosts_leaving_hands_the_table_to_the_next_person(
    api: Api, friend: Api, stranger: Api
) -> None:
    table = api.open_table(seats=[OPEN, BOT, OPEN])
    second, third = join_by_code(friend, table), join_by_code(stranger, table)
    table.post("leave/")
    assert second.get().json["host"] == friend.player["id"]
    assert join_by_code(api, second).get().json["host"] == friend.player["id"]
    second.post("leave/")
    assert third.get().json["host"] == stranger.player["id"]
    assert third.post("start/").status == 200


def test_the_last_persons_leaving_finishes_a_lobby(table: Table) -> None:
    answer = table.post("leave/")
    assert (answer.status, answer.json["status"]) == (200, "finished")
    assert answer.json["join_code"] is None
    assert table.row().finished_at is not None


@pytest.fixture
def led(api: Api, friend: Api, monkeypatch: pytest.MonkeyPatch) -> tuple[Table, Table]:
    """Two people, no limit; the host has led and the friend of seat 1 is to act."""
    deal_from(monkeypatch, host_leads())
    table = api.open_table(seats=[OPEN, BOT, BOT], options={"turn_seconds": 0})
    joined = join_by_code(friend, table)
    assert table.post("start/").status == 200
    assert table.move(type="play", cards=["3C"]).status == 201
    return table, joined


def test_who_leaves_in_a_round_is_played_on_and_booked_once(
    led: tuple[Table, Table], friend: Api
) -> None:
    """T4: no limit; the player who is to act leaves; the bot plays on; one settlement."""
    table, joined = led
    turn = table.state()["turn"]
    assert table.state()["to_act"] == [1]
    assert joined.post("leave/").status == 200
    state = table.state()
    assert (state["turn"], state["to_act"]) == (turn, [1])
    assert (state["seats"][1]["kind"], state["seats"][1]["player"]) == ("bot", None)
    assert joined.state()["you"] is None
    assert table.row().bot_due_at is not None
    state = table.play_on()
    assert state["status"] == "between_rounds"
    points = state["settlement"]["points"]
    entries = LedgerEntry.objects.filter(session_id=table.id)
    assert {(entry.seat, entry.amount) for entry in entries} == {(0, points[0]), (1, points[1])}
    assert str(entries.get(seat=1).player_id) == friend.player["id"]
    assert kinds(table) == ["human", "open", "bot", "bot"]


def test_who_has_left_still_reads_it_and_has_it_in_the_list(table: Table, friend: Api) -> None:
    joined = join_by_code(friend, table)
    table.post("start/")
    joined.post("leave/")
    assert joined.get().status == 200
    assert joined.state()["you"] is None
    assert joined.get().json["join_code"] is None
    assert [s["id"] for s in friend.get("sessions/").json["results"]] == [table.id]
    assert friend.get("players/me/resume/").json["results"] == []
    table.play_on()
    assert joined.get("rounds/1/").json["players"][1] == friend.player["id"]
    refused(joined.move(type="pass"), 403, "not_seated")


def test_who_comes_back_in_the_round_takes_the_seat_back(table: Table, friend: Api) -> None:
    joined = join_by_code(friend, table)
    table.post("start/")
    hand = joined.state()["you"]["hand"]
    joined.post("leave/")
    stranger = Api.guest()
    refused(stranger.post("sessions/join/", {"code": code_of(table)}), 409, "round_running")
    assert joined.post("join/").status == 200
    state = joined.state()
    assert (state["you"]["seat"], state["you"]["hand"]) == (1, hand)
    assert state["seats"][1]["kind"] == "human"
    assert table.play_on(joined)["status"] == "between_rounds"
    assert kinds(table) == ["human", "human", "bot", "bot"]


def test_a_bot_asked_for_a_seat_that_was_taken_back_does_nothing(
    led: tuple[Table, Table],
) -> None:
    table, joined = led
    turn = table.state()["turn"]
    joined.post("leave/")
    joined.post("join/")
    before = everything(table)
    assert not bot_turn_play(session_id=table.row().id, turn=turn, seat=1)
    with pytest.raises(StaleTurn):
        move_submit_for(
            session_id=table.row().id,
            seat=1,
            move=Pass(),
            turn=turn,
            actor=Actor.BOT,
            policy="late",
        )
    assert everything(table) == before


def test_the_last_persons_leaving_in_a_round_finishes_after_one_settlement(api: Api) -> None:
    table = api.open_table()
    assert table.post("leave/").json["status"] == "playing"
    state = table.bots_play()
    assert state["status"] == "finished"
    entry = LedgerEntry.objects.get(session_id=table.id)
    assert (entry.seat, entry.amount) == (0, state["settlement"]["points"][0])
    assert table.get("rounds/1/").status == 200


def test_the_last_person_may_come_back_before_the_end(api: Api) -> None:
    table = api.open_table()
    table.post("leave/")
    assert table.post("join/").json["host"] == api.player["id"]
    assert table.play_on()["status"] == "between_rounds"


def test_a_former_player_who_comes_back_to_bots_only_is_host(table: Table, friend: Api) -> None:
    joined = join_by_code(friend, table)
    table.post("start/")
    joined.post("leave/")
    table.post("leave/")
    assert joined.post("join/").json["host"] == friend.player["id"]


def test_totals_belong_to_players_not_to_seats(table: Table, friend: Api) -> None:
    joined = join_by_code(friend, table)
    table.post("start/")
    total = table.play_on(joined)["seats"][1]["total"]
    assert total != 0
    joined.post("leave/")
    assert table.state()["seats"][1]["total"] == 0
    stranger = join_by_code(Api.guest(), table)
    assert stranger.state()["seats"][1]["total"] == 0
    stranger.post("leave/")
    assert join_by_code(friend, table).state()["seats"][1]["total"] == total


def test_a_finished_session_cannot_be_left_or_joined(table: Table, friend: Api) -> None:
    table.post("finish/")
    before = everything(table)
    refused(table.post("leave/"), 409, "session_finished")
    refused(table.post("join/"), 409, "session_finished")
    refused(table.post("autoplay/", {"enabled": True}), 409, "session_finished")
    refused(table.api.call("PATCH", table.path("seats/1/"), BOT), 409, "session_finished")
    assert everything(table) == before


# --- what the host does with seats


def patch(table: Table, seat: int, body: Any) -> Answer:
    return table.api.call("PATCH", table.path(f"seats/{seat}/"), body)


def test_the_host_opens_a_seat_and_puts_bots_of_a_level_there(api: Api) -> None:
    table = api.open_table(start=False)
    assert patch(table, 2, OPEN).json["seats"][2]["kind"] == "open"
    assert code_of(table)
    answer = patch(table, 2, {"kind": "bot", "level": "easy"})
    assert answer.json["seats"][2]["bot_level"] == "easy"
    assert patch(table, 2, BOT).json["seats"][2]["bot_level"] == "normal"
    assert answer.json["version"] == 3


def test_changing_a_seat_to_what_it_is_changes_nothing(table: Table) -> None:
    before = everything(table)
    assert patch(table, 1, OPEN).status == 200
    assert patch(table, 2, BOT).status == 200
    assert everything(table) == before


def test_who_is_removed_cannot_come_back(table: Table, friend: Api) -> None:
    joined = join_by_code(friend, table)
    assert patch(table, 1, OPEN).json["seats"][1]["kind"] == "open"
    before = everything(table)
    refused(friend.post("sessions/join/", {"code": code_of(table)}), 403, "removed_from_table")
    refused(joined.get(), 404, "not_found")
    assert everything(table) == before
    assert Member.objects.get(session_id=table.id, player_id=friend.player["id"]).removed
    # Not that the table is full or playing: to wait would not help.
    code = code_of(table)
    table.post("start/")
    refused(friend.post("sessions/join/", {"code": code}), 403, "removed_from_table")


def test_who_is_removed_after_a_round_keeps_what_was_played(table: Table, friend: Api) -> None:
    joined = join_by_code(friend, table)
    table.post("start/")
    table.play_on(joined)
    assert patch(table, 1, BOT).json["seats"][1]["kind"] == "bot"
    assert joined.get("rounds/1/").status == 200
    patch(table, 2, OPEN)
    refused(joined.post("join/"), 403, "removed_from_table")


@pytest.mark.parametrize(
    ("seat", "body", "status", "code"),
    [
        (0, BOT, 409, "host_seat"),
        (4, BOT, 404, "not_found"),
        (99999999999, BOT, 404, "not_found"),
        (1, {"kind": "human"}, 400, "invalid_input"),
        (1, {"kind": "bot", "level": "god"}, 400, "invalid_input"),
        (1, {"kind": "open", "level": "easy"}, 400, "invalid_input"),
        (1, {}, 400, "invalid_input"),
    ],
)
def test_a_bad_change_of_a_seat_is_refused(
    table: Table, seat: int, body: Any, status: int, code: str
) -> None:
    before = everything(table)
    refused(patch(table, seat, body), status, code)
    assert everything(table) == before


def test_seats_are_not_changed_in_a_round_nor_by_guests(table: Table, friend: Api) -> None:
    joined = join_by_code(friend, table)
    before = everything(table)
    refused(patch(joined, 2, OPEN), 403, "not_host")
    assert everything(table) == before
    table.post("start/")
    before = everything(table)
    refused(patch(table, 1, BOT), 409, "round_running")
    assert everything(table) == before


# --- rematch


def test_all_who_ask_for_a_rematch_get_the_same_table_and_their_seats(
    api: Api, friend: Api, stranger: Api
) -> None:
    table = api.open_table(
        seats=[OPEN, {"kind": "bot", "level": "easy"}, OPEN],
        options={"bot_delay_ms": 5, "rounds": 1},
    )
    second, third = join_by_code(friend, table), join_by_code(stranger, table)
    table.post("start/")
    assert table.play_on(second, third)["status"] == "finished"
    again = third.post("rematch/")
    assert again.status == 200
    assert again.json["id"] != table.id
    assert (again.json["status"], again.json["host"]) == ("lobby", stranger.player["id"])
    assert [seat["kind"] for seat in again.json["seats"]] == ["open", "open", "bot", "human"]
    assert again.json["seats"][2]["bot_level"] == "easy"
    assert again.json["options"] == table.get().json["options"]
    assert table.get().json["rematch"] == again.json["id"]
    joined = second.post("rematch/").json
    assert joined["id"] == again.json["id"]
    assert player_ids(joined) == [None, friend.player["id"], None, stranger.player["id"]]
    assert third.post("rematch/").json["id"] == again.json["id"]
    assert table.post("rematch/").json["seats"][0]["player"]["id"] == api.player["id"]
    assert Session.objects.count() == 2


def test_a_rematch_at_once_by_all_is_one_session(api: Api, friend: Api) -> None:
    table = api.open_table(seats=[OPEN, BOT, BOT])
    joined = join_by_code(friend, table)
    table.post("finish/")
    answers: list[Answer] = []

    def ask(one: Table) -> None:
        answers.append(one.post("rematch/"))
        connection.close()

    threads = [threading.Thread(target=ask, args=(one,)) for one in (table, joined)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {answer.status for answer in answers} == {200}
    assert len({answer.json["id"] for answer in answers}) == 1
    assert Session.objects.count() == 2


def test_a_rematch_that_all_have_left_is_opened_anew(api: Api, friend: Api) -> None:
    table = api.open_table(seats=[OPEN, BOT, BOT])
    people = [table, join_by_code(friend, table)]
    table.post("finish/")
    first = table.post("rematch/").json["id"]
    assert Table(api, first).post("leave/").json["status"] == "finished"
    again = people[1].post("rematch/")
    assert (again.status, again.json["status"]) == (200, "lobby")
    assert again.json["id"] != first
    assert people[1].get().json["rematch"] == again.json["id"]
    assert people[0].post("rematch/").json["id"] == again.json["id"]


def test_a_rematch_that_has_begun_without_the_caller_is_refused(api: Api, friend: Api) -> None:
    table = api.open_table(seats=[OPEN, BOT, BOT])
    joined = join_by_code(friend, table)
    table.post("finish/")
    again = Table(api, table.post("rematch/").json["id"])
    again.post("start/")
    refused(joined.post("rematch/"), 409, "round_running")


def test_there_is_no_rematch_before_the_end_nor_for_others(
    table: Table, friend: Api, stranger: Api
) -> None:
    before = everything(table)
    refused(table.post("rematch/"), 409, "not_finished")
    refused(table.seen_by(stranger).post("rematch/"), 404, "not_found")
    assert everything(table) == before
    assert Session.objects.count() == 1


# --- T7


def test_after_a_restart_the_same_cards_and_nobody_elses(
    api: Api, friend: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T7: the app is killed and comes back; another player asks for the seat."""
    deal_from(monkeypatch, host_follows())
    table = api.open_table(seats=[OPEN, BOT, BOT])
    joined = join_by_code(friend, table)
    table.post("start/")
    before = joined.state()
    again = Table(Api(friend.token), table.id).state()
    for part in ("you", "seats", "trick", "version", "turn"):
        assert again[part] == before[part]
    stranger = Api.guest()
    refused(table.seen_by(stranger).get("state/"), 404, "not_found")
    refused(table.seen_by(stranger).post("join/"), 404, "not_found")
    assert not set(before["you"]["hand"]) & set(table.state()["you"]["hand"])
