"""How good a row is at its place, in points: the measure of the best arrangement.

A row is worth what it is expected to win against one typical opponent: the chance to win times what
it then wins, less the chance to lose, plus the bonus that it has in any case. An arrangement is
worth the sum of its rows. The chances are those among rows that were set by this same measure in
self-play (`tests/benchmarks/measure_row_strengths.py` finds the tables anew).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from games.rules.arranging.row_strengths import ROW_STRENGTHS
from games.rules.arranging.rows import ACE, LOW_RANK, ROW_NAMES, Category, RowKey
from games.rules.arranging.settlement import RowBonuses

RowStrengths: TypeAlias = Mapping[str, Mapping[Category, tuple[int, ...]]]
"""By row and category, for each first rank 2 … A: how many of 5,000 rows set there are lower than
the lowest row of that category and rank. A category that a row cannot have is left out."""

ROWS_COUNTED: Final = 5_000
POINT: Final = 10**10
"""The unit of a value: one point. Far below it, the row's key decides between equal chances."""

RANKS_PER_CATEGORY: Final = 13
LEADING_BITS: Final = 12
"""A row key without its last so many bits: the category and the first two ranks."""


@dataclass(frozen=True, slots=True)
class Measure:
    """The value of every row at each place, by category and first two ranks."""

    front_values: tuple[int, ...]
    middle_values: tuple[int, ...]
    back_values: tuple[int, ...]

    def front(self, key: RowKey) -> int:
        """The value of the row with this key as a front row."""
        return self.front_values[key >> LEADING_BITS] + key

    def middle(self, key: RowKey) -> int:
        """The value of the row with this key as a middle row."""
        return self.middle_values[key >> LEADING_BITS] + key

    def back(self, key: RowKey) -> int:
        """The value of the row with this key as a back row."""
        return self.back_values[key >> LEADING_BITS] + key


def make_measure(
    *,
    win_points: RowBonuses | None = None,
    bonuses: RowBonuses | None = None,
    strengths: RowStrengths = ROW_STRENGTHS,
) -> Measure:
    """The measure for a game.

    `win_points` is what a row wins where that is not 1, `bonuses` what it gets in any case, both by
    row and category.
    """
    win_points, bonuses = win_points or {}, bonuses or {}
    tables = []
    for row in ROW_NAMES:
        chances = _chances(strengths[row])
        values = []
        for category in Category:
            won = win_points.get((row, category), 1)
            bonus = bonuses.get((row, category), 0)
            for leading in range(category << 8, (category + 1) << 8):
                chance = chances[leading]
                values.append(round((chance * won - (1 - chance) + bonus) * POINT))
        tables.append(tuple(values))
    return Measure(*tables)


def _chances(strengths: Mapping[Category, tuple[int, ...]]) -> list[float]:
    """The chance that a row is higher than another at its place, by leading part of the key.

    Between the lowest row of one first rank and of the next, the second rank decides in proportion.
    """
    lower = [
        count
        for category in Category
        for count in strengths.get(category, (ROWS_COUNTED,) * RANKS_PER_CATEGORY)
    ]
    lower.append(ROWS_COUNTED)
    chances = []
    for category in Category:
        for first in range(16):
            step = RANKS_PER_CATEGORY * category + min(max(first, LOW_RANK), ACE) - LOW_RANK
            low, high = lower[step], lower[step + 1]
            for second in range(16):
                within = (second - 1.5) / RANKS_PER_CATEGORY if second else 0.5
                chances.append((low + (high - low) * within) / ROWS_COUNTED)
    return chances
