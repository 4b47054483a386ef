"""Reading the ledger and the standings."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db.models import QuerySet, Sum

from contract.stored_rows import rows_stored
from scoring.models import (
    OVERALL,
    STARTING_BALANCE,
    LedgerEntry,
    LedgerKind,
    Period,
    Pool,
    RoundFacts,
    Standing,
)
from scoring.results import FEATS

COUNT_FIELDS: Final = (
    *("rounds", "wins", "points", "first", "second", "third", "fourth"),
    *FEATS,
    *("streak", "longest_streak"),
)


def balances_get(*, player_ids: Collection[UUID], game: str) -> dict[UUID, int]:
    """The wallets of these players."""
    standings = _lifetime(game=game).filter(player_id__in=player_ids, balance__isnull=False)
    balances = dict.fromkeys(player_ids, STARTING_BALANCE)
    return balances | {row.player_id: row.balance or 0 for row in standings}


def standings_of(*, player_id: UUID) -> dict[str, Standing]:
    """What this player has reached so far, by game; OVERALL is among them."""
    return {row.game: row for row in _lifetime(player_id=player_id).order_by("game")}


def standing_before(*, wallet: bool) -> Standing:
    """What everybody has before the first settlement."""
    return Standing(best=STARTING_BALANCE, balance=STARTING_BALANCE) if wallet else Standing()


def _lifetime(**filters: Any) -> QuerySet[Standing]:
    return Standing.objects.filter(pool=Pool.ALL, period=Period.ALL, **filters)


def ledger_of(*, player_id: UUID) -> QuerySet[LedgerEntry]:
    """Every booking of this player."""
    return LedgerEntry.objects.filter(player_id=player_id)


def settlements_of(
    *,
    player_id: UUID,
    game: str | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
) -> QuerySet[LedgerEntry]:
    """The bookings of the rounds that this player was dealt, one a round."""
    filters = {"game": game, "created_at__gte": since, "created_at__lt": until}
    return LedgerEntry.objects.filter(
        player_id=player_id,
        kind=LedgerKind.SETTLEMENT,
        **{name: value for name, value in filters.items() if value is not None},
    )


def round_points(*, session_id: UUID) -> dict[tuple[UUID, int], int]:
    """What each player has from each round of a session, corrections included, top-ups not."""
    entries = LedgerEntry.objects.filter(session_id=session_id).exclude(kind=LedgerKind.TOP_UP)
    sums = entries.order_by().values_list("player_id", "round_number").annotate(Sum("amount"))
    return {(player_id, number): points for player_id, number, points in sums}


def player_stats(*, player_id: UUID) -> dict[str, Any]:
    """What the player has done so far, in all and in each game played; one query."""
    standings = standings_of(player_id=player_id)
    overall = standings.pop(OVERALL, Standing())
    return {
        "player": player_id,
        "overall": _counts(overall),
        "games": [_counts(standing) for standing in standings.values()],
    }


def _counts(standing: Standing) -> dict[str, Any]:
    win_rate = round(standing.wins / standing.rounds, 4) if standing.rounds else None
    shown = ("game", "best", "best_at", *COUNT_FIELDS)
    return {"win_rate": win_rate, **{name: getattr(standing, name) for name in shown}}


def scores_stored(*, player_id: UUID) -> dict[str, Iterator[dict[str, Any]]]:
    """Everything that is stored about the player here, by section."""
    ledger = LedgerEntry.objects.filter(player_id=player_id)
    facts = RoundFacts.objects.filter(entry__player_id=player_id)
    standings = Standing.objects.filter(player_id=player_id)
    return {
        "ledger": rows_stored(ledger, without=("player_id", "booked_by_id")),
        "round_facts": rows_stored(facts, without=()),
        "standings": rows_stored(standings, without=("id", "player_id")),
    }
