"""Cards as small whole numbers, and sets of cards as bit masks (rule book: Common terms).

A card is `4 * rank + suit` in the order of the ordered deck: `3C` is 0, `2S` is 51; the small joker
is 52 and the big joker 53. So the number alone orders cards by rank, then by suit C < D < H < S. A
set of cards is an integer whose bit *c* says that card *c* is in it.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from operator import getitem
from typing import Final, TypeAlias

Card: TypeAlias = int
CardSet: TypeAlias = int

RANKS: Final = "3456789TJQKA2"
SUITS: Final = "CDHS"
SMALL_JOKER: Final[Card] = 52
BIG_JOKER: Final[Card] = 53

CARD_NAMES: Final[tuple[str, ...]] = (
    *(rank + suit for rank in RANKS for suit in SUITS),
    "BJ",
    "RJ",
)
CARDS_BY_NAME: Final[dict[str, Card]] = {name: card for card, name in enumerate(CARD_NAMES)}

DECK_52: Final[tuple[Card, ...]] = tuple(range(52))
DECK_54: Final[tuple[Card, ...]] = tuple(range(54))

CARD_BITS: Final[tuple[CardSet, ...]] = tuple(1 << card for card in DECK_54)
CARDS_BY_BYTE: Final = tuple(
    tuple(tuple(first + bit for bit in range(8) if byte >> bit & 1) for byte in range(256))
    for first in range(0, len(CARD_NAMES), 8)
)
"""By each byte of a bit mask and by its value: those cards."""


def card_names(cards: Iterable[Card]) -> list[str]:
    """The one spelling of each card, in the order given."""
    return [CARD_NAMES[card] for card in cards]


def card_set(cards: Iterable[Card]) -> CardSet:
    """The bit mask of these cards."""
    mask = 0
    for card in cards:
        mask |= CARD_BITS[card]
    return mask


def cards_in(mask: CardSet) -> tuple[Card, ...]:
    """The cards of a bit mask, in the order of the ordered deck."""
    held = mask.to_bytes(len(CARDS_BY_BYTE), "little")
    return tuple(chain.from_iterable(map(getitem, CARDS_BY_BYTE, held)))
