"""Which policy plays which game at which level."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bots.policies.arranging import BestArrangement, StrongestBackFirst
from bots.policies.dou_dizhu import DouDizhuPlayer, RandomDouDizhu
from bots.policies.greedy_big_two import GreedyBigTwo
from bots.policies.policy import Policy
from bots.policies.random_legal import RandomLegal
from games.rules.variants.big_two_hk import BIG_TWO_HK
from games.rules.variants.big_two_tw import BIG_TWO_TW
from games.rules.variants.chinese_poker import CHINESE_POKER
from games.rules.variants.dou_dizhu import DOU_DIZHU
from games.rules.variants.thirteen import THIRTEEN

EASY: Final = "easy"
NORMAL: Final = "normal"
LEVELS: Final = (EASY, NORMAL)

RANDOM_LEGAL: Final[Policy] = RandomLegal()

POLICIES: Final[Mapping[str, Mapping[str, Policy]]] = {
    BIG_TWO_TW.info.slug: {EASY: RANDOM_LEGAL, NORMAL: GreedyBigTwo(BIG_TWO_TW)},
    BIG_TWO_HK.info.slug: {EASY: RANDOM_LEGAL, NORMAL: GreedyBigTwo(BIG_TWO_HK)},
    DOU_DIZHU.info.slug: {EASY: RandomDouDizhu(), NORMAL: DouDizhuPlayer(DOU_DIZHU)},
    CHINESE_POKER.info.slug: {
        EASY: StrongestBackFirst(CHINESE_POKER.arranging),
        NORMAL: BestArrangement(CHINESE_POKER.arranging),
    },
    THIRTEEN.info.slug: {
        EASY: StrongestBackFirst(THIRTEEN.arranging),
        NORMAL: BestArrangement(THIRTEEN.arranging),
    },
}
ANY_GAME: Final[Mapping[str, Policy]] = dict.fromkeys(LEVELS, RANDOM_LEGAL)
"""Plays a game that has no policies of its own."""


def policy_for(slug: str, level: str) -> Policy:
    """The policy that plays this game at this level.

    Raises KeyError for a level that does not exist.
    """
    return POLICIES.get(slug, ANY_GAME)[level]
