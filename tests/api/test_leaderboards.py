"""Leaderboards over HTTP."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.utils import timezone

from players.models import Player
from tests.clients import Answer, Api
from tests.factories import PlayerFactory
from tests.scoring.rounds import book

BOARD = "leaderboards/big-two-hk/"


def follow(api: Api, link: str) -> Answer:
    parts = urlsplit(link)
    return api.get(f"{parts.path}?{parts.query}")


def reached(points: int, **more: Any) -> Player:
    player = PlayerFactory()
    book([player], [points], game="big-two-hk", at=more.pop("at", timezone.now()), **more)
    return player


def own(api: Api) -> Player:
    return Player.objects.get(pk=api.player["id"])


def test_a_place_says_who_it_is_and_what_they_have_reached(api: Api) -> None:
    other = reached(9)
    book([own(api), other], [30, -30], game="big-two-hk", at=timezone.now())
    answer = api.get(BOARD)
    assert answer.status == 200
    assert (answer.json["next"], answer.json["previous"]) == (None, None)
    first, second = answer.json["results"]
    best_at = first.pop("best_at")
    assert best_at is not None
    assert first == {
        "rank": 1,
        "player": {"id": api.player["id"], "display_name": api.player["display_name"]},
        "is_you": True,
        "best": 30,
        "balance": None,
        "rounds": 1,
        "wins": 1,
        "first": 1,
        "second": 0,
        "third": 0,
        "fourth": 0,
    }
    assert (second["rank"], second["player"]["id"], second["is_you"]) == (2, str(other.pk), False)
    assert (second["best"], second["first"], second["second"]) == (9, 1, 1)


def test_the_pages_go_on_and_back(api: Api) -> None:
    """S13."""
    for _ in range(25):
        reached(100)
    reached(90)
    first = api.get(f"{BOARD}?limit=10").json
    assert [row["rank"] for row in first["results"]] == [1] * 10
    reached(95)
    second = follow(api, first["next"]).json
    third = follow(api, second["next"]).json
    assert [row["rank"] for row in second["results"] + third["results"]] == [1] * 15 + [26, 27]
    assert third["next"] is None
    shown = [row["player"]["id"] for page in (first, second, third) for row in page["results"]]
    assert len(set(shown)) == 27
    back = follow(api, third["previous"]).json
    assert back["results"] == second["results"]
    assert follow(api, back["previous"]).json["previous"] is None


@pytest.mark.parametrize(
    ("query", "ranked"),
    [
        ("", [("a", 1), ("b", 2), ("c", 3)]),
        ("metric=wins", [("c", 1), ("a", 2), ("b", 2)]),
        ("metric=positions", [("c", 1), ("b", 2), ("a", 3)]),
        ("metric=balance", []),
        ("pool=humans", [("b", 1), ("a", 2)]),
        ("pool=humans&metric=wins", [("b", 1), ("a", 2)]),
        ("period=day", [("b", 1), ("c", 2), ("a", 3)]),
        ("period=month&metric=best", None),
    ],
)
def test_each_board_goes_by_its_own(
    api: Api, query: str, ranked: list[tuple[str, int]] | None
) -> None:
    a, b, c = (PlayerFactory(display_name=name) for name in "abc")
    now = timezone.now()
    book([a], [50], game="big-two-hk", at=now - timedelta(days=40), places=[4])
    book([b, a], [30, -30], game="big-two-hk", at=now)
    book([c], [10], game="big-two-hk", at=now)
    book([c], [20], game="big-two-hk", at=now)
    if ranked == [("c", 1), ("a", 2), ("b", 2)]:  # equals stand in the order of their ids
        ranked = [ranked[0], *sorted(ranked[1:], key=lambda p: {"a": a, "b": b}[p[0]].pk)[::-1]]
    answer = api.get(f"{BOARD}?{query}")
    shown = [(row["player"]["display_name"], row["rank"]) for row in answer.json["results"]]
    assert shown == (ranked or ([] if ranked == [] else [("b", 1), ("c", 2), ("a", 3)]))


def test_around_me_and_from_there_on(api: Api) -> None:
    for points in (90, 80, 70):
        reached(points)
    book([own(api)], [60], game="big-two-hk", at=timezone.now())
    for points in (60, 50, 40):
        reached(points)
    answer = api.get(f"{BOARD}?around=me&limit=3").json
    assert [row["is_you"] for row in answer["results"]].count(True) == 1
    whole = api.get(BOARD).json["results"]
    place = [row["is_you"] for row in whole].index(True)
    assert answer["results"] == whole[place - 1 : place + 2]
    assert follow(api, answer["next"]).json["results"] == whole[place + 2 : place + 5]
    assert follow(api, answer["previous"]).json["results"] == whole[max(place - 4, 0) : place - 1]


def test_around_me_without_a_round_is_an_empty_page(api: Api) -> None:
    reached(5)
    answer = api.get(f"{BOARD}?around=me")
    assert answer.json == {"next": None, "previous": None, "results": []}


def test_bots_are_on_no_board_and_who_deletes_the_account_neither(api: Api, stranger: Api) -> None:
    table = api.open_table(game="big-two-hk", options={"bot_delay_ms": 0})
    table.play_on()
    for metric in ("best", "wins", "positions"):
        answer = stranger.get(f"{BOARD}?metric={metric}")
        assert [row["player"]["id"] for row in answer.json["results"]] == [api.player["id"]]
    assert stranger.get(f"{BOARD}?pool=humans").json["results"] == []
    assert api.call("DELETE", "players/me/").status == 204
    assert stranger.get(BOARD).json["results"] == []


@pytest.mark.parametrize(
    "game", ["big-two-tw", "big-two-hk", "dou-dizhu", "chinese-poker", "thirteen"]
)
def test_every_game_has_its_places(api: Api, game: str) -> None:
    table = api.open_table(game=game, options={"bot_delay_ms": 0})
    state = table.play_on()
    points = state["settlement"]["points"]
    place = (state["settlement"]["positions"] or places(points))[0]
    (row,) = api.get(f"leaderboards/{game}/?metric=positions").json["results"]
    counted = [row["first"], row["second"], row["third"], row["fourth"]]
    assert counted == [int(number == place) for number in (1, 2, 3, 4)]
    assert row["balance"] == (1000 + points[0] if game == "dou-dizhu" else None)


def places(points: list[int]) -> list[int]:
    return [1 + sum(other > own for other in points) for own in points]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("metric=luck", "metric"),
        ("period=year", "period"),
        ("pool=bots", "pool"),
        ("around=you", "around"),
        ("limit=0", "limit"),
        ("colour=red", "colour"),
        ("cursor=nonsense", "cursor"),
        ("cursor=%00", "cursor"),
        ("cursor=W10", "cursor"),  # []
        ("cursor=bnVsbA", "cursor"),  # null
        ("cursor=WyJhZnRlciIsOTk5OTk5OTk5OTk5LCJ4Il0", "cursor"),  # a figure out of range
    ],
)
def test_a_board_that_there_is_not(api: Api, query: str, field: str) -> None:
    answer = api.get(f"{BOARD}?{query}")
    assert (answer.status, answer.code) == (400, "invalid_input")
    assert [error["field"] for error in answer.json["errors"]] == [field]


@pytest.mark.parametrize(
    ("board", "taken"),
    [
        pytest.param("big-two-hk/?metric=wins", True, id="its own"),
        pytest.param("big-two-hk/?metric=wins&pool=all&period=all", True, id="its own, in full"),
        pytest.param("big-two-hk/?metric=wins&limit=2", True, id="its own, in longer pages"),
        pytest.param("big-two-hk/", False, id="another metric"),
        pytest.param("big-two-hk/?metric=positions", False, id="a metric of more figures"),
        pytest.param("big-two-hk/?metric=wins&pool=humans", False, id="another pool"),
        pytest.param("big-two-hk/?metric=wins&period=week", False, id="another period"),
        pytest.param("chinese-poker/?metric=wins", False, id="another game"),
    ],
)
def test_a_cursor_is_of_one_board(api: Api, board: str, taken: bool) -> None:
    book([PlayerFactory()], [2], game="big-two-hk", at=timezone.now(), places=[1])
    book([PlayerFactory()], [1], game="big-two-hk", at=timezone.now(), places=[1])
    link = api.get(f"{BOARD}?metric=wins&limit=1").json["next"]
    cursor = parse_qs(urlsplit(link).query)["cursor"][0]
    path, _, query = f"leaderboards/{board}".partition("?")
    answer = api.get(f"{path}?{query}&cursor={cursor}")
    if taken:
        assert (answer.status, len(answer.json["results"])) == (200, 1)
    else:
        assert (answer.status, answer.code) == (400, "invalid_input")
        (error,) = answer.json["errors"]
        assert (error["field"], error["code"]) == ("cursor", "invalid_cursor")


def test_no_such_game_and_no_token(api: Api, anonymous: Api) -> None:
    assert api.get("leaderboards/poker/").code == "not_found"
    assert anonymous.get(BOARD).code == "not_authenticated"


def test_a_page_takes_as_many_queries_with_one_player_as_with_many(
    api: Api, django_assert_num_queries: Any
) -> None:
    reached(1)
    with django_assert_num_queries(3):  # the token, the page, the names
        api.get(BOARD)
    for points in range(12):
        reached(points)
    with django_assert_num_queries(3):
        assert len(api.get(BOARD).json["results"]) == 13
