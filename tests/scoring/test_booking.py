"""Booking results: the ledger, the standings, and that each is moved exactly once."""

from __future__ import annotations

import threading
import uuid
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core.management.color import no_style
from django.db import IntegrityError, connection, transaction

from players.services import player_update
from scoring.models import LedgerEntry, LedgerKind, RoundFacts, Standing
from scoring.results import Feats
from tests.emptying import tables_truncate
from tests.factories import PlayerFactory
from tests.scoring.rounds import NOW, book, everything, settlement_of, standing


@pytest.mark.django_db
def test_best_is_the_highest_running_total_ever_reached() -> None:
    player = PlayerFactory()
    session_id = uuid.uuid4()
    bests = []
    total = 0
    for number, points in enumerate([-5, 12, 3, -30, 6], start=1):
        total += points
        at = NOW + timedelta(minutes=number)
        book([player], [points], [total], session_id=session_id, round_number=number, at=at)
        bests.append(standing(player).best)
    assert bests == [-5, 7, 10, 10, 10]
    reached = standing(player)
    assert (reached.best_session, reached.best_at) == (session_id, NOW + timedelta(minutes=3))
    assert (reached.rounds, reached.wins, reached.points) == (5, 3, -14)
    another = uuid.uuid4()
    book([player], [11], [11], session_id=another)
    assert (standing(player).best, standing(player).best_session) == (11, another)


@pytest.mark.django_db
def test_a_best_that_is_reached_again_stays_where_it_was_first() -> None:
    player, first = PlayerFactory(), uuid.uuid4()
    book([player], [11], session_id=first)
    book([player], [11], at=NOW + timedelta(hours=1))
    assert (standing(player).best_session, standing(player).best_at) == (first, NOW)


@pytest.mark.django_db
def test_a_round_is_booked_once_and_all_or_nothing() -> None:
    players = [PlayerFactory(), PlayerFactory()]
    session_id = uuid.uuid4()
    book(players, [7, -7], session_id=session_id)
    before = everything()
    with pytest.raises(IntegrityError), transaction.atomic():
        book(players, [7, -7], [14, -14], session_id=session_id)
    assert everything() == before


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("points", "balance", "top_up"),
    [
        (-400, 600, None),
        (-999, 1, None),
        (-1000, 1000, 1000),
        (-1240, 1000, 1240),
        (80, 1080, None),
    ],
)
def test_a_wallet_at_0_or_less_is_set_back_by_an_entry_of_its_own(
    points: int, balance: int, top_up: int | None
) -> None:
    player = PlayerFactory()
    book([player], [points], game="dou-dizhu")
    entries = LedgerEntry.objects.order_by("id").values_list("kind", "amount", "balance")
    settled = [(LedgerKind.SETTLEMENT, points, 1000 + points)]
    topped = [(LedgerKind.TOP_UP, top_up, 1000)] if top_up else []
    assert list(entries) == settled + topped
    reached = standing(player, "dou-dizhu")
    assert (reached.balance, reached.best) == (balance, max(1000, 1000 + points))
    assert (reached.best_at is None) == (points < 0)  # the start was reached in no session


@pytest.mark.django_db
@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda entry: LedgerEntry.objects.update(amount=1), id="update"),
        pytest.param(lambda entry: LedgerEntry.objects.all().delete(), id="delete"),
        pytest.param(lambda entry: entry.save(), id="save"),
        pytest.param(
            lambda entry: LedgerEntry.objects.bulk_update([entry], ["amount"]), id="bulk update"
        ),
        pytest.param(
            lambda _: connection.cursor().execute("DELETE FROM scoring_ledgerentry"), id="sql"
        ),
        pytest.param(
            lambda _: connection.cursor().execute("TRUNCATE scoring_ledgerentry CASCADE"),
            id="truncate",
        ),
    ],
)
def test_the_ledger_is_append_only(change: Any) -> None:
    player = PlayerFactory()
    book([player], [7])
    before = everything()
    RoundFacts.objects.all().delete()  # what refers to the entry is not what keeps it
    entry = settlement_of(player)
    connection.check_constraints()  # no foreign key waits for its check: TRUNCATE would refuse so
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        change(entry)
    assert everything() == before


@pytest.mark.django_db(transaction=True)
def test_a_role_that_is_no_superuser_empties_the_ledger_between_tests_only() -> None:
    book([PlayerFactory()], [7])
    tables = ["scoring_roundfacts", "scoring_ledgerentry"]
    connection.ops.execute_sql_flush(tables_truncate(connection.ops, no_style(), tables))
    assert (LedgerEntry.objects.count(), RoundFacts.objects.count()) == (0, 0)
    book([PlayerFactory()], [7])
    for statement in ("TRUNCATE scoring_ledgerentry CASCADE", "DELETE FROM scoring_ledgerentry"):
        with pytest.raises(IntegrityError, match="append-only"):
            connection.cursor().execute(statement)
    assert LedgerEntry.objects.count() == 1


@pytest.mark.django_db
def test_what_was_done_is_counted_in_the_game_and_in_all() -> None:
    player, other = PlayerFactory(), PlayerFactory()
    feats = Feats(bombs=2, springs=1, sweeps=3, grand_slams=1, home_runs=1, fouls=1, specials=1)
    book([player, other], [7, -7], places=[1, 4], feats=[feats, Feats()])
    book([player, other], [-1, 1], [6, -6], places=[3, 2], feats=[Feats(bombs=1), Feats()])
    book([player, other], [4, -4], game="big-two-hk", places=[1, 2])
    expected = {
        "big-two-tw": {"rounds": 2, "wins": 1, "points": 6, "first": 1, "third": 1, "bombs": 3},
        "big-two-hk": {"rounds": 1, "wins": 1, "points": 4, "first": 1, "third": 0, "bombs": 0},
        "": {"rounds": 3, "wins": 2, "points": 10, "first": 2, "third": 1, "bombs": 3},
    }
    for game, values in expected.items():
        counted = standing(player, game)
        assert {name: getattr(counted, name) for name in values} == values, game
    overall = standing(player, "")
    others = ("springs", "sweeps", "grand_slams", "home_runs", "fouls", "specials")
    assert [getattr(overall, name) for name in others] == [1, 3, 1, 1, 1, 1]
    assert (overall.second, overall.fourth, overall.best) == (0, 0, None)
    assert [standing(other).second, standing(other).fourth] == [1, 1]


@pytest.mark.django_db
def test_a_streak_is_of_rounds_won_in_a_row_in_each_game_and_in_all() -> None:
    player = PlayerFactory()
    for game, points in [("a", 1), ("b", 1), ("a", 2), ("b", -1), ("a", 3), ("b", 0), ("b", 5)]:
        book([player], [points], game=game)
    streaks = {
        game: (standing(player, game).streak, standing(player, game).longest_streak)
        for game in ("a", "b", "")
    }
    assert streaks == {"a": (3, 3), "b": (1, 1), "": (1, 3)}


@pytest.mark.django_db
def test_only_rounds_with_two_or_more_people_count_for_the_pool_of_humans() -> None:
    player, other = PlayerFactory(), PlayerFactory()
    book([player], [9])
    assert not Standing.objects.filter(pool="humans").exists()
    book([player, other], [4, -4])
    assert (standing(player).rounds, standing(player).best) == (2, 9)
    with_people = standing(player, pool="humans")
    assert (with_people.rounds, with_people.wins, with_people.best) == (1, 1, 4)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("second", "rounds"),
    [
        pytest.param(datetime.fromisoformat("2026-03-04T23:59:59Z"), [2, 2, 2, 2], id="same day"),
        pytest.param(datetime.fromisoformat("2026-03-05T00:00:00Z"), [2, 2, 2, 1], id="midnight"),
        pytest.param(datetime.fromisoformat("2026-03-08T23:59:59Z"), [2, 2, 2, 1], id="Sunday"),
        pytest.param(datetime.fromisoformat("2026-03-09T00:00:00Z"), [2, 2, 1, 1], id="Monday"),
        pytest.param(datetime.fromisoformat("2026-04-01T00:00:00Z"), [2, 1, 1, 1], id="April"),
        pytest.param(
            datetime.fromisoformat("2026-03-05T00:30:00+08:00"), [2, 2, 2, 2], id="UTC counts"
        ),
        pytest.param(
            datetime.fromisoformat("2026-03-03T23:59:59Z"), [2, 2, 2, 1], id="settled late"
        ),
    ],
)
def test_a_period_begins_at_midnight_utc(second: datetime, rounds: list[int]) -> None:
    """A week on Monday, a month on its 1st; a round of a day that is over never comes back."""
    player = PlayerFactory()
    book([player], [5], at=NOW)
    book([player], [7], at=second)
    periods = ("all", "month", "week", "day")
    counted = [standing(player, period=period) for period in periods]
    assert [row.rounds for row in counted] == rounds
    expected_day = max(second.astimezone(NOW.tzinfo).date(), NOW.date())
    assert counted[3].period_start == expected_day


@pytest.mark.django_db
def test_a_new_period_starts_with_nothing_but_the_wallet() -> None:
    player = PlayerFactory()
    book([player], [500], game="dou-dizhu", feats=[Feats(bombs=1)])
    book([player], [-100], game="dou-dizhu", at=NOW + timedelta(days=1))
    today = standing(player, "dou-dizhu", period="day")
    assert (today.rounds, today.wins, today.bombs, today.streak) == (1, 0, 0, 0)
    assert (today.best, today.balance) == (1400, 1400)
    assert standing(player, "dou-dizhu").best == 1500


@pytest.mark.django_db
@pytest.mark.parametrize("pool", ["all", "humans"])
@pytest.mark.parametrize("period", ["all", "month", "week", "day"])
def test_the_best_of_a_wallet_includes_the_start_on_every_board(pool: str, period: str) -> None:
    """rules.md: the highest balance ever held, the starting balance included."""
    player, other = PlayerFactory(), PlayerFactory()
    for at in (NOW - timedelta(days=40), NOW):  # the second time, each period begins anew
        book([player, other], [-120, 120], game="dou-dizhu", at=at)
        reached = standing(player, "dou-dizhu", pool=pool, period=period)
        assert (reached.best, reached.best_at, reached.best_session) == (1000, None, None)
    assert standing(other, "dou-dizhu", pool=pool, period=period).best == 1240
    assert standing(player, "").best is None


@pytest.mark.django_db
@pytest.mark.parametrize("people", [1, 4])
def test_a_round_is_booked_in_five_statements(people: int, django_assert_num_queries: Any) -> None:
    """However many people there are."""
    players = [PlayerFactory() for _ in range(people)]
    with django_assert_num_queries(5 + 2):  # and a savepoint's two
        book(players, [3, -1, -1, -1][:people])


@pytest.mark.django_db(transaction=True)
def test_two_tables_that_settle_at_once_in_opposite_order_both_count() -> None:
    """S5: no deadlock, every point there; S6: nor while somebody renames a player."""
    players = [PlayerFactory(), PlayerFactory()]
    failures: list[BaseException] = []

    def settle(order: list[Any], rounds: int) -> None:
        try:
            for _ in range(rounds):
                book(order, [2, -1])
        except BaseException as failure:
            failures.append(failure)
        finally:
            connection.close()

    def rename(times: int) -> None:
        try:
            for number in range(times):
                player_update(player=players[number % 2], display_name=f"Name {number}")
        except BaseException as failure:
            failures.append(failure)
        finally:
            connection.close()

    orders = (players, players[::-1], players, players[::-1])
    threads = [threading.Thread(target=settle, args=(order, 25)) for order in orders]
    threads.append(threading.Thread(target=rename, args=(20,)))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert [standing(player).rounds for player in players] == [100, 100]
    assert [standing(player).wins for player in players] == [50, 50]
    assert [standing(player).points for player in players] == [50, 50]
    assert LedgerEntry.objects.count() == 200
    for player in players:
        player.refresh_from_db()
    assert [player.display_name for player in players] == ["Name 18", "Name 19"]


@pytest.mark.django_db(transaction=True)
def test_a_wallet_in_two_sessions_at_once_keeps_every_bean() -> None:
    player = PlayerFactory()
    failures: list[BaseException] = []

    def settle() -> None:
        try:
            for _ in range(15):
                book([player], [20], game="dou-dizhu")
        except BaseException as failure:
            failures.append(failure)
        finally:
            connection.close()

    threads = [threading.Thread(target=settle) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    reached = standing(player, "dou-dizhu")
    assert (reached.balance, reached.best, reached.rounds) == (1900, 1900, 45)
    balances = LedgerEntry.objects.order_by("id").values_list("balance", flat=True)
    assert list(balances) == list(range(1020, 1901, 20))
