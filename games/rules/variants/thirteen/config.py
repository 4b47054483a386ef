"""What a house may choose in Thirteen (rule book: 5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from games.rules.arranging.arrangement import ArrangingRules
from games.rules.arranging.fouls import RowRules
from games.rules.arranging.measure import make_measure
from games.rules.arranging.rows import Category
from games.rules.arranging.settlement import RowBonuses

ROW_BONUSES: RowBonuses = {
    ("front", Category.THREE_OF_A_KIND): 3,
    ("middle", Category.FOUR_OF_A_KIND): 4,
    ("middle", Category.STRAIGHT_FLUSH): 5,
    ("back", Category.FOUR_OF_A_KIND): 4,
    ("back", Category.STRAIGHT_FLUSH): 5,
}
SPECIAL_POINTS: Mapping[str, int] = {"dragon": 36}


@dataclass(frozen=True, slots=True)
class ThirteenConfig:
    """The chosen points and the numbers of the game."""

    seats: int = 4
    rows: RowRules = field(default_factory=RowRules)
    row_bonuses: RowBonuses = field(default_factory=lambda: ROW_BONUSES)
    """What each other seat pays the holder of a row, on top of the row's point."""
    bonus_needs_won_row: bool = False
    """Whether only a row that was won has its bonus; chosen: the row's outcome does not matter."""
    special_points: Mapping[str, int] = field(default_factory=lambda: SPECIAL_POINTS)
    sweep: int = 3
    home_run: int = 9
    """From each seat, the sweep's included."""
    foul_is_swept: bool = True
    """Whether losing every row by a foul is a sweep, also towards a home run [chosen]."""
    foul_keeps_bonuses: bool = False
    """Whether a foul has its own bonuses; chosen: they are void."""
    foul_pays_bonuses: bool = True
    """Whether a foul pays the bonuses of the others [chosen]."""
    tied_draw_is_repeated: bool = True
    """Whether the seats tied for the highest draw again [chosen]; else the first of them leads."""
    turned_from_full_deck: bool = True
    """Whether the card is turned from a full deck [chosen]; else it is the cut deck's last."""
    turn_seconds: int = 45
    extension_seconds: int = 20

    @property
    def arranging(self) -> ArrangingRules:
        """What may be set."""
        measure = make_measure(bonuses=self.row_bonuses)
        return ArrangingRules(self.rows, tuple(self.special_points), measure)
