"""What a house may choose in Chinese Poker (rule book: 4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from games.rules.arranging.arrangement import ArrangingRules
from games.rules.arranging.fouls import RowRules
from games.rules.arranging.measure import make_measure
from games.rules.arranging.rows import Category
from games.rules.arranging.settlement import RowBonuses

ROW_VALUES: RowBonuses = {
    ("front", Category.THREE_OF_A_KIND): 3,
    ("middle", Category.FULL_HOUSE): 2,
    ("middle", Category.FOUR_OF_A_KIND): 8,
    ("middle", Category.STRAIGHT_FLUSH): 10,
    ("back", Category.FOUR_OF_A_KIND): 4,
    ("back", Category.STRAIGHT_FLUSH): 5,
}
SPECIAL_POINTS: Mapping[str, int] = {
    "dragon": 13,
    "three_flushes": 3,
    "three_straights": 3,
    "six_pairs": 3,
}


@dataclass(frozen=True, slots=True)
class ChinesePokerConfig:
    """The chosen points and the numbers of the game."""

    seats: int = 4
    rows: RowRules = field(default_factory=RowRules)
    row_values: RowBonuses = field(default_factory=lambda: ROW_VALUES)
    """What a row won with this category counts, instead of 1."""
    special_points: Mapping[str, int] = field(default_factory=lambda: SPECIAL_POINTS)
    """What each special takes from each seat that it beats; the highest special first."""
    sweep_factor: int = 2
    grand_slam_factor: int = 4
    """The factor in all, not on top of the sweep's."""

    @property
    def arranging(self) -> ArrangingRules:
        """What may be set."""
        measure = make_measure(win_points=self.row_values)
        return ArrangingRules(self.rows, tuple(self.special_points), measure)
