"""Corrections: points of a settled round, moved by an entry of their own."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest

from scoring.errors import NoSuchSettlement
from scoring.models import LedgerEntry
from scoring.services.corrections import correction_book
from tests.factories import PlayerFactory
from tests.scoring.rounds import NOW, book, everything, settlement_of, standing


def correct(entry: LedgerEntry, amount: int, **more: Any) -> LedgerEntry:
    values = {
        "reason": "a fault in the settlement",
        "by_id": more.pop("by", None) or PlayerFactory().pk,
        "correction_id": uuid.uuid4(),
    }
    return correction_book(settlement_id=entry.public_id, amount=amount, **{**values, **more})


@pytest.mark.django_db
def test_a_correction_says_what_why_and_who_and_leaves_the_settlement() -> None:
    player, operator = PlayerFactory(), PlayerFactory()
    session_id = uuid.uuid4()
    book([player], [7], session_id=session_id)
    settled = LedgerEntry.objects.values().get()
    entry = correct(settlement_of(player), -3, by=operator.pk, reason="a misread card")
    assert (entry.kind, entry.amount, entry.balance) == ("correction", -3, 4)
    assert (entry.session_id, entry.round_number, entry.seat) == (session_id, 1, 0)
    assert (entry.reason, entry.booked_by_id) == ("a misread card", operator.pk)
    assert LedgerEntry.objects.values().get(kind="settlement") == settled


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("corrected", "amount", "best", "best_round"),
    [
        pytest.param(2, -8, 10, 1, id="the best was wrong"),
        pytest.param(1, 5, 27, 2, id="what comes after moves along"),
        pytest.param(3, 15, 31, 3, id="a later round is the best"),
        pytest.param(3, -1, 22, 2, id="nothing of the best"),
    ],
)
def test_best_is_as_if_the_round_had_settled_so(
    corrected: int, amount: int, best: int, best_round: int
) -> None:
    """Totals 10, 22, 16 over three rounds of a session."""
    player, session_id = PlayerFactory(), uuid.uuid4()
    for number, (points, total) in enumerate([(10, 10), (12, 22), (-6, 16)], start=1):
        at = NOW + timedelta(minutes=number)
        book([player], [points], [total], session_id=session_id, round_number=number, at=at)
    if (corrected, amount) == (2, -8):  # 10, 14, 8: not yet enough
        correct(settlement_of(player, round_number=2), -5)  # 10, 9, 3 with both
    entry = correct(settlement_of(player, round_number=corrected), amount)
    reached = standing(player)
    assert (reached.best, reached.best_at) == (best, NOW + timedelta(minutes=best_round))
    extra = -5 if (corrected, amount) == (2, -8) else 0
    assert entry.balance == 16 + amount + extra
    assert (reached.points, reached.wins, reached.rounds) == (16 + amount + extra, 2, 3)
    assert standing(player, "").points == 16 + amount + extra


@pytest.mark.django_db
def test_where_a_round_stands_alone_only_that_round_moves() -> None:
    player, session_id = PlayerFactory(), uuid.uuid4()
    for number, points in enumerate([30, 20], start=1):
        book([player], [points], game="big-two-hk", session_id=session_id, round_number=number)
    entry = correct(settlement_of(player, round_number=1), -25)
    assert (entry.balance, standing(player, "big-two-hk").best) == (5, 20)


@pytest.mark.django_db
def test_a_wallet_moves_and_its_best_is_what_it_would_have_held() -> None:
    player = PlayerFactory()
    for number, points in enumerate([80, -40, 500], start=1):
        book([player], [points], game="dou-dizhu", round_number=number)
    entry = correct(settlement_of(player, round_number=3), -490)
    reached = standing(player, "dou-dizhu")
    assert (entry.balance, reached.balance, reached.best) == (1050, 1050, 1080)
    book([player], [20], game="dou-dizhu")
    assert standing(player, "dou-dizhu").balance == 1070
    assert standing(player, "dou-dizhu", period="day").balance == 1070


@pytest.mark.django_db
def test_a_wallet_that_a_correction_empties_is_set_back_by_the_next_settlement() -> None:
    player = PlayerFactory()
    book([player], [80], game="dou-dizhu")
    assert correct(settlement_of(player), -1200).balance == -120
    assert standing(player, "dou-dizhu").balance == -120
    book([player], [20], game="dou-dizhu", round_number=2)
    newest = LedgerEntry.objects.order_by("-id")[:2].values_list("kind", "amount", "balance")
    assert list(newest) == [("top_up", 1100, 1000), ("settlement", 20, -100)]


@pytest.mark.django_db
def test_the_same_correction_once_more_books_nothing() -> None:
    player, correction_id = PlayerFactory(), uuid.uuid4()
    book([player], [7])
    first = correct(settlement_of(player), 5, correction_id=correction_id)
    before = everything()
    assert correct(settlement_of(player), 5, correction_id=correction_id) == first
    assert everything() == before
    correct(settlement_of(player), 5)
    assert standing(player).best == 17


@pytest.mark.django_db
def test_only_a_settlement_can_be_corrected() -> None:
    player = PlayerFactory()
    book([player], [-1000], game="dou-dizhu")
    before = everything()
    for public_id in (uuid.uuid4(), LedgerEntry.objects.get(kind="top_up").public_id):
        with pytest.raises(NoSuchSettlement):
            correction_book(
                settlement_id=public_id,
                amount=1,
                reason="why",
                by_id=player.pk,
                correction_id=uuid.uuid4(),
            )
    assert everything() == before
