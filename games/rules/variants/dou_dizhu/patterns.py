"""What a set of cards is, and what beats what (rule book, section 3: Patterns, Wings)."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from games.rules.cards import BIG_JOKER, SMALL_JOKER, CardSet
from games.rules.variants.dou_dizhu.config import WingRules
from games.rules.variants.dou_dizhu.ranks import (
    ALL_RANKS,
    BIG_JOKER_RANK,
    CHAIN_RANKS,
    RankCounts,
    RankSet,
    rank_counts,
    ranks_held,
    runs,
    top_rank,
    units,
)

Held: TypeAlias = tuple[RankSet, ...]
"""The ranks of some cards by how many times they are there: see `ranks_held`."""

SINGLE: Final = "single"
PAIR: Final = "pair"
TRIPLE: Final = "triple"
TRIPLE_WITH_SINGLE: Final = "triple_with_single"
TRIPLE_WITH_PAIR: Final = "triple_with_pair"
STRAIGHT: Final = "straight"
PAIR_CHAIN: Final = "pair_chain"
AIRPLANE: Final = "airplane"
AIRPLANE_WITH_SINGLES: Final = "airplane_with_singles"
AIRPLANE_WITH_PAIRS: Final = "airplane_with_pairs"
FOUR_WITH_SINGLES: Final = "four_with_singles"
FOUR_WITH_PAIRS: Final = "four_with_pairs"
BOMB: Final = "bomb"
ROCKET: Final = "rocket"


@dataclass(frozen=True, slots=True)
class Shape:
    """How a pattern is built: a body of equal groups, and wings on it.

    `group` is how many cards of each of its ranks the body has. `wing` is 0 for no wings, 1 for
    single cards, 2 for pairs; there are `wings_per_group` of them. The body is one of the
    `body_ranks`, or, from `min_length` on, a chain of them.
    """

    group: int
    wing: int = 0
    wings_per_group: int = 1
    min_length: int = 1
    body_ranks: RankSet = ALL_RANKS
    listed_as: int = field(init=False)
    """How many times each rank is in a listed body: once where wings are put on it later."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "listed_as", 1 if self.wing else self.group)

    @property
    def lengths(self) -> range:
        """The lengths, in ranks, that a body can have."""
        return range(self.min_length, self.body_ranks.bit_count() + 1 if self.is_chain else 2)

    @property
    def is_chain(self) -> bool:
        """Is the body a chain, rather than one rank?"""
        return self.min_length > 1

    def size(self, length: int) -> int:
        """How many cards a play of this shape with a body of `length` ranks has."""
        return length * (self.group + self.wing * self.wings_per_group)


def _chain(group: int, min_length: int, wing: int = 0) -> Shape:
    return Shape(group, wing, min_length=min_length, body_ranks=CHAIN_RANKS)


SHAPES: Final[dict[str, Shape]] = {
    SINGLE: Shape(1),
    PAIR: Shape(2),
    TRIPLE: Shape(3),
    TRIPLE_WITH_SINGLE: Shape(3, wing=1),
    TRIPLE_WITH_PAIR: Shape(3, wing=2),
    STRAIGHT: _chain(1, min_length=5),
    PAIR_CHAIN: _chain(2, min_length=3),
    AIRPLANE: _chain(3, min_length=2),
    AIRPLANE_WITH_SINGLES: _chain(3, min_length=2, wing=1),
    AIRPLANE_WITH_PAIRS: _chain(3, min_length=2, wing=2),
    FOUR_WITH_SINGLES: Shape(4, wing=1, wings_per_group=2),
    FOUR_WITH_PAIRS: Shape(4, wing=2, wings_per_group=2),
    BOMB: Shape(4),
}
"""Every pattern but the rocket, which is the two jokers and nothing else."""

LONGEST_PLAY: Final = 20
"""The landlord's whole hand."""
PATTERNS: Final = (*SHAPES, ROCKET)
AMBIGUOUS: Final = frozenset({AIRPLANE, AIRPLANE_WITH_SINGLES})
"""The only patterns that the same cards can both be: `333444555666`."""
ROCKET_COUNTS: Final[RankCounts] = rank_counts(1 << SMALL_JOKER | 1 << BIG_JOKER)


class Reading(NamedTuple):
    """One pattern that a set of cards is.

    `length` is the number of ranks of its body, 1 where it is no chain; `rank` (0-14) is the body's
    highest, by which equal patterns compare.
    """

    pattern: str
    length: int
    rank: int


ROCKET_READING: Final = Reading(ROCKET, 1, BIG_JOKER_RANK)
POWER: Final = {BOMB: 1, ROCKET: 2}
"""A pattern of a higher power beats all of a lower one; all others are of power 0."""


def _shapes_by_size() -> tuple[tuple[tuple[str, int], ...], ...]:
    """For each number of cards, the patterns and lengths of that size, the longest first."""
    by_size: list[list[tuple[str, int]]] = [[] for _ in range(LONGEST_PLAY + 1)]
    for pattern, shape in SHAPES.items():
        for length in shape.lengths:
            if shape.size(length) <= LONGEST_PLAY:
                by_size[shape.size(length)].append((pattern, length))
    return tuple(tuple(sorted(shapes, key=lambda s: -s[1])) for shapes in by_size)


SHAPES_BY_SIZE: Final = _shapes_by_size()


def readings(cards: CardSet, wing_rules: WingRules) -> tuple[Reading, ...]:
    """All patterns that these cards are, in any order of suits; empty if they are none.

    The first is the one that an unnamed lead is taken as: the longest chain, then the highest rank.
    Each pattern is there once, at its highest rank.
    """
    return readings_of_counts(rank_counts(cards), wing_rules)


@lru_cache(maxsize=1 << 14)
def readings_of_counts(counts: RankCounts, wing_rules: WingRules) -> tuple[Reading, ...]:
    """As `readings`, of cards known by rank alone."""
    if counts == ROCKET_COUNTS:
        return (ROCKET_READING,)
    held = ranks_held(counts)
    size = sum(ranks.bit_count() for ranks in held[1:])
    if size > LONGEST_PLAY:
        return ()
    found = []
    for pattern, length in SHAPES_BY_SIZE[size]:
        body = _highest_body(held, SHAPES[pattern], length, wing_rules)
        if body:
            found.append(Reading(pattern, length, top_rank(body)))
    return tuple(found)


def _highest_body(held: Held, shape: Shape, length: int, wing_rules: WingRules) -> RankSet:
    """The ranks of the highest body with which cards of the right number fit the shape, or none."""
    # A rank of the body is there no further time: the fourth card of a triple is never its wing.
    exactly = held[shape.group] & ~held[shape.group + 1]
    by_length = bodies(exactly, shape)
    for body in reversed(by_length[length] if length < len(by_length) else ()):
        if _fits(held[1] ^ body, held, shape, wing_rules):
            return body
    return 0


def _fits(wings: RankSet, held: Held, shape: Shape, wing_rules: WingRules) -> bool:
    """Are the cards of these ranks, of which there is the right number, wings of this shape?"""
    if shape.wing == 0:
        return not wings
    if shape.wing == 2:
        return not (wings & ~held[2] or wings & held[3])
    return (wing_rules.may_repeat_a_rank or not wings & held[2]) and (
        wing_rules.may_be_both_jokers or wings & ROCKET_COUNTS != ROCKET_COUNTS
    )


def bodies(ranks: RankSet, shape: Shape) -> tuple[tuple[RankSet, ...], ...]:
    """The bodies that such a shape can have among these ranks, from low to high, by their length.

    The tuple ends with the longest length that there is.
    """
    return runs(ranks & shape.body_ranks) if shape.is_chain else ((), units(ranks))


def beats(play: Reading, on: Reading) -> bool:
    """May this play be put on that one?"""
    if play[:2] == on[:2]:
        return play.rank > on.rank
    return POWER.get(play.pattern, 0) > POWER.get(on.pattern, 0)
