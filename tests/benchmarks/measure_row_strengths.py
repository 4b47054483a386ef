"""Finds the tables of `games.rules.arranging.row_strengths` anew, by self-play.

It writes that module to the standard output, in under a minute. Send it to another file first:
`python -m tests.benchmarks.measure_row_strengths > /tmp/row_strengths.py`.
The first measure says that every step of category and first rank is as good as the next; each turn
then counts the rows that the measure of the turn before sets.
"""

from __future__ import annotations

import random
from bisect import bisect_left

from games.rules.arranging.best import best_arrangement
from games.rules.arranging.fouls import RowRules
from games.rules.arranging.measure import (
    RANKS_PER_CATEGORY,
    ROWS_COUNTED,
    RowStrengths,
    make_measure,
)
from games.rules.arranging.rows import LOW_RANK, ROW_NAMES, Category
from games.rules.cards import DECK_52

HANDS_BY_TURN = (1_000, 1_000, 2_000, ROWS_COUNTED)
FRONT_CATEGORIES = (Category.HIGH_CARD, Category.PAIR, Category.THREE_OF_A_KIND)
HEADER = '''"""How strong rows are: made by `tests.benchmarks.measure_row_strengths`.

By row and category, for each first rank 2 … A: how many of 5,000 rows set there are lower than
the lowest row of that category and rank.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.rules.arranging.rows import Category

# fmt: off
ROW_STRENGTHS: Final[Mapping[str, Mapping[Category, tuple[int, ...]]]] = {'''


def even_strengths() -> RowStrengths:
    steps = RANKS_PER_CATEGORY * len(Category)
    return {
        row: {
            category: tuple(
                ROWS_COUNTED * (RANKS_PER_CATEGORY * category + rank) // steps
                for rank in range(RANKS_PER_CATEGORY)
            )
            for category in Category
        }
        for row in ROW_NAMES
    }


def counted_strengths(strengths: RowStrengths, hands: int, rng: random.Random) -> RowStrengths:
    rules = RowRules()
    measure = make_measure(strengths=strengths)
    keys: dict[str, list[int]] = {row: [] for row in ROW_NAMES}
    for _ in range(hands):
        move = best_arrangement(tuple(rng.sample(DECK_52, 13)), rules, measure)
        for row in ROW_NAMES:
            keys[row].append(rules.order.key(getattr(move, row)))
    return {
        row: {
            category: tuple(
                round(bisect_left(sorted_keys, (category << 4 | rank) << 16) * ROWS_COUNTED / hands)
                for rank in range(LOW_RANK, LOW_RANK + RANKS_PER_CATEGORY)
            )
            for category in (FRONT_CATEGORIES if row == "front" else Category)
        }
        for row, sorted_keys in ((row, sorted(of_row)) for row, of_row in keys.items())
    }


def main() -> None:
    rng = random.Random(13)
    strengths = even_strengths()
    for hands in HANDS_BY_TURN:
        strengths = counted_strengths(strengths, hands, rng)
    print(HEADER)
    for row, by_category in strengths.items():
        print(f'    "{row}": {{')
        for category, counts in by_category.items():
            print(
                f"        Category.{category.name}: (\n            {str(counts)[1:-1]}\n        ),"
            )
        print("    },")
    print("}")


if __name__ == "__main__":
    main()
