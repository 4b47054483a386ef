"""Thirteen / 十三支 (rule book: 5)."""

from games.rules.variants.thirteen.config import ThirteenConfig
from games.rules.variants.thirteen.settlement import next_leader, settle
from games.rules.variants.thirteen.variant import THIRTEEN, Thirteen

__all__ = ["THIRTEEN", "Thirteen", "ThirteenConfig", "next_leader", "settle"]
