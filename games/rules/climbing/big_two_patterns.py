"""The patterns of Big Two: one function classifies, one compares, one lists plays.

Card sets are bit masks. Four bits in a row are one rank, so a table by rank and by those four bits
answers which singles, pairs and triples a hand holds there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations, product
from operator import getitem
from typing import Final, NamedTuple

from games.rules.cards import (
    DECK_52,
    RANKS,
    SUITS,
    Card,
    CardSet,
    card_set,
    cards_in,
)
from games.rules.climbing.big_two_config import BigTwoConfig, FlushOrder
from games.rules.moves import Play

GROUP_PATTERNS: Final = ("single", "pair", "triple")
FIVE_CARD_PATTERNS: Final = (
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
)
STRAIGHT, FLUSH, FULL_HOUSE, FOUR_OF_A_KIND, STRAIGHT_FLUSH = range(5)
PATTERNS: Final = GROUP_PATTERNS + FIVE_CARD_PATTERNS

KIND_KEYS: Final = 64
"""Keys of five cards: kind * KIND_KEYS + what decides within the kind, which is less than 64."""
WEAKEST_FLUSH: Final = FLUSH * KIND_KEYS
WEAKEST_FULL_HOUSE: Final = FULL_HOUSE * KIND_KEYS
WEAKEST_BOMB: Final = FOUR_OF_A_KIND * KIND_KEYS
WEAKEST_STRAIGHT_FLUSH: Final = STRAIGHT_FLUSH * KIND_KEYS

RANK_BITS: Final[CardSet] = card_set(range(0, 52, 4))
SUIT_CARDS: Final[tuple[CardSet, ...]] = tuple(RANK_BITS << suit for suit in range(4))


class Reading(NamedTuple):
    """What a play is: its pattern, its number of cards, and the key that orders its size."""

    pattern: str
    size: int
    key: int


class Run(NamedTuple):
    """Five ranks that make a straight: one bit each (as in `ranks_of`), and from low to high."""

    bits: CardSet
    ranks: tuple[int, ...]


def ranks_of(cards: CardSet) -> CardSet:
    """The ranks present, as the bit of each rank's clubs."""
    return (cards | cards >> 1 | cards >> 2 | cards >> 3) & RANK_BITS


class BigTwoPatterns:
    """The patterns of one house. A lower key is the weaker play among those of one size."""

    def __init__(self, config: BigTwoConfig) -> None:
        suit_strength = [config.suit_order.index(suit) for suit in SUITS]
        self._bombs = config.bombs
        self.strength: tuple[int, ...] = tuple(
            card & ~3 | suit_strength[card & 3] for card in DECK_52
        )
        """Of each card: its place from the lowest, 0, to the highest, 51."""
        self._at_least = tuple(
            card_set(card for card in DECK_52 if self.strength[card] >= floor)
            for floor in range(len(DECK_52) + 1)
        )
        self._flush_key: tuple[int, ...] = (
            self.strength
            if config.flush_order is FlushOrder.HIGHEST_CARD
            else tuple(13 * suit_strength[card & 3] + (card >> 2) for card in DECK_52)
        )
        runs = [tuple(sorted(map(RANKS.index, ranks))) for ranks in config.straights]
        self._runs = [Run(card_set(4 * rank for rank in run), run) for run in runs]
        self._run_index = {run.bits: index for index, run in enumerate(self._runs)}
        self._held = tuple(
            tuple(self._weakest_first(rank, held) for held in range(16)) for rank in range(13)
        )
        """By rank and by the four bits held of it: those cards, weakest first."""
        self._groups = {size: self._group_tables(size) for size in (1, 2, 3)}
        """By size, by each two ranks and by the byte held of them: (key, play), low to high."""
        self._group_readings = {
            card_set(play.cards): Reading(pattern, size, key)
            for size, pattern in enumerate(GROUP_PATTERNS, 1)
            for table in self._groups[size]
            for key, play in table[0xFF]
        }
        self._straight_flushes = sorted(
            (self._straight_key(STRAIGHT_FLUSH, index, cards[-1]), card_set(cards), Play(cards))
            for index, run in enumerate(self._runs)
            for cards in (tuple(4 * rank + suit for rank in run.ranks) for suit in range(4))
        )
        self._is_straight_flush = frozenset(play.cards for _, _, play in self._straight_flushes)

    def _weakest_first(self, rank: int, held: int) -> tuple[Card, ...]:
        cards = (4 * rank + suit for suit in range(4) if held >> suit & 1)
        return tuple(sorted(cards, key=self.strength.__getitem__))

    def _group_tables(self, size: int) -> tuple[tuple[tuple[tuple[int, Play], ...], ...], ...]:
        """The key of a group is the strength of its highest card, so its rank is `key >> 2`."""
        plays = [
            sorted(
                (max(self.strength[card] for card in cards), cards)
                for cards in combinations(range(4 * rank, 4 * rank + 4), size)
            )
            for rank in range(13)
        ]
        keyed = [
            [(key, card_set(cards), Play(cards)) for key, cards in by_rank] for by_rank in plays
        ]
        return tuple(
            tuple(
                tuple(
                    (key, play)
                    for key, cards, play in chain(*keyed[low : low + 2])
                    if cards & held << 4 * low == cards
                )
                for held in range(256)
            )
            for low in range(0, 13, 2)
        )

    # -- classify

    def classify(self, cards: Sequence[Card]) -> Reading | None:
        """What these cards are as a play, in any order; None if they are no pattern."""
        mask = card_set(cards)
        if mask.bit_count() != len(cards):
            return None
        if len(cards) == 5 and mask < 1 << 52:
            return self._classify_five(mask)
        return self._group_readings.get(mask)

    def _classify_five(self, mask: CardSet) -> Reading | None:
        ranks = ranks_of(mask)
        top = mask.bit_length() - 1
        one_suit = mask & SUIT_CARDS[top & 3] == mask
        run = self._run_index.get(ranks)
        if run is not None:
            kind = STRAIGHT_FLUSH if one_suit else STRAIGHT
            key = self._straight_key(kind, run, top)
        elif one_suit:
            kind = FLUSH
            key = WEAKEST_FLUSH + self._flush_key[top]
        elif ranks.bit_count() == 2:
            low, high = cards_in(ranks)
            of_low = (mask >> low & 0b1111).bit_count()
            kind = FOUR_OF_A_KIND if of_low in (1, 4) else FULL_HOUSE
            key = kind * KIND_KEYS + ((low if of_low > 2 else high) >> 2)
        else:
            return None
        return Reading(FIVE_CARD_PATTERNS[kind], 5, key)

    def _straight_key(self, kind: int, run: int, top: Card) -> int:
        return kind * KIND_KEYS + 4 * run + (self.strength[top] & 3)

    # -- compare

    def beats(self, play: Reading, on: Reading) -> bool:
        """Whether this play may follow that one."""
        if play.size == on.size:
            return play.key > on.key
        return on.size < 5 and self.is_bomb(play)

    def is_bomb(self, play: Reading) -> bool:
        """Whether this play may be put on any single, pair or triple."""
        return self._bombs and play.size == 5 and play.key >= WEAKEST_BOMB

    # -- list

    def plays(
        self, hand: CardSet, on: Reading | None = None, must_include: Card | None = None
    ) -> Iterator[Play]:
        """All plays from this hand, on that play or as a lead, weakest first.

        The order is fixed: fewer cards first, then by key. The cards of each play are in the order
        of the ordered deck, and it names no pattern.
        """
        plays: Iterator[Play]
        if on is None:
            plays = chain(
                self._group_plays(hand, 1),
                self._group_plays(hand, 2),
                self._group_plays(hand, 3),
                self._five_card_plays(hand),
            )
        elif on.size == 5:
            plays = self._five_card_plays(hand, on.key + 1)
        else:
            plays = iter(self._group_plays(hand, on.size, on.key + 1))
            if self._bombs and hand.bit_count() >= 5:
                plays = chain(plays, self._five_card_plays(hand, WEAKEST_BOMB))
        if must_include is None:
            return plays
        return (play for play in plays if must_include in play.cards)

    def _group_plays(self, hand: CardSet, size: int, floor: int = 0) -> list[Play]:
        """The singles, pairs or triples whose key is this floor or higher."""
        if not hand & self._at_least[floor]:
            return []
        high_enough = hand >> (floor & ~3) << (floor & ~3)
        held = high_enough.to_bytes(7, "little")
        groups = chain.from_iterable(map(getitem, self._groups[size], held))
        return [play for key, play in groups if key >= floor]

    def _five_card_plays(self, hand: CardSet, floor: int = 0) -> Iterator[Play]:
        """The plays of five cards whose key is this floor or higher."""
        if hand.bit_count() < 5:
            return
        suited = [cards for suit in SUIT_CARDS if (cards := hand & suit).bit_count() >= 5]
        if floor < WEAKEST_BOMB:
            if floor < WEAKEST_FLUSH:
                yield from map(Play, self._straights(hand, floor))
            if suited and floor < WEAKEST_FULL_HOUSE:
                yield from map(Play, self._flushes(suited, floor))
            yield from map(Play, self._full_houses(hand, floor))
        fours = hand & hand >> 1 & hand >> 2 & hand >> 3 & RANK_BITS
        if fours and floor < WEAKEST_STRAIGHT_FLUSH:
            yield from map(Play, self._fours(hand, fours, floor))
        if suited:
            for key, cards, play in self._straight_flushes:
                if cards & hand == cards and key >= floor:
                    yield play

    def _straights(self, hand: CardSet, floor: int) -> Iterator[tuple[Card, ...]]:
        present = ranks_of(hand)
        if present.bit_count() < 5:
            return
        for index, (bits, ranks) in enumerate(self._runs):
            if bits & present == bits:
                *lower, tops = [self._held[rank][hand >> 4 * rank & 0b1111] for rank in ranks]
                for top in tops:
                    if self._straight_key(STRAIGHT, index, top) >= floor:
                        for rest in product(*lower):
                            cards = (*rest, top)
                            if cards not in self._is_straight_flush:
                                yield cards

    def _flushes(self, suited: list[CardSet], floor: int) -> Iterator[tuple[Card, ...]]:
        by_top: list[tuple[int, Card, tuple[Card, ...]]] = []
        for held in map(cards_in, suited):
            by_top += [(self._flush_key[top], top, held[:i]) for i, top in enumerate(held)]
        for flush_key, top, lower in sorted(by_top):
            if WEAKEST_FLUSH + flush_key >= floor:
                for rest in combinations(lower, 4):
                    cards = (*rest, top)
                    if cards not in self._is_straight_flush:
                        yield cards

    def _full_houses(self, hand: CardSet, floor: int) -> Iterator[tuple[Card, ...]]:
        triples = self._group_plays(hand, 3)
        pairs = self._group_plays(hand, 2) if triples else []
        for triple in triples:
            rank = triple.cards[0] >> 2
            if WEAKEST_FULL_HOUSE + rank >= floor:
                for pair in pairs:
                    pair_rank = pair.cards[0] >> 2
                    if pair_rank < rank:
                        yield pair.cards + triple.cards
                    elif pair_rank > rank:
                        yield triple.cards + pair.cards

    def _fours(self, hand: CardSet, fours: CardSet, floor: int) -> Iterator[tuple[Card, ...]]:
        for first in cards_in(fours):
            if WEAKEST_BOMB + (first >> 2) >= floor:
                four = 0b1111 << first
                for fifth in cards_in(hand & ~four):
                    yield cards_in(four | 1 << fifth)
