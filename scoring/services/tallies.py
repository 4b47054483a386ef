"""Counting rounds into standings: the one way, for each booking and for all of them again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from scoring.models import OVERALL, STARTING_BALANCE, Period, Pool, Scope, Standing
from scoring.periods import period_start
from scoring.results import FEATS, Feats

PLACES: Final = ("first", "second", "third", "fourth")

Key = tuple[str, str, str]
"""Game, pool and period."""


@dataclass(frozen=True, slots=True)
class Counted:
    """One settled round of one player, as it counts.

    `points` and `figure` include what was corrected; who won stays as it was played.
    """

    game: str
    scope: str
    session_id: UUID
    at: datetime
    won: bool
    points: int
    figure: int
    people: int
    place: int
    feats: Feats


class Tally:
    """The standings of one player, to be counted further."""

    def __init__(self, player_id: UUID, standings: Iterable[Standing] = ()) -> None:
        self.player_id = player_id
        self._standings: dict[Key, Standing] = {
            (row.game, row.pool, row.period): row for row in standings
        }

    def standings(self) -> Iterator[Standing]:
        """Every standing, in a fixed order."""
        for key in sorted(self._standings):
            yield self._standings[key]

    def balance(self, game: str) -> int:
        """The wallet."""
        standing = self._standings.get((game, Pool.ALL, Period.ALL))
        if standing is None or standing.balance is None:
            return STARTING_BALANCE
        return standing.balance

    def balance_set(self, game: str, balance: int) -> None:
        """The wallet as it is now, in every standing of the game."""
        for row in self._standings.values():
            if row.game == game:
                row.balance = balance

    def count(self, counted: Counted) -> None:
        """One more round, which settled after those before."""
        _count(self._row(OVERALL, Pool.ALL, Period.ALL, counted), counted)
        for pool in Pool.values:
            if pool == Pool.HUMANS and counted.people < 2:
                continue
            for period in Period.values:
                start = period_start(period, counted.at)
                row = self._row(counted.game, pool, period, counted)
                if row.period_start < start:
                    row = self._new_row(counted.game, pool, period, counted)
                if row.period_start == start:  # no round of a day that is over, settled late
                    _count(row, counted)
                    _reach(row, counted)
        if counted.scope == Scope.WALLET:
            self.balance_set(counted.game, counted.figure)

    def _row(self, game: str, pool: str, period: str, counted: Counted) -> Standing:
        row = self._standings.get((game, pool, period))
        return row or self._new_row(game, pool, period, counted)

    def _new_row(self, game: str, pool: str, period: str, counted: Counted) -> Standing:
        row = self._standings[game, pool, period] = Standing(
            player_id=self.player_id,
            game=game,
            pool=pool,
            period=period,
            period_start=period_start(period, counted.at),
        )
        if game and counted.scope == Scope.WALLET:
            row.best = STARTING_BALANCE
        return row


def _count(row: Standing, counted: Counted) -> None:
    row.rounds += 1
    row.points += counted.points
    row.wins += counted.won
    row.streak = row.streak + 1 if counted.won else 0
    row.longest_streak = max(row.longest_streak, row.streak)
    place = PLACES[counted.place - 1]
    setattr(row, place, getattr(row, place) + 1)
    for feat in FEATS:
        setattr(row, feat, getattr(row, feat) + getattr(counted.feats, feat))


def _reach(row: Standing, counted: Counted) -> None:
    if row.best is None or counted.figure > row.best:
        row.best, row.best_at = counted.figure, counted.at
        row.best_session = counted.session_id
