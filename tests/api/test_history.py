"""Sessions and rounds that have been: in pages, filtered, and cheap however many there are."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from games.models import Round
from scoring.models import LedgerEntry
from tests.clients import Api, People, Table
from tests.once import once

Json = dict[str, Any]

NO_HANDS = ('"deals"', '"outcome",', "hands", "games_move", '"server_seed"')


def pages(api: Api, path: str) -> list[list[Json]]:
    """Every page of a list, by its `next`."""
    found = []
    while path:
        answer = api.get(path)
        assert answer.status == 200, answer.bytes
        found.append(answer.json["results"])
        path = answer.json["next"] and answer.json["next"].partition("/api/v1/")[2]
    return found


def keys(rows: list[Json]) -> list[tuple[str, int]]:
    return [(row["session_id"], row["number"]) for row in rows]


def copy_rounds(table: Table, count: int, *, seconds: int = 60) -> datetime:
    """So many more rounds like the first one, and their bookings, each so much later; when the
    first was booked."""
    round_ = Round.objects.get(session_id=table.id, number=1)
    entry = LedgerEntry.objects.get(session_id=table.id, round_number=1)
    first = entry.created_at
    for number in range(2, count + 2):
        round_.pk, round_.number, round_._state.adding = None, number, True
        round_.save()
        entry.pk, entry.public_id, entry.round_number = None, uuid.uuid4(), number
        entry.created_at = first + timedelta(seconds=seconds * (number - 1))
        entry._state.adding = True
        entry.save()
    return first


def one_round() -> Table:
    """A table with one settled round."""
    table = Api.guest().open_table(options={"bot_delay_ms": 0, "bot_level": "easy"})
    table.play_round()
    return table


@pytest.fixture
def table(transactional_db: Any) -> Table:
    return once(one_round)


# --- a session's rounds ---


def test_a_sessions_rounds_are_listed_in_short_the_last_first(table: Table) -> None:
    assert table.post("rounds/").status == 201
    table.play_round()
    rows = table.get("rounds/").json["results"]
    assert [row["number"] for row in rows] == [2, 1]
    for row in rows:
        replay = table.get(f"rounds/{row['number']}/").json
        for name in ("winner", "points", "totals", "positions"):
            assert row[name] == replay["settlement"][name]
        assert row["moves"] == len(replay["moves"]) > 0
        assert (row["started_at"], row["settled_at"]) == (
            replay["started_at"],
            replay["settled_at"],
        )


def test_a_running_round_is_not_among_them(table: Table) -> None:
    assert table.post("rounds/").status == 201
    assert [row["number"] for row in table.get("rounds/").json["results"]] == [1]


def test_rounds_come_in_pages_without_a_gap_while_more_are_settled(table: Table) -> None:
    copy_rounds(table, 6)
    first = table.get("rounds/?limit=3").json
    copy = Round.objects.get(session_id=table.id, number=7)
    copy.pk, copy.number = None, 8
    copy.save()
    seen = [row["number"] for row in first["results"]]
    for page in pages(table.api, first["next"].partition("/api/v1/")[2]):
        seen += [row["number"] for row in page]
    assert seen == [7, 6, 5, 4, 3, 2, 1]


def test_a_list_of_rounds_takes_the_same_queries_and_reads_no_moves_and_no_hands(
    table: Table, django_assert_num_queries: Any
) -> None:
    def queries(rows: int) -> int:
        with django_assert_num_queries(3) as captured:
            answer = table.get("rounds/?limit=100")
        assert len(answer.json["results"]) == rows
        for query in captured.captured_queries:
            assert not any(word in query["sql"] for word in NO_HANDS), query["sql"]
        return len(captured)

    one = queries(1)
    copy_rounds(table, 49)
    assert queries(50) == one


# --- S7: sessions ---


def test_s7_one_and_fifty_finished_sessions_take_the_same_queries(
    table: Table, django_assert_num_queries: Any
) -> None:
    api = table.api

    def queries(rows: int) -> int:
        with django_assert_num_queries(3) as captured:
            answer = api.get("sessions/?limit=100&status=finished")
        assert len(answer.json["results"]) == rows
        for query in captured.captured_queries:
            for word in ("games_move", "games_round"):
                assert word not in query["sql"]
        return len(captured)

    assert table.post("finish/").status == 200
    one = queries(1)
    for _ in range(49):
        assert api.open_table(start=False).post("finish/").status == 200
    assert queries(50) == one


# --- the own rounds, over all sessions ---


def test_own_rounds_come_from_all_sessions_newest_first(table: Table, stranger: Api) -> None:
    api = table.api
    other = api.open_table(game="dou-dizhu", options={"bot_delay_ms": 0})
    other.play_on()
    theirs = stranger.open_table()
    theirs.play_round()
    assert table.post("rounds/").status == 201
    table.play_round()
    rows = api.get("players/me/rounds/").json["results"]
    assert keys(rows) == [(table.id, 2), (other.id, 1), (table.id, 1)]
    assert [row["game"] for row in rows] == ["big-two-tw", "dou-dizhu", "big-two-tw"]
    assert keys(stranger.get("players/me/rounds/").json["results"]) == [(theirs.id, 1)]
    row, short = rows[0], table.get("rounds/?limit=1").json["results"][0]
    assert {name: row[name] for name in short} == short
    assert row["seat"] == 0
    assert row["balance"] == row["totals"][0]
    me = {"id": api.player["id"], "display_name": api.player["display_name"]}
    assert row["seats"] == [{"seat": s, "player": None if s else me} for s in range(4)]
    wallet = api.get("players/me/ledger/").json["results"]
    assert rows[1]["balance"] == next(
        entry["balance"] for entry in wallet if entry["game"] == "dou-dizhu"
    )


def test_who_left_keeps_the_rounds_that_were_dealt_to_them(transactional_db: Any) -> None:
    people = People.at_a_table("big-two-tw", others=1, options={"bot_delay_ms": 0})
    host, guest = people.tables
    assert guest.post("leave/").status == 200
    host.play_on()
    assert host.post("rounds/").status == 201
    host.play_on()
    assert keys(guest.api.get("players/me/rounds/").json["results"]) == [(host.id, 1)]
    assert [row["number"] for row in host.api.get("players/me/rounds/").json["results"]] == [2, 1]


def test_own_rounds_are_filtered_by_game_and_time(table: Table) -> None:
    api = table.api
    other = api.open_table(game="chinese-poker", options={"bot_delay_ms": 0})
    other.play_on()
    first = copy_rounds(table, 2, seconds=600)

    def found(query: str) -> list[tuple[str, int]]:
        return keys([row for page in pages(api, f"players/me/rounds/?{query}") for row in page])

    def after(minutes: int) -> str:
        return (first + timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M:%SZ")

    one, two, three = ((table.id, number) for number in (1, 2, 3))
    assert found("game=big-two-tw") == [three, two, one]
    assert found("game=chinese-poker") == [(other.id, 1)]
    assert found("game=dou-dizhu") == []
    assert found(f"since={after(5)}") == [three, two]
    assert found(f"since={after(5)}&until={after(15)}") == [two]
    assert found(f"until={after(15)}&limit=1") == [two, (other.id, 1), one]
    assert found(f"game=big-two-tw&until={after(-5)}") == []
    assert found("since=2100-01-01T00:00:00Z") == []


def test_own_rounds_come_in_pages_without_a_gap_also_within_one_moment(table: Table) -> None:
    api = table.api
    copy_rounds(table, 6, seconds=0)
    found = pages(api, "players/me/rounds/?limit=3")
    assert [[row["number"] for row in page] for page in found] == [[7, 6, 5], [4, 3, 2], [1]]


def test_own_rounds_take_the_same_queries_and_read_no_moves_and_no_hands(
    table: Table, django_assert_num_queries: Any
) -> None:
    api = table.api

    def queries(rows: int) -> int:
        with django_assert_num_queries(4) as captured:
            answer = api.get("players/me/rounds/?limit=100")
        assert len(answer.json["results"]) == rows
        for query in captured.captured_queries:
            assert not any(word in query["sql"] for word in NO_HANDS), query["sql"]
        return len(captured)

    one = queries(1)
    copy_rounds(table, 49)
    assert queries(50) == one


def test_without_rounds_the_list_is_empty(api: Api) -> None:
    assert api.get("players/me/rounds/").json["results"] == []


@pytest.mark.parametrize("path", ["players/me/rounds/", "players/me/rounds/export/"])
@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("game=poker", "game"),
        ("since=yesterday", "since"),
        ("until=2020-13-01T00:00:00Z", "until"),
        ("status=finished", "status"),
    ],
)
def test_a_bad_filter_of_rounds_is_refused(api: Api, path: str, query: str, field: str) -> None:
    answer = api.get(f"{path}?{query}")
    assert (answer.status, answer.code) == (400, "invalid_input")
    assert [error["field"] for error in answer.json["errors"]] == [field]


def test_a_cursor_is_of_one_list(table: Table) -> None:
    api = table.api
    copy_rounds(table, 2)
    other = api.open_table(start=False)
    lists = [
        *("players/me/rounds/", "players/me/ledger/", "sessions/"),
        *(table.path("rounds/"), other.path("rounds/"), "leaderboards/big-two-tw/"),
    ]
    for own in lists[:4]:
        link = api.get(f"{own}?limit=1").json["next"]
        cursor = parse_qs(urlsplit(link).query)["cursor"][0]
        assert api.get(f"{own}?cursor={cursor}").status == 200
        for path in set(lists) - {own}:
            answer = api.get(f"{path}?cursor={cursor}")
            assert (answer.status, answer.code) == (400, "invalid_input"), (own, path)
            assert [error["code"] for error in answer.json["errors"]] == ["invalid_cursor"]


def test_a_cursor_of_time_goes_with_every_filter(table: Table) -> None:
    api = table.api
    copy_rounds(table, 2)
    link = api.get("players/me/rounds/?limit=1").json["next"]
    cursor = parse_qs(urlsplit(link).query)["cursor"][0]
    found = api.get(f"players/me/rounds/?game=big-two-tw&cursor={cursor}").json["results"]
    assert [row["number"] for row in found] == [2, 1]


@pytest.mark.parametrize("query", ["limit=0", "limit=101", "limit=x", "cursor=%00garbage"])
def test_a_bad_page_of_rounds_is_refused(table: Table, query: str) -> None:
    for path in ("players/me/rounds/", table.path("rounds/")):
        answer = table.api.get(f"{path}?{query}")
        assert (answer.status, answer.code) == (400, "invalid_input")
        assert [error["field"] for error in answer.json["errors"]] == [query.partition("=")[0]]


@pytest.mark.parametrize("path", ["players/me/rounds/", "players/me/rounds/export/"])
def test_own_rounds_are_for_the_player_alone(anonymous: Api, path: str) -> None:
    assert anonymous.get(path).status == 401
