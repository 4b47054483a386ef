"""Sessions over the API: opened, started, listed, resumed, finished."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from games.models import Session
from tests.clients import Api, Table
from tests.deals import deal_from, hands_of, host_follows, host_leads


def everything(table: Table) -> Any:
    """Every row of a session, to compare before and after."""
    session = Session.objects.get(pk=table.id)
    return (
        {field.name: getattr(session, field.attname) for field in Session._meta.fields},
        list(session.seats.values()),
        list(session.rounds.values()),
        [list(round_.moves.values()) for round_ in session.rounds.all()],
    )


def test_a_table_needs_nothing_but_its_game(api: Api) -> None:
    answer = api.post("sessions/", {"game": "big-two-tw"})
    assert answer.status == 201
    session = answer.json
    assert session["status"] == "playing"
    assert session["host"] == api.player["id"]
    assert [seat["kind"] for seat in session["seats"]] == ["human", "bot", "bot", "bot"]
    assert session["options"] == {
        "turn_seconds": 0,
        "extension_seconds": None,
        "bot_level": "normal",
        "bot_delay_ms": 600,
        "redeal_window_ms": None,
        "rounds": None,
        "client_seed": "",
    }
    assert session["rounds_played"] == 0
    assert session["next_commitment"] is None


def test_the_commitment_is_shown_before_the_client_seed_is_chosen(api: Api) -> None:
    table = api.open_table(start=False)
    lobby = table.state()
    assert lobby["status"] == "lobby"
    assert lobby["commitment"] is None
    committed = lobby["next_commitment"]
    assert table.post("start/", {"client_seed": "三張牌 🂡"}).status == 200
    state = table.play_round()
    assert state["commitment"] == committed
    settlement = state["settlement"]
    assert hashlib.sha256(bytes.fromhex(settlement["server_seed"])).hexdigest() == committed
    assert settlement["client_seed"] == "三張牌 🂡"
    dealt = table.get("rounds/1/").json["deals"][0]["hands"]
    seed = bytes.fromhex(settlement["server_seed"])
    assert [set(hand) for hand in dealt] == [
        set(hand) for hand in hands_of(seed, client_seed="三張牌 🂡")
    ]


def test_the_next_client_seed_is_the_last_one_unless_said(api: Api) -> None:
    table = api.open_table(game="chinese-poker", options={"client_seed": " first "})
    table.play_on()
    assert table.post("rounds/", {}).status == 201
    table.play_on()
    assert table.post("rounds/", {"client_seed": ""}).status == 201
    table.play_on()
    seeds = [table.get(f"rounds/{number}/").json["client_seed"] for number in (1, 2, 3)]
    assert seeds == [" first ", " first ", ""]


def test_the_server_seed_is_out_only_after_the_round(api: Api) -> None:
    table = api.open_table()
    seed = bytes(Session.objects.get(pk=table.id).rounds.get().server_seed).hex()
    for path in ("", "state/", "moves/", "legal-plays/", "rounds/"):
        assert seed not in table.get(path).bytes.decode()
    table.play_round()
    next_seed = bytes(table.row().next_server_seed).hex()
    for path in ("", "state/", "moves/", "rounds/", "rounds/1/"):
        assert next_seed not in table.get(path).bytes.decode()
    assert table.state()["settlement"]["server_seed"] == seed


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "game"),
        ({"game": "poker"}, "game"),
        ({"game": 7}, "game"),
        ({"game": "big-two-tw", "colour": "red"}, "colour"),
        ({"game": "big-two-tw", "options": []}, "options"),
        ({"game": "big-two-tw", "options": {"bot_delay_ms": -1}}, "options.bot_delay_ms"),
        ({"game": "big-two-tw", "options": {"bot_delay_ms": 5001}}, "options.bot_delay_ms"),
        ({"game": "big-two-tw", "options": {"bot_delay_ms": "600"}}, "options.bot_delay_ms"),
        ({"game": "big-two-tw", "options": {"bot_level": "god"}}, "options.bot_level"),
        ({"game": "big-two-tw", "options": {"rounds": 0}}, "options.rounds"),
        ({"game": "big-two-tw", "options": {"client_seed": "x" * 65}}, "options.client_seed"),
        ({"game": "big-two-tw", "options": {"speed": 1}}, "options.speed"),
        ({"game": "big-two-tw", "options": {"turn_seconds": 601}}, "options.turn_seconds"),
        ({"game": "big-two-tw", "options": {"turn_seconds": -1}}, "options.turn_seconds"),
        ({"game": "big-two-tw", "options": {"extension_seconds": 5}}, "options.extension_seconds"),
        ({"game": "thirteen", "options": {"redeal_window_ms": 1}}, "options.redeal_window_ms"),
        ({"game": "big-two-tw", "seats": [{"kind": "open", "level": "easy"}] * 3}, "seats.0.level"),
        ({"game": "big-two-tw", "seats": [{"kind": "bot"}]}, "seats"),
        ({"game": "big-two-tw", "seats": [{"kind": "cat"}] * 3}, "seats.0.kind"),
        ({"game": "big-two-tw", "start": "yes"}, "start"),
        ({"game": "big-two-tw", "visibility": "secret"}, "visibility"),
    ],
)
def test_a_bad_table_is_refused_by_field(api: Api, body: Any, field: str) -> None:
    answer = api.post("sessions/", body)
    assert (answer.status, answer.code) == (400, "invalid_input")
    assert field in [error["field"] for error in answer.json["errors"]]
    assert Session.objects.count() == 0


def test_64_code_points_of_client_seed_are_taken(api: Api) -> None:
    table = api.open_table(options={"client_seed": "🂡" * 64})
    assert table.get().json["options"]["client_seed"] == "🂡" * 64


def test_bots_sit_where_and_as_asked(api: Api) -> None:
    table = api.open_table(
        options={"bot_level": "easy"},
        seats=[{"kind": "bot"}, {"kind": "bot", "level": "normal"}, {"kind": "bot"}],
    )
    levels = [seat["bot_level"] for seat in table.state()["seats"]]
    assert levels == [None, "easy", "normal", "easy"]


@pytest.mark.parametrize(
    ("method", "rest"),
    [
        ("GET", ""),
        ("GET", "state/"),
        ("GET", "state/wait/?since=0"),
        ("GET", "moves/"),
        ("GET", "legal-plays/"),
        ("GET", "rounds/"),
        ("GET", "rounds/1/"),
        ("POST", "start/"),
        ("POST", "finish/"),
        ("POST", "rounds/"),
        ("POST", "moves/"),
        ("POST", "moves/preview/"),
    ],
)
def test_a_private_session_of_others_is_not_there(
    api: Api, stranger: Api, method: str, rest: str
) -> None:
    table = api.open_table()
    before = everything(table)
    body = {"type": "pass"} if "moves" in rest else {}
    answer = stranger.call(method, table.path(rest), body if method == "POST" else None)
    assert (answer.status, answer.code) == (404, "not_found")
    assert "state" not in answer.json
    assert everything(table) == before


def test_a_watcher_of_a_public_table_sees_no_hand_and_cannot_act(api: Api, stranger: Api) -> None:
    table = api.open_table(visibility="public")
    seen = stranger.get(table.path("state/"))
    assert seen.status == 200
    assert seen.json["you"] is None
    before = everything(table)
    answer = stranger.post(table.path("moves/"), {"type": "pass"})
    assert (answer.status, answer.code) == (403, "not_seated")
    assert everything(table) == before
    answer = stranger.post(table.path("finish/"))
    assert (answer.status, answer.code) == (403, "not_host")
    assert everything(table) == before


@pytest.mark.parametrize(
    ("stage", "rest", "status", "code"),
    [
        ("lobby", "rounds/", 409, "not_started"),
        ("lobby", "moves/", 409, "round_over"),
        ("playing", "start/", 409, "already_started"),
        ("playing", "rounds/", 409, "round_running"),
        ("playing", "finish/", 409, "round_running"),
        ("between", "start/", 409, "already_started"),
        ("between", "moves/", 409, "round_over"),
        ("finished", "start/", 409, "session_finished"),
        ("finished", "rounds/", 409, "session_finished"),
        ("finished", "finish/", 409, "session_finished"),
        ("finished", "moves/", 409, "round_over"),
    ],
)
def test_each_step_at_the_wrong_time_is_refused(
    api: Api, stage: str, rest: str, status: int, code: str
) -> None:
    table = api.open_table(game="chinese-poker", start=stage != "lobby")
    if stage in ("between", "finished"):
        table.play_on()
    if stage == "finished":
        assert table.post("finish/").status == 200
    before = everything(table)
    answer = table.post(rest, {"type": "pass"} if rest == "moves/" else {})
    assert (answer.status, answer.code) == (status, code)
    assert everything(table) == before
    if rest == "moves/":
        assert answer.json["state"] == table.state()


def test_a_lobby_can_be_finished_without_a_round(api: Api) -> None:
    table = api.open_table(start=False)
    answer = table.post("finish/")
    assert (answer.status, answer.json["status"]) == (200, "finished")
    assert table.state()["next_commitment"] is None


def test_a_session_finishes_by_itself_after_its_rounds(api: Api) -> None:
    table = api.open_table(game="chinese-poker", options={"rounds": 2})
    assert table.play_on()["status"] == "between_rounds"
    assert table.post("rounds/").status == 201
    state = table.play_on()
    assert state["status"] == "finished"
    assert state["settlement"]["points"]
    assert table.get().json["finished_at"] is not None


def test_the_version_goes_up_by_one_with_every_change(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_from(monkeypatch, host_leads())
    table = api.open_table(start=False)
    versions = [table.state()["version"]]
    table.post("start/")
    versions.append(table.state()["version"])
    table.move(type="play", cards=["3C"])
    versions.append(table.state()["version"])
    table.move(type="play", cards=["3D"])
    versions.append(table.state()["version"])
    assert versions == [1, 2, 3, 3]


def test_own_sessions_are_listed_newest_first_in_pages(api: Api, stranger: Api) -> None:
    tables = [api.open_table(start=False) for _ in range(5)]
    stranger.open_table(start=False)
    seen = []
    path = "sessions/?limit=2"
    while path:
        page = api.get(path).json
        assert len(page["results"]) <= 2
        seen += [session["id"] for session in page["results"]]
        path = page["next"] and page["next"].partition("/api/v1/")[2]
    assert seen == [table.id for table in reversed(tables)]


def test_sessions_are_filtered_by_game_status_and_time(api: Api) -> None:
    lobby = api.open_table(start=False)
    finished = api.open_table(start=False)
    finished.post("finish/")
    made_at = lobby.get().json["created_at"]

    def ids(query: str) -> list[str]:
        answer = api.get(f"sessions/?{query}")
        assert answer.status == 200, answer.bytes
        return [session["id"] for session in answer.json["results"]]

    assert ids("status=finished") == [finished.id]
    assert ids("status=lobby") == [lobby.id]
    assert ids("game=big-two-tw") == [finished.id, lobby.id]
    assert ids(f"since={made_at}") == [finished.id, lobby.id]
    assert ids("since=2100-01-01T00:00:00Z") == []
    assert ids("until=2100-01-01T00:00:00Z") == [finished.id, lobby.id]
    assert ids("until=2000-01-01T00:00:00Z") == []


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("limit=99999999999999999999", "limit"),
        ("limit=x", "limit"),
        ("status=asleep", "status"),
        ("game=poker", "game"),
        ("since=yesterday", "since"),
        ("color=red", "color"),
    ],
)
def test_a_bad_filter_is_refused(api: Api, query: str, field: str) -> None:
    answer = api.get(f"sessions/?{query}")
    assert (answer.status, answer.code) == (400, "invalid_input")
    assert [error["field"] for error in answer.json["errors"]] == [field]


def test_a_bad_cursor_is_refused_by_field(api: Api) -> None:
    answer = api.get("sessions/?cursor=%00garbage")
    assert (answer.code, answer.json["errors"][0]["field"]) == ("invalid_input", "cursor")


def test_the_list_takes_the_same_queries_for_1_and_for_50_sessions(
    api: Api, django_assert_num_queries: Any
) -> None:
    def queries() -> int:
        with django_assert_num_queries(3) as captured:
            api.get("sessions/?limit=100")
        assert not any("games_move" in query["sql"] for query in captured.captured_queries)
        assert not any("games_round" in query["sql"] for query in captured.captured_queries)
        return len(captured)

    api.open_table(start=False)
    one = queries()
    for _ in range(49):
        api.open_table(start=False)
    assert queries() == one


def test_resume_names_every_open_session_most_urgent_first(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_from(monkeypatch, host_leads())
    must_act = api.open_table()
    deal_from(monkeypatch, host_follows())
    waits = api.open_table()
    done = api.open_table(start=False)
    done.post("finish/")
    entries = api.get("players/me/resume/").json["results"]
    assert [(entry["session"]["id"], entry["must_act"]) for entry in entries] == [
        (must_act.id, True),
        (waits.id, False),
    ]
    assert entries[0]["version"] == must_act.state()["version"]
    assert entries[0]["remaining_ms"] is None


def test_after_a_lost_connection_the_same_hand_is_there(api: Api, stranger: Api) -> None:
    table = api.open_table()
    before = table.state()
    again = Api(api.token)
    assert again.get(table.path("state/")).json == before
    assert stranger.get(table.path("state/")).status == 404


def test_a_deleted_players_token_is_dead(api: Api) -> None:
    table = api.open_table()
    assert api.call("DELETE", "players/me/").status == 204
    answer = table.get("state/")
    assert (answer.status, answer.code) == (401, "not_authenticated")
