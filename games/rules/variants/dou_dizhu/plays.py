"""The plays that a hand allows, by rank (rule book, section 3: Patterns, Wings).

A play is given as rank counts (see `ranks`), which stand for all choices of suits; `cards_of` picks
one. Plays come in groups of one pattern, the patterns in the order of the rule book's table, so
that the weakest come first, and the bombs and the rocket last.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations, starmap
from operator import add
from typing import Final, TypeAlias

from games.rules.variants.dou_dizhu.config import WingRules
from games.rules.variants.dou_dizhu.patterns import (
    BOMB,
    ROCKET,
    ROCKET_COUNTS,
    SHAPES,
    Held,
    Reading,
    Shape,
)
from games.rules.variants.dou_dizhu.ranks import (
    ALL_RANKS,
    BITS,
    CHAIN_RANKS,
    RANK_COUNT,
    RankCounts,
    RankSet,
    groups,
    ranks_held,
    runs,
    units,
)

PlayGroup: TypeAlias = tuple[str, Sequence[RankCounts]]
"""A pattern and plays of it, from low to high by the rank of the body."""


def leads(hand: RankCounts, wing_rules: WingRules) -> list[PlayGroup]:
    """All plays that a leader may make of this hand, in groups that are not empty.

    Cards that are several patterns are in the group of each; in one group a play is once.
    """
    held = ranks_held(hand)
    found: list[PlayGroup] = []
    for pattern, shape in SHAPES.items():
        ranks = held[shape.group] & shape.body_ranks
        # No two ranks side by side is the most frequent case, and then there is no chain.
        if ranks and (shape.min_length == 1 or ranks & ranks >> BITS):
            plays: Sequence[RankCounts]
            if shape.min_length == 1:
                plays = groups(ranks, shape.listed_as)
            else:
                plays = chains(ranks, shape.listed_as, shape.min_length)
            if plays and shape.wing:
                plays = _with_wings(held, shape, plays, wing_rules)
            if plays:
                found.append((pattern, plays))
    if hand & ROCKET_COUNTS == ROCKET_COUNTS:
        found.append(ROCKET_GROUP)
    return found


def follows(hand: RankCounts, to_beat: Reading, wing_rules: WingRules) -> list[PlayGroup]:
    """All plays of this hand that beat that one, in groups that are not empty."""
    pattern, length, rank = to_beat
    if pattern == ROCKET:
        return []
    held = ranks_held(hand)
    shape = SHAPES[pattern]
    found: list[PlayGroup] = []
    # A body of the same length is higher if its lowest rank is above the lowest of this one.
    ranks = held[shape.group] & shape.body_ranks & RANKS_ABOVE[rank - length + 1]
    if ranks:
        plays: Sequence[RankCounts]
        if length == 1:
            plays = groups(ranks, shape.listed_as)
        else:
            plays = chains(ranks, shape.listed_as, length, length)
        if plays and shape.wing:
            plays = _with_wings(held, shape, plays, wing_rules)
        if plays:
            found.append((pattern, plays))
    if held[4] and pattern != BOMB:
        found.append((BOMB, groups(held[4], 4)))
    if hand & ROCKET_COUNTS == ROCKET_COUNTS:
        found.append(ROCKET_GROUP)
    return found


@cache
def chains(
    ranks: RankSet, times: int, min_length: int, max_length: int = RANK_COUNT
) -> tuple[RankCounts, ...]:
    """All chains of so many of these ranks within 3 … A, each rank so many times."""
    by_length = runs(ranks)[min_length : max_length + 1]
    return tuple(times * chain for of_length in by_length for chain in of_length)


def _with_wings(
    held: Held, shape: Shape, on_bodies: Sequence[RankSet], wing_rules: WingRules
) -> list[RankCounts]:
    """The plays on these bodies, each with all the wings that it can have."""
    wings_on = _single_wings if shape.wing == 1 else _pair_wings
    group, wings_per_group = shape.group, shape.wings_per_group
    return [
        core + wings
        for body in on_bodies
        for core in (group * body,)
        for wings in wings_on(body, wings_per_group * body.bit_count(), held, wing_rules)
    ]


def _pair_wings(
    body: RankSet, count: int, held: Held, _wing_rules: WingRules
) -> Iterable[RankCounts]:
    """All choices of so many pairs of different ranks, other ranks than the body's."""
    pairs = groups(held[2] & ~body, 2)
    return pairs if count == 1 else map(sum, combinations(pairs, count))


def _single_wings(
    body: RankSet, count: int, held: Held, wing_rules: WingRules
) -> Iterable[RankCounts]:
    """All choices of so many cards of other ranks than the body's.

    Left out are those with which the cards are the same pattern at a higher rank, too: where they
    hold three of the rank next above the body (`333444555` with `666`).
    """
    ranks = held[1] & ~body
    if count == 1:
        return units(ranks)
    choices: Iterable[RankCounts]
    times = 4 if wing_rules.may_repeat_a_rank else 1
    if count == 2:
        choices = [*starmap(add, combinations(units(ranks), 2))]
        if times > 1:
            choices += groups(held[2] & ~body, 2)
    else:
        cards = [rank for rank in units(ranks) for held_so in held[1 : times + 1] if held_so & rank]
        choices = dict.fromkeys(map(sum, combinations(cards, count)))
        next_above = body << BITS & ~body & held[3] & CHAIN_RANKS
        if next_above:
            choices = [wings for wings in choices if wings // next_above % 16 != 3]
    if not wing_rules.may_be_both_jokers:
        return [wings for wings in choices if wings & ROCKET_COUNTS != ROCKET_COUNTS]
    return choices


ROCKET_GROUP: Final[PlayGroup] = (ROCKET, (ROCKET_COUNTS,))
RANKS_ABOVE: Final = tuple(ALL_RANKS & -1 << BITS * (rank + 1) for rank in range(RANK_COUNT))
