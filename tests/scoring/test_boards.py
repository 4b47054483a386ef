"""Leaderboards: who is on them, in what order, with what rank, also while scores change."""

from __future__ import annotations

import random
import uuid
from datetime import timedelta
from typing import Any

import pytest

from players.models import Player
from players.services import player_ban, player_delete, player_unban
from scoring.boards import COLUMNS, Board, BoardPage, Start, board_page
from scoring.models import BoardChange, BoardMark, Metric, Standing
from scoring.services import marking
from scoring.services.marking import boards_mark
from tests.factories import PlayerFactory
from tests.scoring.rounds import NOW, book

BEST = Board("big-two-hk", "best", "all", "all")


def page(board: Board = BEST, **more: Any) -> BoardPage:
    return board_page(board, **{"limit": 10, "now": NOW, **more})


def walk(board: Board = BEST, limit: int = 10) -> list[tuple[int, Any]]:
    """The whole board, page after page: ranks and players."""
    found: list[tuple[int, Any]] = []
    shown = page(board, limit=limit)
    while True:
        found += [(rank, row.player_id) for rank, row in shown.rows]
        if not shown.more_after:
            return found
        shown = page(board, limit=limit, start=Start.AFTER, key=board.key(shown.rows[-1][1]))


def expected(board: Board) -> list[tuple[int, Any]]:
    """The same, counted one by one."""
    rows = Standing.objects.filter(
        game=board.game, pool=board.pool, period=board.period, listed=True, rounds__gt=0
    ).exclude(**{f"{COLUMNS[board.metric][0]}__isnull": True})
    keys = sorted((board.key(row) for row in rows), reverse=True)
    figures = [key[:-1] for key in keys]
    return [(1 + figures.index(key[:-1]), key[-1]) for key in keys]


@pytest.fixture
def marked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Boards are marked every few players."""
    monkeypatch.setattr(marking, "MARK_EVERY", 4)


@pytest.mark.django_db
def test_ranks_are_right_on_every_page_while_somebody_joins() -> None:
    """S13: 25 players with 100, one with 90; then one with 95."""
    equals = [PlayerFactory() for _ in range(25)]
    for player in equals:
        book([player], [100], game="big-two-hk")
    ninety = PlayerFactory()
    book([ninety], [90], game="big-two-hk")
    ids = {player.pk for player in equals}
    first = walk()
    assert [rank for rank, _ in first] == [1] * 25 + [26]
    assert {player for rank, player in first if rank == 1} == ids
    assert first[-1] == (26, ninety.pk)
    shown = page()
    between = PlayerFactory()
    book([between], [95], game="big-two-hk")
    rest = []
    while shown.more_after:
        shown = page(start=Start.AFTER, key=BEST.key(shown.rows[-1][1]))
        rest += [(rank, row.player_id) for rank, row in shown.rows]
    assert rest == [*first[10:25], (26, between.pk), (27, ninety.pk)]


@pytest.mark.django_db
@pytest.mark.parametrize("metric", Metric.values)
@pytest.mark.parametrize("pool", ["all", "humans"])
def test_ranks_with_marks_are_those_without(metric: str, pool: str, marked: None) -> None:
    """Figures with many ties, marked at several moments, changed since by rounds and deletions."""
    numbers = random.Random(f"{metric} {pool}")
    players = [PlayerFactory() for _ in range(30)]
    board = Board("dou-dizhu", metric, pool, "all")

    def play(rounds: int) -> None:
        for _ in range(rounds):
            dealt = numbers.sample(players, 3)
            stake = 10 * numbers.randint(1, 3)
            book(dealt, [2 * stake, -stake, -stake], game="dou-dizhu")

    play(40)
    assert walk(board) == expected(board)
    for _ in range(3):
        assert boards_mark(now=NOW, most_changes=0) > 0
        assert not BoardChange.objects.exists()
        assert BoardMark.objects.filter(metric=metric, pool=pool, period="all").count() > 2
        assert walk(board, 3) == expected(board)
        play(8)
        Player.objects.filter(pk=players[numbers.randrange(30)].pk).update(is_active=False)
        Standing.objects.filter(player_id=players[numbers.randrange(30)].pk).delete()
        assert BoardChange.objects.exists()
        assert walk(board, 7) == expected(board)
        for limit in (1, 4):
            shown = page(board, limit=limit, around=expected(board)[9][1], start=Start.AROUND)
            whole = expected(board)
            where = whole.index((shown.rows[0][0], shown.rows[0][1].player_id))
            got = [(rank, row.player_id) for rank, row in shown.rows]
            assert got == whole[where : where + limit]


@pytest.mark.django_db
def test_pages_go_back_as_they_came() -> None:
    for points in (7, 7, 5, 5, 5, 2, 1):
        book([PlayerFactory()], [points], game="big-two-hk")
    whole = expected(BEST)
    last = page(limit=3, start=Start.AFTER, key=BEST.key(page(limit=6).rows[-1][1]))
    assert (last.more_before, last.more_after) == (True, False)
    middle = page(limit=3, start=Start.BEFORE, key=BEST.key(last.rows[0][1]))
    assert [(rank, row.player_id) for rank, row in middle.rows] == whole[3:6]
    assert (middle.more_before, middle.more_after) == (True, True)
    first = page(limit=3, start=Start.BEFORE, key=BEST.key(middle.rows[0][1]))
    assert [(rank, row.player_id) for rank, row in first.rows] == whole[:3]
    assert (first.more_before, first.more_after) == (False, True)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("who", "shown"),
    [(0, slice(0, 3)), (1, slice(0, 3)), (4, slice(3, 6)), (6, slice(5, 7))],
)
def test_a_page_around_a_player_has_them_in_its_middle(who: int, shown: slice) -> None:
    for points in (70, 60, 50, 40, 30, 20, 10):
        book([PlayerFactory()], [points], game="big-two-hk")
    whole = expected(BEST)
    found = page(limit=3, start=Start.AROUND, around=whole[who][1])
    assert [(rank, row.player_id) for rank, row in found.rows] == whole[shown]
    assert found.more_before == (shown.start > 0)
    assert found.more_after == (shown.stop < 7)


@pytest.mark.django_db
def test_around_who_is_not_on_the_board_is_nobody() -> None:
    book([PlayerFactory()], [70], game="big-two-hk")
    found = page(start=Start.AROUND, around=uuid.uuid4())
    assert found == BoardPage([], more_before=False, more_after=False)


@pytest.mark.django_db
def test_positions_go_by_firsts_then_seconds_then_thirds_then_fourths() -> None:
    medals = {"a": (1, 1), "b": (1, 2), "c": (1, 2), "d": (2, 2), "e": (4, 1, 4), "f": (2, 2, 2)}
    players = {name: PlayerFactory(display_name=name) for name in medals}
    for name, places in medals.items():
        for place in places:
            book([players[name]], [0], game="big-two-hk", places=[place])
    rows = page(Board("big-two-hk", "positions", "all", "all")).rows
    assert [(rank, row.player.display_name) for rank, row in rows if rank != 2] == [
        (1, "a"),
        (4, "e"),
        (5, "f"),
        (6, "d"),
    ]
    assert {row.player.display_name for rank, row in rows if rank == 2} == {"b", "c"}
    shown = rows[3][1]
    assert (shown.first, shown.second, shown.third, shown.fourth) == (1, 0, 0, 2)


@pytest.mark.django_db
@pytest.mark.parametrize("period", ["day", "week", "month"])
def test_a_board_is_of_the_running_period(period: str) -> None:
    days = {"day": 1, "week": 7, "month": 31}[period]
    before, now = PlayerFactory(), PlayerFactory()
    book([before], [70], game="big-two-hk", at=NOW - timedelta(days=days))
    book([now], [50], game="big-two-hk")
    board = Board("big-two-hk", "best", "all", period)
    assert [(rank, row.player_id) for rank, row in page(board).rows] == [(1, now.pk)]
    assert page(board, now=NOW + timedelta(days=days)).rows == []
    assert len(page().rows) == 2


@pytest.mark.django_db
def test_who_is_deleted_or_banned_is_on_no_board_whatever_settles_later() -> None:
    staying, leaving, banned = (PlayerFactory() for _ in range(3))
    for player, points in ((staying, 5), (leaving, 9), (banned, 7)):
        book([player], [points], game="big-two-hk")
    player_ban(player=banned, reason="cheating", by=staying)
    player_delete(player=leaving)
    assert walk() == [(1, staying.pk)]
    book([leaving, banned], [50, -50], game="big-two-hk")
    assert walk() == [(1, staying.pk)]
    player_unban(player=banned, reason="it was a mistake", by=staying)
    assert walk() == [(1, banned.pk), (2, staying.pk)]


@pytest.mark.django_db
def test_marks_of_periods_that_are_over_are_forgotten(marked: None) -> None:
    for points in range(9):
        book([PlayerFactory()], [points], game="big-two-hk")
    boards_mark(now=NOW, most_changes=0)
    assert BoardMark.objects.filter(period="day").exists()
    boards_mark(now=NOW + timedelta(days=1), most_changes=0)
    assert not BoardMark.objects.filter(period="day").exists()
    assert BoardMark.objects.filter(period="week").exists()
