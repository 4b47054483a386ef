"""Big Two as played in Hong Kong (rule book section 2)."""

from typing import Final

from games.rules.climbing.big_two import BigTwo
from games.rules.climbing.big_two_config import BigTwoConfig
from games.rules.climbing.big_two_patterns import PATTERNS
from games.rules.climbing.big_two_redeal import RedealRule
from games.rules.climbing.big_two_settlement import CARDS_LEFT
from games.rules.variant import Direction, Kind, Phase, ScoreScope, VariantInfo

BIG_TWO_HK: Final = BigTwo(
    VariantInfo(
        slug="big-two-hk",
        name="Big Two (Hong Kong)",
        summary=(
            "Be the first to play all 13 cards. No bombs, dearer payments, and a poor hand may "
            "call for a redeal."
        ),
        seats=4,
        deck_size=52,
        direction=Direction.COUNTER_CLOCKWISE,
        kind=Kind.CLIMBING,
        score_scope=ScoreScope.ROUND,
        phases=(Phase.PLAYING, Phase.REDEAL, Phase.SETTLED),
        move_types=("play", "pass", "call_redeal", "answer_redeal"),
        patterns=PATTERNS,
        reasons=(CARDS_LEFT,),
        revision=1,
        options={"redeal_window_ms": 3000},
    ),
    BigTwoConfig(
        suit_order="DCHS",
        straights=(
            "34567",
            "45678",
            "56789",
            "6789T",
            "789TJ",
            "89TJQ",
            "9TJQK",
            "TJQKA",
        ),
        opening_card="3D",
        bombs=False,
        payment_bands=((7, 1), (9, 2), (12, 3), (13, 4)),
        redeal=RedealRule(),
    ),
)
