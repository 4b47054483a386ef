"""Correcting the points of a round by a new entry of the ledger."""

from __future__ import annotations

from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Sum
from django.utils import timezone

from players.selectors import players_hold
from scoring.errors import NoSuchSettlement
from scoring.models import STARTING_BALANCE, LedgerEntry, LedgerKind, Scope
from scoring.services.booking import standings_write
from scoring.services.recounting import player_count
from scoring.signals import points_correcting


def correction_book(
    *, settlement_id: UUID, amount: int, reason: str, by_id: UUID, correction_id: UUID
) -> LedgerEntry:
    """Give (or, below 0, take) points or beans for a round that was settled, and say why.

    It counts where the round counts that it corrects: in the session's total, the balance, and in
    bests and points of every board as if the round had settled so. Wins, places and streaks stay as
    played. A wallet is topped up by settlements only.

    `settlement_id` and `correction_id` are public ids, the latter of the new entry: the same once
    more books nothing and gives the entry that is there. Raises NoSuchSettlement.
    """
    try:
        with transaction.atomic():
            return _booked(correction_id) or _book(
                settlement_id, amount, reason=reason, by_id=by_id, correction_id=correction_id
            )
    except IntegrityError:  # somebody was faster
        entry = _booked(correction_id)
        if entry is None:
            raise
        return entry


def _booked(correction_id: UUID) -> LedgerEntry | None:
    return LedgerEntry.objects.filter(public_id=correction_id).first()


def _book(
    settlement_id: UUID, amount: int, *, reason: str, by_id: UUID, correction_id: UUID
) -> LedgerEntry:
    settlements = LedgerEntry.objects.filter(kind=LedgerKind.SETTLEMENT)
    settled = settlements.filter(public_id=settlement_id).first()
    if settled is None:
        raise NoSuchSettlement
    points_correcting.send(
        sender=LedgerEntry,
        session_id=settled.session_id,
        round_number=settled.round_number,
        player_id=settled.player_id,
        amount=amount,
    )
    active = players_hold(player_ids=[settled.player_id])
    entry = LedgerEntry.objects.create(
        public_id=correction_id,
        player_id=settled.player_id,
        game=settled.game,
        kind=LedgerKind.CORRECTION,
        scope=settled.scope,
        amount=amount,
        balance=_figure(settled) + amount,
        session_id=settled.session_id,
        round_number=settled.round_number,
        seat=settled.seat,
        reason=reason,
        booked_by_id=by_id,
        created_at=timezone.now(),
    )
    standings_write([player_count(settled.player_id).tally], active)
    return entry


def _figure(settled: LedgerEntry) -> int:
    """The running figure of the scope that the settlement belongs to, as it is now."""
    entries = LedgerEntry.objects.filter(player_id=settled.player_id, game=settled.game)
    if settled.scope != Scope.WALLET:
        entries = entries.filter(session_id=settled.session_id)
    if settled.scope == Scope.ROUND:
        entries = entries.filter(round_number=settled.round_number)
    start = STARTING_BALANCE if settled.scope == Scope.WALLET else 0
    return start + (entries.aggregate(total=Sum("amount"))["total"] or 0)
