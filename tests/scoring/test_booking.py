"""Booking results: the ledger, the standings, and that each is moved exactly once."""

from __future__ import annotations

import threading
import uuid
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from scoring.models import LedgerEntry, LedgerKind, Standing
from scoring.services import SeatResult, results_book, wallets_open
from tests.factories import PlayerFactory


def book(players: list[Any], points: list[int], figures: list[int] | None, **more: Any) -> None:
    results_book(
        game=more.get("game", "big-two-tw"),
        session_id=more.get("session_id") or uuid.uuid4(),
        round_number=more.get("round_number", 1),
        results=[
            SeatResult(player.pk, seat, points[seat], figures[seat] if figures else None)
            for seat, player in enumerate(players)
        ],
    )


def standing(player: Any, game: str = "big-two-tw") -> Standing:
    return Standing.objects.get(player_id=player.pk, game=game)


@pytest.mark.django_db
def test_best_is_the_highest_running_total_ever_reached() -> None:
    player = PlayerFactory()
    session_id = uuid.uuid4()
    bests = []
    total = 0
    for number, points in enumerate([-5, 12, 3, -30, 6], start=1):
        total += points
        book([player], [points], [total], session_id=session_id, round_number=number)
        bests.append(standing(player).best)
    assert bests == [-5, 7, 10, 10, 10]
    assert standing(player).best_session == session_id
    assert (standing(player).rounds, standing(player).wins) == (5, 3)
    another = uuid.uuid4()
    book([player], [11], [11], session_id=another)
    assert (standing(player).best, standing(player).best_session) == (11, another)


@pytest.mark.django_db
def test_a_round_is_booked_once_and_all_or_nothing() -> None:
    players = [PlayerFactory(), PlayerFactory()]
    session_id = uuid.uuid4()
    book(players, [7, -7], [7, -7], session_id=session_id)
    before = [list(Standing.objects.order_by("id").values()), list(LedgerEntry.objects.values())]
    with pytest.raises(IntegrityError), transaction.atomic():
        book(players, [7, -7], [14, -14], session_id=session_id)
    assert before == [
        list(Standing.objects.order_by("id").values()),
        list(LedgerEntry.objects.values()),
    ]


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
    wallets_open(game="dou-dizhu", player_ids=[player.pk])
    book([player], [points], None, game="dou-dizhu")
    assert standing(player, "dou-dizhu").balance == balance
    entries = LedgerEntry.objects.order_by("id").values_list("kind", "amount", "balance")
    settled = [(LedgerKind.SETTLEMENT, points, 1000 + points)]
    topped = [(LedgerKind.TOP_UP, top_up, 1000)] if top_up else []
    assert list(entries) == settled + topped
    assert standing(player, "dou-dizhu").best == max(1000, 1000 + points)


@pytest.mark.django_db
def test_a_wallet_is_opened_once() -> None:
    player = PlayerFactory()
    wallets_open(game="dou-dizhu", player_ids=[player.pk])
    book([player], [80], None, game="dou-dizhu")
    wallets_open(game="dou-dizhu", player_ids=[player.pk])
    assert standing(player, "dou-dizhu").balance == 1080


@pytest.mark.django_db(transaction=True)
def test_two_tables_that_settle_at_once_in_opposite_order_both_count() -> None:
    """S5: no deadlock, every point there."""
    players = [PlayerFactory(), PlayerFactory()]
    failures: list[BaseException] = []

    def settle(order: list[Any], rounds: int) -> None:
        try:
            for _ in range(rounds):
                book(order, [2, -1], [2, -1])
        except BaseException as failure:
            failures.append(failure)
        finally:
            connection.close()

    threads = [
        threading.Thread(target=settle, args=(order, 25))
        for order in (players, players[::-1], players, players[::-1])
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert [standing(player).rounds for player in players] == [100, 100]
    assert [standing(player).wins for player in players] == [50, 50]
    assert LedgerEntry.objects.count() == 200
