"""Chinese Poker / 十三張 (rule book: 4)."""

from games.rules.variants.chinese_poker.config import ChinesePokerConfig
from games.rules.variants.chinese_poker.settlement import settle
from games.rules.variants.chinese_poker.variant import CHINESE_POKER, ChinesePoker

__all__ = ["CHINESE_POKER", "ChinesePoker", "ChinesePokerConfig", "settle"]
