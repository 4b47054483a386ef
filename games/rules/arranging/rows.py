"""Rows of three and five cards as one comparable number (rule book: Arranging).

A *row key* is an integer that orders all rows, of both lengths, from low to high: the category,
then up to five ranks in order of weight (2 … 14, ace high), four bits each. A row that runs out of
ranks has zeros there, so where all before are equal the longer row is higher, as a foul check asks.
Two rows tie if and only if their keys are equal.

The key comes from a table: each card has a *card code* that counts its rank and its suit in fields
of their own, so the sum of the codes says how many of each rank and suit a row has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from enum import IntEnum
from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import Final, TypeAlias

from games.rules.cards import DECK_52, Card

RowKey: TypeAlias = int
CardCode: TypeAlias = int

FRONT_SIZE: Final = 3
ROW_SIZE: Final = 5
ROW_SIZES: Final = (FRONT_SIZE, ROW_SIZE, ROW_SIZE)
ROW_NAMES: Final = ("front", "middle", "back")


class Category(IntEnum):
    """The categories of rows, low to high. A front row is only one of three of them."""

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8

    @property
    def label(self) -> str:
        """The word that the interface uses, such as `three_of_a_kind`."""
        return self.name.lower()


CATEGORY_BY_GROUPS: Final[Mapping[tuple[int, ...], Category]] = {
    (1, 1, 1): Category.HIGH_CARD,
    (2, 1): Category.PAIR,
    (3,): Category.THREE_OF_A_KIND,
    (1, 1, 1, 1, 1): Category.HIGH_CARD,
    (2, 1, 1, 1): Category.PAIR,
    (2, 2, 1): Category.TWO_PAIR,
    (3, 1, 1): Category.THREE_OF_A_KIND,
    (3, 2): Category.FULL_HOUSE,
    (4, 1): Category.FOUR_OF_A_KIND,
}

LOW_RANK, KING, ACE = 2, 13, 14
RANKS_LOW_TO_HIGH: Final = range(LOW_RANK, ACE + 1)
WHEEL: Final = (ACE, 5, 4, 3, 2)

RANK_CODES: Final[Mapping[int, CardCode]] = {
    rank: 1 << 3 * (rank - LOW_RANK) for rank in RANKS_LOW_TO_HIGH
}
RANK_FIELD: Final[CardCode] = (1 << 39) - 1
SUIT_CODES: Final[tuple[CardCode, ...]] = tuple(1 << 39 + 4 * suit for suit in range(4))


def rank_of(card: Card) -> int:
    """The rank in these games: 2 … 10, J 11, Q 12, K 13, A 14."""
    return (card // 4 + 1) % 13 + LOW_RANK


CARD_CODES: Final[tuple[CardCode, ...]] = tuple(
    RANK_CODES[rank_of(card)] + SUIT_CODES[card % 4] for card in DECK_52
)


def code_of(cards: Iterable[Card]) -> CardCode:
    """How many of each rank and of each suit these cards have, at most 13 cards."""
    return sum(CARD_CODES[card] for card in cards)


class RowOrder:
    """The order of all rows. Made once for each reading of A-2-3-4-5: use `row_order`."""

    def __init__(self, *, wheel_is_lowest: bool) -> None:
        # Where it is not the lowest straight, A-2-3-4-5 comes between 9TJQK and TJQKA.
        wheel = (5,) if wheel_is_lowest else (KING, 1)
        straights: dict[tuple[int, ...], tuple[int, ...]] = {
            tuple(range(top, top - ROW_SIZE, -1)): (top,) for top in range(6, ACE + 1)
        }
        self._straights = {WHEEL: wheel} | straights
        self._keys = dict(self._keys_by_ranks())
        self._suited_keys = dict(self._keys_by_ranks_in_one_suit())

    def _keys_by_ranks(self) -> Iterator[tuple[CardCode, RowKey]]:
        for size in (FRONT_SIZE, ROW_SIZE):
            for ranks in combinations_with_replacement(reversed(RANKS_LOW_TO_HIGH), size):
                groups = sorted(
                    ((count, rank) for rank, count in Counter(ranks).items()), reverse=True
                )
                counts = tuple(count for count, _ in groups)
                if counts[0] > 4:
                    continue
                code = sum(RANK_CODES[rank] for rank in ranks)
                if ranks in self._straights:
                    yield code, _pack(Category.STRAIGHT, self._straights[ranks])
                else:
                    yield code, _pack(CATEGORY_BY_GROUPS[counts], [rank for _, rank in groups])

    def _keys_by_ranks_in_one_suit(self) -> Iterator[tuple[CardCode, RowKey]]:
        for ranks in combinations(reversed(RANKS_LOW_TO_HIGH), ROW_SIZE):
            if ranks in self._straights:
                key = _pack(Category.STRAIGHT_FLUSH, self._straights[ranks])
            else:
                key = _pack(Category.FLUSH, ranks)
            code = sum(RANK_CODES[rank] for rank in ranks)
            for suit_code in SUIT_CODES:
                yield code + ROW_SIZE * suit_code, key

    def key_of_code(self, code: CardCode) -> RowKey:
        """The key of the row of three or five cards that has this code."""
        return self._suited_keys.get(code) or self._keys[code & RANK_FIELD]

    def key(self, cards: Iterable[Card]) -> RowKey:
        """The key of a row of three or five different cards. Raises KeyError for another number."""
        return self.key_of_code(code_of(cards))

    def compare(self, a: Iterable[Card], b: Iterable[Card]) -> int:
        """1 if row `a` is higher than row `b`, -1 if lower, 0 if they tie; each of 3 or 5 cards."""
        key_a, key_b = self.key(a), self.key(b)
        return (key_a > key_b) - (key_a < key_b)


def _pack(category: Category, ranks: Iterable[int]) -> RowKey:
    key = int(category)
    padded = (*ranks, 0, 0, 0, 0, 0)
    for rank in padded[:ROW_SIZE]:
        key = key << 4 | rank
    return key


def category_of(key: RowKey) -> Category:
    """The category of the row that has this key."""
    return Category(key >> 4 * ROW_SIZE)


@cache
def row_order(*, wheel_is_lowest: bool = True) -> RowOrder:
    """The order of rows under this reading of A-2-3-4-5; its tables are made once."""
    return RowOrder(wheel_is_lowest=wheel_is_lowest)


def classify(cards: tuple[Card, ...]) -> Category | None:
    """The category of three or five different cards as a row; None for another number of cards."""
    if len(cards) not in (FRONT_SIZE, ROW_SIZE):
        return None
    return category_of(row_order().key(cards))
