"""Booking a settled round: the ledger and the standings, in the caller's transaction."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from uuid import UUID

from django.db import transaction

from players.selectors import players_hold
from scoring.models import (
    OVERALL,
    STARTING_BALANCE,
    LedgerEntry,
    LedgerKind,
    RoundFacts,
    Scope,
    Standing,
)
from scoring.results import FEATS, RoundResults, SeatResult
from scoring.services.tallies import Counted, Tally

KEY_FIELDS = ("player", "game", "pool", "period")
TALLIED_FIELDS = tuple(
    field.name for field in Standing._meta.concrete_fields if field.name not in ("id", *KEY_FIELDS)
)


@transaction.atomic
def results_book(round_: RoundResults) -> None:
    """Book each result once and move the players' standings.

    The players are held in the order of their ids, whatever the order of the results, so that two
    tables which settle at once never wait for each other in a ring; who holds a player alone counts
    for them. Raises IntegrityError if this round has been booked for one of the seats.
    """
    player_ids = [result.player_id for result in round_.results]
    active = players_hold(player_ids=player_ids)
    tallies = _tallies_read(round_.game, player_ids)
    settlements, top_ups = [], []
    for result in round_.results:
        tally = tallies[result.player_id]
        figure = result.figure
        if figure is None:
            figure = tally.balance(round_.game) + result.points
        settlements.append(
            _entry(round_, result, LedgerKind.SETTLEMENT, amount=result.points, balance=figure)
        )
        tally.count(_counted(round_, result, figure))
        if round_.scope == Scope.WALLET and figure <= 0:
            top_ups.append(
                _entry(
                    round_,
                    result,
                    LedgerKind.TOP_UP,
                    amount=STARTING_BALANCE - figure,
                    balance=STARTING_BALANCE,
                )
            )
            tally.balance_set(round_.game, STARTING_BALANCE)
    entries = LedgerEntry.objects.bulk_create([*settlements, *top_ups])
    RoundFacts.objects.bulk_create(
        facts_of(round_, result, entry.pk)
        for result, entry in zip(round_.results, entries, strict=False)
    )
    standings_write(tallies.values(), active)


def facts_of(round_: RoundResults, result: SeatResult, entry_id: int) -> RoundFacts:
    """The facts of a result, for the entry of its settlement."""
    return RoundFacts(
        entry_id=entry_id,
        people=len(round_.results),
        place=result.place,
        **{feat: getattr(result.feats, feat) for feat in FEATS},
    )


def standings_write(tallies: Iterable[Tally], active: dict[UUID, bool]) -> None:
    """Write every standing of these tallies, whose players are held; the inactive unlisted."""
    rows = []
    for tally in sorted(tallies, key=lambda tally: tally.player_id):
        for row in tally.standings():
            row.pk, row.listed = None, active[tally.player_id]
            rows.append(row)
    Standing.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=KEY_FIELDS, update_fields=TALLIED_FIELDS
    )


def _tallies_read(game: str, player_ids: Sequence[UUID]) -> dict[UUID, Tally]:
    rows = defaultdict(list)
    for row in Standing.objects.filter(player_id__in=player_ids, game__in=(OVERALL, game)):
        rows[row.player_id].append(row)
    return {player_id: Tally(player_id, rows[player_id]) for player_id in player_ids}


def _counted(round_: RoundResults, result: SeatResult, figure: int) -> Counted:
    return Counted(
        game=round_.game,
        scope=round_.scope,
        session_id=round_.session_id,
        at=round_.settled_at,
        won=result.points > 0,
        points=result.points,
        figure=figure,
        people=len(round_.results),
        place=result.place,
        feats=result.feats,
    )


def _entry(
    round_: RoundResults, result: SeatResult, kind: LedgerKind, *, amount: int, balance: int
) -> LedgerEntry:
    return LedgerEntry(
        player_id=result.player_id,
        game=round_.game,
        kind=kind,
        scope=round_.scope,
        amount=amount,
        balance=balance,
        session_id=round_.session_id,
        round_number=round_.round_number,
        seat=result.seat,
        created_at=round_.settled_at,
    )
