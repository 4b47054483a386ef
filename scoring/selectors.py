"""Reading the ledger and the standings."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.db.models import QuerySet

from scoring.models import LedgerEntry, Standing


def balances_get(*, player_ids: Sequence[UUID], game: str) -> dict[UUID, int]:
    """The wallets of these players; who has none yet is left out."""
    rows = Standing.objects.filter(
        player_id__in=player_ids, game=game, balance__isnull=False
    ).values_list("player_id", "balance")
    return {player_id: balance for player_id, balance in rows if balance is not None}


def standings_of(*, player_id: UUID) -> dict[str, Standing]:
    """What this player has reached, by game."""
    return {standing.game: standing for standing in Standing.objects.filter(player_id=player_id)}


def ledger_of(*, player_id: UUID) -> QuerySet[LedgerEntry]:
    """Every booking of this player."""
    return LedgerEntry.objects.filter(player_id=player_id)
