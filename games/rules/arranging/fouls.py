"""Whether three rows may lie as they are (rule book: Arranging, Foul)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from games.rules.arranging.rows import (
    ROW_NAMES,
    ROW_SIZES,
    RowKey,
    RowOrder,
    category_of,
    row_order,
)
from games.rules.cards import Card, card_names
from games.rules.errors import DuplicateCard, FoulArrangement, WrongCards, WrongRowSizes
from games.rules.moves import Arrange


@dataclass(frozen=True, slots=True)
class RowRules:
    """How rows compare, as chosen for a game."""

    wheel_is_lowest: bool = True
    """A-2-3-4-5 is the lowest straight and straight flush [chosen]; else the second highest."""
    equal_is_foul: bool = False
    """Whether two neighbouring rows that tie are a foul; chosen: they are not."""

    @property
    def order(self) -> RowOrder:
        """The order of rows under this reading."""
        return row_order(wheel_is_lowest=self.wheel_is_lowest)

    def keys_foul(self, front: RowKey, middle: RowKey, back: RowKey) -> bool:
        """Whether rows with these keys are a foul."""
        if self.equal_is_foul:
            return not front < middle < back
        return not front <= middle <= back

    def is_foul(
        self, front: tuple[Card, ...], middle: tuple[Card, ...], back: tuple[Card, ...]
    ) -> bool:
        """Whether these rows of 3, 5 and 5 cards are a foul."""
        key = self.order.key
        return self.keys_foul(key(front), key(middle), key(back))


def check_arrangement(rules: RowRules, hand: tuple[Card, ...], move: Arrange) -> None:
    """Refuse rows that this hand may not be set as.

    Raises WrongRowSizes, DuplicateCard, WrongCards, or FoulArrangement where the rows are a foul
    and the move does not say `accept_foul`.
    """
    rows = (move.front, move.middle, move.back)
    sizes = tuple(len(row) for row in rows)
    if sizes != ROW_SIZES:
        raise WrongRowSizes(sizes=list(sizes))
    cards = sorted((*move.front, *move.middle, *move.back))
    for card, following in pairwise(cards):
        if card == following:
            raise DuplicateCard(card=card_names([card])[0])
    if cards != sorted(hand):
        raise WrongCards(
            missing=card_names(sorted(set(hand) - set(cards))),
            foreign=card_names(sorted(set(cards) - set(hand))),
        )
    if not move.accept_foul and rules.is_foul(*rows):
        categories = (category_of(rules.order.key(row)).label for row in rows)
        raise FoulArrangement(**dict(zip(ROW_NAMES, categories, strict=True)))
