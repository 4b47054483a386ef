"""The best arrangement of a hand by a stated measure, out of all 72,072 (and never a foul).

Used by the bots, by the hint, and by the server when a seat's time is up.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate, combinations
from typing import Final

from games.rules.arranging.fouls import RowRules
from games.rules.arranging.measure import Measure
from games.rules.arranging.rows import CARD_CODES, FRONT_SIZE, ROW_SIZE, ROW_SIZES
from games.rules.cards import Card
from games.rules.moves import Arrange

HAND_SIZE: Final = sum(ROW_SIZES)
PLACE_BITS: Final = tuple(1 << place for place in range(HAND_SIZE))
WHOLE_HAND: Final = sum(PLACE_BITS)

# Below, a row is the bit mask of the places that its cards have in the sorted hand.
FRONTS: Final = tuple(map(sum, combinations(PLACE_BITS, FRONT_SIZE)))
ROWS: Final = tuple(map(sum, combinations(PLACE_BITS, ROW_SIZE)))
FRONTS_BESIDE: Final = {back: tuple(front for front in FRONTS if not front & back) for back in ROWS}


def best_arrangement(hand: tuple[Card, ...], rules: RowRules, measure: Measure) -> Arrange:
    """The arrangement of these 13 cards that the measure values most, among those that are no foul.

    Of several, always the same one, whatever the order of the cards.
    """
    hand = tuple(sorted(hand))
    codes = [CARD_CODES[card] for card in hand]
    keys = [rules.order.key_of_code(sum(row)) for row in combinations(codes, FRONT_SIZE)]
    key_of_front = dict(zip(FRONTS, keys, strict=True))
    as_front = dict(zip(FRONTS, map(measure.front, keys), strict=True))
    keys = [rules.order.key_of_code(sum(row)) for row in combinations(codes, ROW_SIZE)]
    key_of_row = dict(zip(ROWS, keys, strict=True))
    as_middle = dict(zip(ROWS, map(measure.middle, keys), strict=True))

    # Rows from the lowest on, and what the best that is not higher than one of them is worth.
    fronts = sorted(FRONTS, key=key_of_front.__getitem__)
    rows = sorted(ROWS, key=key_of_row.__getitem__)
    front_keys = [key_of_front[front] for front in fronts]
    most_in_front = [*accumulate((as_front[front] for front in fronts), max)]
    most_in_middle = [*accumulate((as_middle[row] for row in rows), max)]

    best = float("-inf")
    choice = (0, 0, 0)
    for back, middle_bound in zip(reversed(rows), reversed(most_in_middle), strict=True):
        back_key = key_of_row[back]
        back_value = measure.back(back_key)
        fronts_below = bisect_right(front_keys, back_key)
        if not fronts_below:
            break
        front_bound = most_in_front[fronts_below - 1]
        if back_value + middle_bound + front_bound <= best:
            continue
        rest = WHOLE_HAND ^ back
        needed = best - back_value
        for front in FRONTS_BESIDE[back]:
            middle = rest ^ front
            value = as_middle[middle] + as_front[front]
            if value > needed and not rules.keys_foul(
                key_of_front[front], key_of_row[middle], back_key
            ):
                needed = value
                choice = (front, middle, back)
        best = back_value + needed
    front, middle, back = choice
    return Arrange(_cards_at(hand, front), _cards_at(hand, middle), _cards_at(hand, back))


def _cards_at(hand: tuple[Card, ...], places: int) -> tuple[Card, ...]:
    return tuple(card for bit, card in zip(PLACE_BITS, hand, strict=True) if bit & places)


def strongest_back_first(hand: tuple[Card, ...], rules: RowRules) -> Arrange:
    """The highest back, then the highest middle of what is left, as a beginner sets a hand.

    It is no foul where equal rows are none: two cards more never make the front's cards lower, so
    the highest five of eight are at least as high as any three of them.
    """
    key = rules.order.key
    hand = tuple(sorted(hand))
    back = max(combinations(hand, ROW_SIZE), key=key)
    rest = tuple(card for card in hand if card not in back)
    middle = max(combinations(rest, ROW_SIZE), key=key)
    return Arrange(tuple(card for card in rest if card not in middle), middle, back)
