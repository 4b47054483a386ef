"""What a hand may be dealt, and how often chance deals it: exact, by counting hands.

A fact is a number that a dealt hand has, such as its jokers or its fours of a kind. Of a hand of
`size` cards from a deck of `deck` each set of cards is equally likely, and so is each pair of sets
for two seats of one deal.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import comb

from games.rules.cards import CardSet, card_set

ZERO = Fraction(0)


@dataclass(frozen=True, slots=True)
class Fact:
    """A number of a dealt hand: its mean and variance, and its covariance between two seats of one
    deal, which share the deck. `count` takes the hand as a set of cards."""

    name: str
    count: Callable[[CardSet], int]
    mean: Fraction
    variance: Fraction
    covariance: Fraction


@dataclass(frozen=True, slots=True)
class Hands:
    """The hands of a game: so many cards each, from a deck of so many."""

    size: int
    deck: int

    def with_all(self, cards: int) -> Fraction:
        """The chance that a hand holds all of these cards."""
        return Fraction(comb(self.deck - cards, self.size - cards), comb(self.deck, self.size))

    def with_all_of_two(self, cards: int) -> Fraction:
        """The chance that a hand holds all of so many cards and another hand as many others."""
        rest = self.size - cards
        free = self.deck - 2 * cards
        return Fraction(
            comb(free, rest) * comb(free - rest, rest),
            comb(self.deck, self.size) * comb(self.deck - self.size, self.size),
        )

    def marked(self, name: str, cards: CardSet) -> Fact:
        """How many of these cards a hand holds."""
        share = Fraction(cards.bit_count(), self.deck)
        spread = share * (1 - share) * self.size / (self.deck - 1)
        return Fact(
            name,
            lambda hand: (hand & cards).bit_count(),
            mean=self.size * share,
            variance=spread * (self.deck - self.size),
            covariance=-spread * self.size,
        )

    def whole_sets(self, name: str, *sets: CardSet) -> Fact:
        """How many of these sets, all of one size and without a common card, a hand holds whole."""
        count, cards = len(sets), sets[0].bit_count()
        mean = count * self.with_all(cards)
        pairs = count * (count - 1)
        both = pairs * self.with_all(2 * cards) if pairs else ZERO
        each = pairs * self.with_all_of_two(cards) if pairs else ZERO
        return Fact(
            name,
            lambda hand: sum(hand & whole == whole for whole in sets),
            mean=mean,
            variance=mean + both - mean**2,
            covariance=each - mean**2,
        )

    def kind(self, name: str, is_one: Callable[[CardSet], bool], hands: int) -> Fact:
        """Whether a hand is of a kind that so many of all hands are.

        Two seats are taken as independent: what one hand takes out of the deck moves the chance of
        another by far less than the standard error shows.
        """
        chance = Fraction(hands, comb(self.deck, self.size))
        return Fact(
            name,
            lambda hand: int(is_one(hand)),
            mean=chance,
            variance=chance * (1 - chance),
            covariance=ZERO,
        )

    def of_rank(self, name: str, rank: int) -> Fact:
        """How many cards of a rank a hand holds."""
        return self.marked(name, four_of(rank))

    def fours(self) -> Fact:
        """How many fours of a kind a hand holds."""
        return self.whole_sets("four_of_a_kind", *(four_of(rank) for rank in range(13)))


def four_of(rank: int) -> CardSet:
    """The four cards of a rank, counted from 3 as 0 to 2 as 12."""
    return card_set(range(4 * rank, 4 * rank + 4))


ACE, TWO = 11, 12
