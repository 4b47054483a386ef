"""Settled rounds as the games hand them over, for tests of the scores alone."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from scoring.models import LedgerEntry, Period, Pool, Standing
from scoring.results import Feats, RoundResults, SeatResult
from scoring.services.booking import results_book

NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)  # a Wednesday
SCOPES = {"big-two-hk": "round", "dou-dizhu": "wallet"}


def book(
    players: Sequence[Any],
    points: Sequence[int],
    figures: Sequence[int] | None = None,
    *,
    game: str = "big-two-tw",
    session_id: uuid.UUID | None = None,
    round_number: int = 1,
    at: datetime = NOW,
    places: Sequence[int] | None = None,
    feats: Sequence[Feats] | None = None,
) -> RoundResults:
    """Book a round of these players; `figures` are the running totals, by default the points."""
    scope = SCOPES.get(game, "session")
    shown: Sequence[int | None] = figures or points
    if scope == "wallet":
        shown = [None] * len(players)
    placed = places or [1 + sum(other > own for other in points) for own in points]
    round_ = RoundResults(
        game=game,
        scope=scope,
        session_id=session_id or uuid.uuid4(),
        round_number=round_number,
        settled_at=at,
        results=tuple(
            SeatResult(
                player.pk,
                seat,
                points[seat],
                shown[seat],
                placed[seat],
                feats[seat] if feats else Feats(),
            )
            for seat, player in enumerate(players)
        ),
    )
    results_book(round_)
    return round_


def standing(
    player: Any,
    game: str = "big-two-tw",
    *,
    pool: str = Pool.ALL,
    period: str = Period.ALL,
) -> Standing:
    return Standing.objects.get(player_id=player.pk, game=game, pool=pool, period=period)


def settlement_of(player: Any, **filters: Any) -> LedgerEntry:
    return LedgerEntry.objects.get(player_id=player.pk, kind="settlement", **filters)


def everything() -> list[Any]:
    """Every row of the ledger and of what is derived from it, but for the ids of the rows."""
    rows = [list(LedgerEntry.objects.order_by("id").values())]
    standings = Standing.objects.order_by("player_id", "game", "pool", "period").values()
    return [*rows, [{**row, "id": None} for row in standings]]
