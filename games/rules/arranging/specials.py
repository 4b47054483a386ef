"""Special hands: what 13 cards are as a whole (rule book: 4, special hands; 5, Dragon)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import combinations_with_replacement
from typing import Final

from games.rules.arranging.rows import (
    ACE,
    FRONT_SIZE,
    RANK_CODES,
    RANK_FIELD,
    RANKS_LOW_TO_HIGH,
    ROW_SIZE,
    CardCode,
    code_of,
)
from games.rules.cards import Card


def _runs(size: int) -> list[CardCode]:
    """The rank codes of all runs of this many cards, the ace low or high, without a wrap."""
    ranks = (ACE, *RANKS_LOW_TO_HIGH)
    return [
        sum(RANK_CODES[rank] for rank in ranks[start : start + size])
        for start in range(len(ranks) - size + 1)
    ]


EACH_RANK_ONCE: Final[CardCode] = sum(RANK_CODES.values())
THREE_RUNS: Final[frozenset[CardCode]] = frozenset(
    front + middle + back
    for front in _runs(FRONT_SIZE)
    for middle, back in combinations_with_replacement(_runs(ROW_SIZE), 2)
)
SUIT_LENGTHS_OF_THREE_FLUSHES: Final = frozenset({(3, 5, 5), (0, 5, 8), (0, 3, 10), (0, 0, 13)})
"""The three longest suits, short to long, where 3 + 5 + 5 cards of one suit each can be made."""


def is_dragon(cards: Iterable[Card]) -> bool:
    """Each rank once."""
    return code_of(cards) & RANK_FIELD == EACH_RANK_ONCE


def is_three_flushes(cards: Iterable[Card]) -> bool:
    """Can be split into 3 + 5 + 5, each of one suit."""
    lengths = [0, 0, 0, 0]
    for card in cards:
        lengths[card % 4] += 1
    shortest, *others = sorted(lengths)
    return shortest == 0 and tuple(others) in SUIT_LENGTHS_OF_THREE_FLUSHES


def is_three_straights(cards: Iterable[Card]) -> bool:
    """Can be split into 3 + 5 + 5, each a run."""
    return code_of(cards) & RANK_FIELD in THREE_RUNS


def is_six_pairs(cards: Iterable[Card]) -> bool:
    """Six pairs and a single card; a four is two pairs, a triple a pair and the single."""
    code = code_of(cards)
    return sum((code // rank_code % 8) // 2 for rank_code in RANK_CODES.values()) == 6


DEALT_OF_ALL: Final[Mapping[str, int]] = {
    "dragon": 67_108_864,
    "three_flushes": 5_704_632_648,
    "three_straights": 1_939_866_200,
    "six_pairs": 2_832_770_512,
}
"""How many of all hands of 13 cards are this special and none that stands above it here. Counted by
`tests/rules/test_chances.py`."""

SPECIALS: Final[Mapping[str, Callable[[Iterable[Card]], bool]]] = {
    "dragon": is_dragon,
    "three_flushes": is_three_flushes,
    "three_straights": is_three_straights,
    "six_pairs": is_six_pairs,
}


def special_of(cards: tuple[Card, ...], specials: Iterable[str]) -> str | None:
    """The first of these specials, given from high to low, that the 13 cards are; or None."""
    return next((name for name in specials if SPECIALS[name](cards)), None)
