"""Counting a player's whole ledger again: for corrections, and to see whether anything differs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from django.db import transaction

from players.selectors import players_hold
from scoring.models import (
    STARTING_BALANCE,
    LedgerEntry,
    LedgerKind,
    RoundFacts,
    Scope,
    Standing,
)
from scoring.results import FEATS, Feats, RoundResults
from scoring.services.booking import TALLIED_FIELDS, facts_of, standings_write
from scoring.services.tallies import Counted, Tally

READ_AT_ONCE: Final = 1000
FACT_FIELDS: Final = ("people", "place", *FEATS)
NO_FACTS: Final = RoundFacts(people=1, place=1)


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that is not as the ledger and the move log say; `mended` is false for the ledger
    itself, which nobody changes."""

    what: str
    where: str
    mended: bool


@dataclass(slots=True)
class Doubt:
    """Whose ledger has a gap, or belies itself or the move log, or is belied by that.

    What is derived for them is left as it is: counted from less than the truth, it would be lost.
    """

    players: set[UUID] = field(default_factory=set)
    sessions: set[UUID] = field(default_factory=set)
    games: set[str] = field(default_factory=set)


def instead(stored: object, right: object) -> str:
    """The end of a line that says what differs."""
    return f"{stored!r}, should be {right!r}"


@dataclass(slots=True)
class PlayerCount:
    """A player's ledger counted from its beginning, and the entries whose balance it belies."""

    tally: Tally
    wrong_entries: list[LedgerEntry] = field(default_factory=list)


def player_count(player_id: UUID) -> PlayerCount:
    """Every entry of the player counted in the order of booking; the player is held."""
    entries = LedgerEntry.objects.filter(player_id=player_id)
    corrected: defaultdict[tuple[UUID, int, int], int] = defaultdict(int)
    for entry in entries.filter(kind=LedgerKind.CORRECTION):
        corrected[entry.session_id, entry.round_number, entry.seat] += entry.amount
    counted = PlayerCount(Tally(player_id))
    figures, booked = _Figures(), _Figures()
    empty: dict[str, LedgerEntry] = {}  # wallets to be topped up, by game
    ordered = entries.select_related("facts").order_by("id")
    for entry in ordered.iterator(chunk_size=READ_AT_ONCE):
        if booked.after(entry, entry.amount) != entry.balance:
            counted.wrong_entries.append(entry)
        if entry.kind == LedgerKind.SETTLEMENT:
            if entry.scope == Scope.WALLET and entry.balance <= 0:
                empty[entry.game] = entry
            points = entry.amount + corrected[entry.session_id, entry.round_number, entry.seat]
            counted.tally.count(_counted(entry, points, figures.after(entry, points)))
        elif entry.kind == LedgerKind.TOP_UP:
            empty.pop(entry.game, None)
            counted.tally.balance_set(entry.game, figures.after(entry, entry.amount))
    counted.wrong_entries += empty.values()
    return counted


def facts_rebuild(rounds: Sequence[RoundResults], doubt: Doubt, *, mend: bool) -> list[Difference]:
    """The facts of these rounds, and that the ledger has a settlement for each result of them."""
    stored: dict[tuple[UUID, int, int], LedgerEntry] = {
        (entry.session_id, entry.round_number, entry.seat): entry
        for entry in LedgerEntry.objects.filter(
            kind=LedgerKind.SETTLEMENT,
            session_id__in={round_.session_id for round_ in rounds},
            round_number__in={round_.round_number for round_ in rounds},
        ).select_related("facts")
    }
    found, wrong = [], []
    for round_ in rounds:
        for result in round_.results:
            where = f"round {round_.round_number} of {round_.session_id}, seat {result.seat}"
            entry = stored.get((round_.session_id, round_.round_number, result.seat))
            if entry is None or (entry.player_id, entry.amount, entry.created_at) != (
                result.player_id,
                result.points,
                round_.settled_at,
            ):
                found.append(Difference("ledger", f"settlement of {where}", mended=False))
                doubt.games.add(round_.game)
                doubt.sessions.add(round_.session_id)
                doubt.players |= {result.player_id} | ({entry.player_id} if entry else set())
                continue
            facts = facts_of(round_, result, entry.pk)
            before = getattr(entry, "facts", None)
            names = [
                name
                for name in FACT_FIELDS
                if before is None or getattr(before, name) != getattr(facts, name)
            ]
            found += [
                Difference(
                    "facts",
                    f"{name} of {where}: "
                    + instead(getattr(before, name, None), getattr(facts, name)),
                    mended=mend,
                )
                for name in names
            ]
            if names:
                wrong.append(facts)
    if mend:
        RoundFacts.objects.bulk_create(
            wrong, update_conflicts=True, unique_fields=["entry"], update_fields=FACT_FIELDS
        )
    return found


def standings_rebuild(doubt: Doubt, *, mend: bool) -> Iterator[Difference]:
    """Every player's standings held against the ledger, one player at a time.

    Players whose ledger belies itself are added to `doubt`.
    """
    players = Standing.objects.order_by().values_list("player_id")
    players = players.union(LedgerEntry.objects.order_by().values_list("player_id"))
    for (player_id,) in players.iterator(chunk_size=READ_AT_ONCE):
        yield from _player_rebuild(player_id, doubt, mend=mend)


@transaction.atomic
def _player_rebuild(player_id: UUID, doubt: Doubt, *, mend: bool) -> list[Difference]:
    active = players_hold(player_ids=[player_id])
    counted = player_count(player_id)
    found = [
        Difference("ledger", f"balance of entry {entry.public_id}", mended=False)
        for entry in counted.wrong_entries
    ]
    if counted.wrong_entries:
        doubt.players.add(player_id)
        doubt.sessions |= {entry.session_id for entry in counted.wrong_entries}
    mend = mend and player_id not in doubt.players
    stored = {
        (row.game, row.pool, row.period): row
        for row in Standing.objects.filter(player_id=player_id)
    }
    for row in counted.tally.standings():
        row.listed = active[player_id]
        before = stored.pop((row.game, row.pool, row.period), None)
        if before is None:
            found.append(Difference("standing", f"none of {_board(row)}", mended=mend))
            continue
        found += [
            Difference(
                "standing",
                f"{name} of {_board(row)}: " + instead(getattr(before, name), getattr(row, name)),
                mended=mend,
            )
            for name in TALLIED_FIELDS
            if getattr(before, name) != getattr(row, name)
        ]
    found += [
        Difference("standing", f"{_board(row)}, who has no such round", mended=mend)
        for row in stored.values()
    ]
    if mend and any(difference.mended for difference in found):
        Standing.objects.filter(pk__in=[row.pk for row in stored.values()]).delete()
        standings_write([counted.tally], active)
    return found


def _board(row: Standing) -> str:
    return f"{row.game or 'overall'} ({row.pool}, {row.period}) of {row.player_id}"


class _Figures:
    """The running figures of one player's scopes."""

    def __init__(self) -> None:
        self._totals: defaultdict[tuple[str, UUID | None, int], int] = defaultdict(int)

    def after(self, entry: LedgerEntry, amount: int) -> int:
        """The figure of the entry's scope, moved by this amount."""
        session = None if entry.scope == Scope.WALLET else entry.session_id
        number = entry.round_number if entry.scope == Scope.ROUND else 0
        key = entry.game, session, number
        self._totals[key] += amount
        return self._totals[key] + (STARTING_BALANCE if entry.scope == Scope.WALLET else 0)


def _counted(entry: LedgerEntry, points: int, figure: int) -> Counted:
    facts = getattr(entry, "facts", NO_FACTS)
    return Counted(
        game=entry.game,
        scope=entry.scope,
        session_id=entry.session_id,
        at=entry.created_at,
        won=entry.amount > 0,
        points=points,
        figure=figure,
        people=facts.people,
        place=facts.place,
        feats=Feats(**{feat: getattr(facts, feat) for feat in FEATS}),
    )
