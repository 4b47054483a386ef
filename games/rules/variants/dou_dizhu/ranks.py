"""Cards by rank alone: how many of each rank, and which ranks are held so many times.

Suits do not matter in Dou Dizhu, so its plays are listed and read by rank. There are 15 ranks: 0-12
for 3 … 2, 13 for the small and 14 for the big joker. Two forms, both with four bits a rank, so that
rank *r* begins at bit *4r*:

- *rank counts*: the four bits hold how many cards of the rank there are, 0-4. Counts of different
  cards add up, so a play is the sum of its parts.
- *rank set*: the lowest of the four bits says that the rank is in the set.

A rank set is also the rank counts of one card of each of its ranks, `2 * ranks` those of a pair of
each. A *unit* is a rank set of a single rank.
"""

from __future__ import annotations

from functools import cache
from typing import Final, TypeAlias

from games.rules.cards import BIG_JOKER, RANKS, Card, CardSet, cards_in

RankCounts: TypeAlias = int
RankSet: TypeAlias = int

RANK_COUNT: Final = 15
BIG_JOKER_RANK: Final = 14
BITS: Final = 4
ALL_RANKS: Final[RankSet] = sum(1 << BITS * rank for rank in range(RANK_COUNT))
CHAIN_RANKS: Final[RankSet] = sum(1 << BITS * RANKS.index(rank) for rank in "3456789TJQKA")
RANK_NAMES: Final = (*RANKS, "BJ", "RJ")

EVERY_SECOND_BIT: Final = 0b0101 * ALL_RANKS
LOW_HALVES: Final = 0b0011 * ALL_RANKS
BIG_JOKER_CARD: Final[CardSet] = 1 << BIG_JOKER
# The jokers are neighbours among the cards, but two ranks: the big one moves to bits of its own.
BIG_JOKER_MOVE: Final = (1 << BITS * BIG_JOKER_RANK - BIG_JOKER) - 1
LOW_RANKS: Final = (1 << BITS * 8) - 1


def rank_of(card: Card) -> int:
    """The rank 0-14 of a card."""
    return BIG_JOKER_RANK if card == BIG_JOKER else card >> 2


def rank_counts(cards: CardSet) -> RankCounts:
    """How many of each rank there are among these cards."""
    spread = cards + BIG_JOKER_MOVE * (cards & BIG_JOKER_CARD)
    # Add up neighbouring bits, then neighbouring sums: the usual way to count bits in parallel.
    halves = spread - (spread >> 1 & EVERY_SECOND_BIT)
    return (halves & LOW_HALVES) + (halves >> 2 & LOW_HALVES)


def ranks_held(counts: RankCounts) -> tuple[RankSet, ...]:
    """The ranks held at least 0, 1, 2, 3, 4 and 5 times (none), indexed by that number."""
    fours = counts >> 2 & ALL_RANKS
    halves = counts >> 1
    pairs = halves & ALL_RANKS | fours
    triples = halves & counts & ALL_RANKS | fours
    return ALL_RANKS, counts & ALL_RANKS | pairs, pairs, triples, fours, 0


def _groups_table(ranks: range, times: int) -> dict[RankSet, tuple[RankCounts, ...]]:
    table: dict[RankSet, tuple[RankCounts, ...]] = {0: ()}
    for rank in ranks:
        unit = 1 << BITS * rank
        table |= {held | unit: (*groups, times * unit) for held, groups in table.items()}
    return table


# The low and the high ranks apart, so that the tables of all their sets are small.
GROUPS_OF_LOW_RANKS: Final = tuple(_groups_table(range(8), times) for times in range(5))
GROUPS_OF_HIGH_RANKS: Final = tuple(
    _groups_table(range(8, RANK_COUNT), times) for times in range(5)
)


def groups(ranks: RankSet, times: int) -> tuple[RankCounts, ...]:
    """So many cards of each rank of this set, each rank by itself, from low to high."""
    low = ranks & LOW_RANKS
    return GROUPS_OF_LOW_RANKS[times][low] + GROUPS_OF_HIGH_RANKS[times][ranks ^ low]


def units(ranks: RankSet) -> tuple[RankSet, ...]:
    """The ranks of a set, each as a unit, from low to high."""
    return groups(ranks, 1)


@cache
def runs(ranks: RankSet) -> tuple[tuple[RankSet, ...], ...]:
    """All runs of consecutive ranks in this set within 3 … A, from low to high, by their length.

    `runs(ranks)[n]` are those of *n* ranks; the tuple ends with the longest length that there is.
    There are 4096 such sets, so the answers are kept.
    """
    by_length: list[tuple[RankSet, ...]] = [()]
    starts, run = ranks, 1
    while starts:
        by_length.append(tuple(run * start for start in units(starts)))
        starts &= ranks >> BITS * (len(by_length) - 1)
        run = run << BITS | 1
    return tuple(by_length)


def top_rank(ranks: RankSet) -> int:
    """The highest rank of a set that is not empty."""
    return (ranks.bit_length() - 1) // BITS


def _lowest_cards(rank: int, count: int, suits: int) -> tuple[Card, ...]:
    first = BIG_JOKER if rank == BIG_JOKER_RANK else BITS * rank
    return tuple(first + suit for suit in cards_in(suits)[:count])


LOWEST_CARDS: Final = tuple(
    tuple(
        tuple(_lowest_cards(rank, count, suits) for suits in range(1 << BITS)) for count in range(5)
    )
    for rank in range(RANK_COUNT)
)
"""By rank, by how many, by the suits in the hand as a bit mask."""


def cards_of(counts: RankCounts, hand: CardSet) -> tuple[Card, ...]:
    """Cards of the hand with these rank counts, of each rank the lowest suits that it has."""
    hand += BIG_JOKER_MOVE * (hand & BIG_JOKER_CARD)
    chosen: tuple[Card, ...] = ()
    while counts:
        rank = ((counts & -counts).bit_length() - 1) // BITS
        shift = BITS * rank
        chosen += LOWEST_CARDS[rank][counts >> shift & 15][hand >> shift & 15]
        counts &= -16 << shift
    return chosen
