"""Big Two as played in Taiwan (rule book section 1)."""

from typing import Final

from games.rules.climbing.big_two import BigTwo
from games.rules.climbing.big_two_config import BigTwoConfig
from games.rules.climbing.big_two_patterns import PATTERNS
from games.rules.climbing.big_two_settlement import CARDS_LEFT
from games.rules.variant import Direction, Kind, Phase, ScoreScope, VariantInfo

BIG_TWO_TW: Final = BigTwo(
    VariantInfo(
        slug="big-two-tw",
        name="Big Two (Taiwan)",
        summary=(
            "Be the first to play all 13 cards. Bombs beat anything, and the losers pay for the "
            "cards that they hold."
        ),
        seats=4,
        deck_size=52,
        direction=Direction.COUNTER_CLOCKWISE,
        kind=Kind.CLIMBING,
        score_scope=ScoreScope.SESSION,
        phases=(Phase.PLAYING, Phase.SETTLED),
        move_types=("play", "pass"),
        patterns=PATTERNS,
        reasons=(CARDS_LEFT,),
        revision=1,
        bombs=("four_of_a_kind", "straight_flush"),
    ),
    BigTwoConfig(
        suit_order="CDHS",
        straights=(
            "34567",
            "45678",
            "56789",
            "6789T",
            "789TJ",
            "89TJQ",
            "9TJQK",
            "TJQKA",
            "A2345",
            "23456",
        ),
        opening_card="3C",
        bombs=True,
        payment_bands=((9, 1), (12, 2), (13, 3)),
    ),
)
