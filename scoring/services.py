"""Booking results: the ledger and the standings, in the caller's transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from scoring.models import LedgerEntry, LedgerKind, Standing

STARTING_BALANCE = 1000


@dataclass(frozen=True, slots=True)
class SeatResult:
    """What a round gave the player who was dealt this seat's hand.

    `figure` is the running figure of the scope after the round (the session's total, or the round's
    own points); for a wallet it is None and the balance is kept here.
    """

    player_id: UUID
    seat: int
    points: int
    figure: int | None


@transaction.atomic
def results_book(
    *, game: str, session_id: UUID, round_number: int, results: Sequence[SeatResult]
) -> None:
    """Book each result once and move the players' standings.

    Standings are locked in the order of their players, whatever the order of the results, so that
    two tables which settle at once never wait for each other in a ring. Raises IntegrityError if
    this round has been booked for one of the seats.
    """
    now = timezone.now()
    standings = _standings_lock(game, [result.player_id for result in results])
    entries = []
    for result in results:
        standing = standings[result.player_id]
        figure = result.figure
        if figure is None:
            assert standing.balance is not None
            figure = standing.balance = standing.balance + result.points
        entries.append(
            _entry(
                game, session_id, round_number, result, LedgerKind.SETTLEMENT, result.points, figure
            )
        )
        standing.rounds += 1
        standing.wins += result.points > 0
        _reach(standing, figure, session_id, now)
        if result.figure is None and figure <= 0:
            standing.balance = STARTING_BALANCE
            entries.append(
                _entry(
                    game,
                    session_id,
                    round_number,
                    result,
                    LedgerKind.TOP_UP,
                    STARTING_BALANCE - figure,
                    STARTING_BALANCE,
                )
            )
    LedgerEntry.objects.bulk_create(entries)
    Standing.objects.bulk_update(
        standings.values(), ["best", "best_at", "best_session", "balance", "rounds", "wins"]
    )


@transaction.atomic
def wallets_open(*, game: str, player_ids: Sequence[UUID]) -> None:
    """Give each of these players a wallet with the starting balance, where there is none yet."""
    now = timezone.now()
    Standing.objects.bulk_create(
        [
            Standing(
                player_id=player_id,
                game=game,
                balance=STARTING_BALANCE,
                best=STARTING_BALANCE,
                best_at=now,
            )
            for player_id in sorted(player_ids)
        ],
        ignore_conflicts=True,
    )


def _standings_lock(game: str, player_ids: Sequence[UUID]) -> dict[UUID, Standing]:
    ordered = sorted(player_ids)
    Standing.objects.bulk_create(
        [Standing(player_id=player_id, game=game) for player_id in ordered], ignore_conflicts=True
    )
    rows = (
        Standing.objects.select_for_update()
        .filter(player_id__in=ordered, game=game)
        .order_by("player_id")
    )
    return {standing.player_id: standing for standing in rows}


def _entry(
    game: str,
    session_id: UUID,
    round_number: int,
    result: SeatResult,
    kind: LedgerKind,
    amount: int,
    balance: int,
) -> LedgerEntry:
    return LedgerEntry(
        player_id=result.player_id,
        game=game,
        kind=kind,
        amount=amount,
        balance=balance,
        session_id=session_id,
        round_number=round_number,
        seat=result.seat,
    )


def _reach(standing: Standing, figure: int, session_id: UUID, now: datetime) -> None:
    if standing.best is None or figure > standing.best:
        standing.best, standing.best_at, standing.best_session = figure, now, session_id
