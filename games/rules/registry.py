"""The games that can be played: one line each."""

from __future__ import annotations

from typing import Any

from games.rules.variant import Variant
from games.rules.variants.big_two_hk import BIG_TWO_HK
from games.rules.variants.big_two_tw import BIG_TWO_TW
from games.rules.variants.chinese_poker import CHINESE_POKER
from games.rules.variants.dou_dizhu import DOU_DIZHU
from games.rules.variants.thirteen import THIRTEEN

VARIANTS: dict[str, Variant[Any]] = {
    variant.info.slug: variant
    for variant in (
        BIG_TWO_TW,
        BIG_TWO_HK,
        DOU_DIZHU,
        CHINESE_POKER,
        THIRTEEN,
    )
}
