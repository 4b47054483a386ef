"""A house of Dou Dizhu as far as no table is needed: its patterns, plays and stakes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeVar

from games.rules.cards import BIG_JOKER, DECK_54, SMALL_JOKER, Card, CardSet, card_set
from games.rules.chances import TWO, Fact, Hands
from games.rules.moves import Play
from games.rules.outcome import Outcome
from games.rules.questions import FinishedRound, Implausible
from games.rules.variant import Variant, VariantInfo
from games.rules.variants.dou_dizhu.config import DouDizhuConfig
from games.rules.variants.dou_dizhu.patterns import AMBIGUOUS, LONGEST_PLAY, Reading, readings
from games.rules.variants.dou_dizhu.plays import PlayGroup, follows, leads
from games.rules.variants.dou_dizhu.ranks import RankCounts, cards_of, rank_counts, rank_of
from games.rules.variants.dou_dizhu.reading import named_readings
from games.rules.variants.dou_dizhu.settlement import settle

S = TypeVar("S")

SEATS: Final = 3
HAND_SIZE: Final = 17
HANDS: Final = Hands(HAND_SIZE, len(DECK_54))
JOKERS: Final = card_set((SMALL_JOKER, BIG_JOKER))
DEALT_FACTS: Final = (
    HANDS.marked("jokers", JOKERS),
    HANDS.whole_sets("rocket", JOKERS),
    HANDS.of_rank("twos", TWO),
    HANDS.fours(),
)
MOST_BOMBS: Final = 14
"""A four of each of the 13 ranks, and the rocket."""


class DouDizhuHouse(Variant[S]):
    """One house of Dou Dizhu, without the deal."""

    settlement_fields = ("bid", "landlord", "winner", "bombs", "play_counts")

    def __init__(self, info: VariantInfo, config: DouDizhuConfig) -> None:
        self.info = info
        self.config = config

    def readings(self, cards: CardSet) -> tuple[Reading, ...]:
        """All that these cards can be, first what an unnamed lead is taken as; none if no play."""
        return readings(cards, self.config.wings)

    def patterns_possible(self, cards: tuple[Card, ...]) -> tuple[str, ...]:
        """See `Variant.patterns_possible`."""
        return tuple(reading.pattern for reading in self.readings(card_set(cards)))

    def plays(self, hand: CardSet, on: Reading | None = None) -> Iterator[Play]:
        """The plays of this hand as a lead, or on that play, weakest first.

        Plays that differ only in suits are listed once, shown with the lowest suits in the hand.
        Cards with several patterns are listed once for each that may be played, and then the move
        names its pattern; any other play leaves it out.
        """
        for pattern, group in self.play_groups(hand, on):
            for counts in group:
                yield self.listed_play(hand, pattern, counts)

    def listed_play(self, hand: CardSet, pattern: str, counts: RankCounts) -> Play:
        """The move by which `plays` shows a play of this hand that is known by rank."""
        cards = cards_of(counts, hand)
        several = pattern in AMBIGUOUS and len(self.readings(card_set(cards))) > 1
        return Play(cards, pattern if several else None)

    def play_groups(self, hand: CardSet, on: Reading | None = None) -> list[PlayGroup]:
        """The same plays by rank, in groups of one pattern: see the module `plays`."""
        counts, wings = rank_counts(hand), self.config.wings
        return leads(counts, wings) if on is None else follows(counts, on, wings)

    def plays_from(
        self, hand: tuple[Card, ...], on: Play | None, must_include: Card | None
    ) -> Iterator[Play]:
        """See `ListsPlays`. Plays that differ only in suits are listed once."""
        held, reading = card_set(hand), None
        if on is not None:
            cards = card_set(on.cards)
            reading = named_readings(self.readings(cards), cards, on.pattern)[0]
        for pattern, group in self.play_groups(held, reading):
            for counts in group:
                shown = cards_of(counts, held)
                if must_include is not None and must_include not in shown:
                    # Of its rank the play may be shown with this card as well as with another.
                    of_rank = [card for card in shown if rank_of(card) == rank_of(must_include)]
                    if not of_rank:
                        continue
                    shown = tuple(sorted({*shown, must_include} - {of_rank[-1]}))
                yield Play(shown, pattern)

    def dealt_facts(self) -> tuple[Fact, ...]:
        """See `Variant.dealt_facts`. The kitty is in no hand yet."""
        return DEALT_FACTS

    def settlement(self, finished: FinishedRound) -> Outcome:
        """See `Variant.settlement`."""
        counts = finished.play_counts
        if not 1 <= finished.bid <= self.config.highest_bid:
            raise Implausible(bid="out_of_range")
        for field, seat in (("landlord", finished.landlord), ("winner", finished.winner)):
            if seat not in range(SEATS):
                raise Implausible(**{field: "no_such_seat"})
        if finished.bombs not in range(MOST_BOMBS + 1):
            raise Implausible(bombs="out_of_range")
        if len(counts) != SEATS:
            raise Implausible(play_counts="wrong_number_of_seats")
        if not all(0 <= count <= LONGEST_PLAY for count in counts):
            raise Implausible(play_counts="out_of_range")
        if not (counts[finished.landlord] and counts[finished.winner]):
            raise Implausible(play_counts="must_have_played")
        return settle(
            self.config,
            bid=finished.bid,
            landlord=finished.landlord,
            winner=finished.winner,
            play_counts=counts,
            bombs=finished.bombs,
        )
