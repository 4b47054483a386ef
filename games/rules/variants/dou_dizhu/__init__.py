"""Dou Dizhu, Fight the Landlord (rule book, section 3)."""

from typing import Final

from games.rules.moves import Bid, Pass, Play
from games.rules.variant import Direction, Kind, ScoreScope, VariantInfo
from games.rules.variants.dou_dizhu.config import DouDizhuConfig
from games.rules.variants.dou_dizhu.patterns import PATTERNS, POWER
from games.rules.variants.dou_dizhu.settlement import REASONS
from games.rules.variants.dou_dizhu.variant import OPEN_TYPES, DouDizhu

DOU_DIZHU: Final = DouDizhu(
    VariantInfo(
        slug="dou-dizhu",
        name="Dou Dizhu (Fight the Landlord)",
        summary=(
            "Bid to be the landlord and play alone against two farmers. The first who has no card "
            "left wins for the own side, and every bomb doubles the stake."
        ),
        seats=3,
        deck_size=54,
        direction=Direction.COUNTER_CLOCKWISE,
        kind=Kind.CLIMBING,
        score_scope=ScoreScope.WALLET,
        phases=tuple(OPEN_TYPES),
        move_types=(Bid.type, Play.type, Pass.type),
        patterns=PATTERNS,
        reasons=REASONS,
        revision=1,
        bombs=tuple(POWER),
    ),
    DouDizhuConfig(),
)
