"""A transaction that PostgreSQL gave up is done again as a whole, a few times."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from django.db import DatabaseError, OperationalError, connection, transaction
from django.db.models import F

from contract.transactions import TRIES, atomic_retried
from scoring.models import Standing
from tests.factories import PlayerFactory
from tests.races import at_once

GAMES = ("big-two-tw", "thirteen")
DEADLOCK, SERIALIZATION = "40P01", "40001"


def fail(state: str) -> None:
    """Let PostgreSQL raise an error of this SQLSTATE."""
    with connection.cursor() as cursor:
        cursor.execute(f"DO $$ BEGIN RAISE EXCEPTION 'planted' USING ERRCODE = '{state}'; END $$")


def failing(state: str, *, times: int) -> tuple[Callable[[], str], list[int]]:
    """A change that fails so many times before it succeeds, and the numbers of its tries."""
    tries: list[int] = []

    @atomic_retried
    def change() -> str:
        tries.append(len(tries) + 1)
        PlayerFactory(display_name=f"try {tries[-1]}")
        transaction.on_commit(lambda: committed.append(tries[-1]))
        if len(tries) <= times:
            fail(state)
        return "done"

    committed: list[int] = []
    return change, committed


def names() -> list[str]:
    players = PlayerFactory._meta.model.objects
    return list(players.order_by("created_at").values_list("display_name", flat=True))


@pytest.mark.parametrize("state", [DEADLOCK, SERIALIZATION])
@pytest.mark.parametrize("times", [0, 1, TRIES - 1])
def test_what_was_given_up_is_done_again_as_a_whole(
    transactional_db: None, state: str, times: int
) -> None:
    change, committed = failing(state, times=times)
    assert change() == "done"
    assert names() == [f"try {times + 1}"]
    assert committed == [times + 1]


@pytest.mark.parametrize("state", [DEADLOCK, SERIALIZATION])
def test_after_a_few_tries_the_error_is_told(transactional_db: None, state: str) -> None:
    change, committed = failing(state, times=TRIES)
    with pytest.raises(OperationalError):
        change()
    assert (names(), committed) == ([], [])


@pytest.mark.parametrize(
    "state",
    [
        pytest.param("57014", id="statement cancelled"),
        pytest.param("55P03", id="lock not available"),
        pytest.param("53300", id="too many connections"),
        pytest.param("23505", id="unique violation"),
    ],
)
def test_other_errors_are_not_tried_again(transactional_db: None, state: str) -> None:
    change, committed = failing(state, times=1)
    with pytest.raises(DatabaseError):
        change()
    assert (names(), committed) == ([], [])


def test_a_part_of_a_transaction_is_done_again_with_the_whole(transactional_db: None) -> None:
    part, committed = failing(DEADLOCK, times=1)
    began: list[str] = []

    @atomic_retried
    def whole() -> str:
        began.append("whole")
        return part()

    assert whole() == "done"
    assert began == ["whole", "whole"]
    assert (names(), committed) == (["try 2"], [2])


def test_two_that_lock_in_opposite_order_both_succeed(transactional_db: None) -> None:
    """A deadlock of PostgreSQL's own: each holds what the other wants."""
    player = PlayerFactory()
    rows = [Standing.objects.create(player_id=player.pk, game=game) for game in GAMES]
    both_hold_one = threading.Barrier(2)
    tries: list[int] = []

    def change(order: list[Standing]) -> Callable[[], None]:
        first_try = [True]

        @atomic_retried
        def run() -> None:
            tries.append(1)
            for row in order:
                Standing.objects.filter(pk=row.pk).update(rounds=F("rounds") + 1)
                if first_try:
                    first_try.clear()
                    both_hold_one.wait(30)

        return run

    at_once(change(rows), change(rows[::-1]))
    assert [row.rounds for row in Standing.objects.order_by("id")] == [2, 2]
    assert len(tries) > 2  # who is sent back may be quick enough to meet the other once more
