"""Dou Dizhu, Fight the Landlord (rule book, section 3)."""

from typing import Final

from games.rules.moves import Bid, Pass, Play
from games.rules.variant import Direction, Kind, ScoreScope, VariantInfo
from games.rules.variants.dou_dizhu.config import DouDizhuConfig
from games.rules.variants.dou_dizhu.patterns import PATTERNS
from games.rules.variants.dou_dizhu.variant import DouDizhu

DOU_DIZHU: Final = DouDizhu(
    VariantInfo(
        slug="dou-dizhu",
        names={"en": "Dou Dizhu (Fight the Landlord)", "zh-Hant": "鬥地主"},
        summaries={
            "en": (
                "Bid to be the landlord and play alone against two farmers. The first who has no "
                "card left wins for the own side, and every bomb doubles the stake."
            ),
            "zh-Hant": "叫分搶地主，一人對抗兩名農民；先出完牌的一方獲勝，每個炸彈都使賭注加倍。",
        },
        seats=3,
        deck_size=54,
        direction=Direction.COUNTER_CLOCKWISE,
        kind=Kind.CLIMBING,
        score_scope=ScoreScope.WALLET,
        move_types=(Bid.type, Play.type, Pass.type),
        patterns=PATTERNS,
        revision=1,
    ),
    DouDizhuConfig(),
)
