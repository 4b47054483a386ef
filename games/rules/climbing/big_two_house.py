"""A house of Big Two as far as no table is needed: its patterns, plays and payments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from games.rules.cards import DECK_52, Card, card_names, card_set
from games.rules.chances import TWO, Fact, Hands
from games.rules.climbing.big_two_config import BigTwoConfig
from games.rules.climbing.big_two_patterns import BigTwoPatterns, Reading
from games.rules.climbing.big_two_settlement import settle
from games.rules.errors import AmbiguousPattern, NotAPattern
from games.rules.moves import Play
from games.rules.outcome import Outcome
from games.rules.questions import FinishedRound, Implausible
from games.rules.variant import Variant, VariantInfo

S = TypeVar("S")

SEATS: Final = 4
HAND_SIZE: Final = 13
HANDS: Final = Hands(HAND_SIZE, len(DECK_52))
DEALT_FACTS: Final = (HANDS.of_rank("twos", TWO), HANDS.fours())


class BigTwoHouse(Variant[S]):
    """One house of Big Two, without the deal."""

    settlement_fields = ("cards_left",)

    def __init__(self, info: VariantInfo, config: BigTwoConfig) -> None:
        self.info = info
        self.config = config
        self.patterns = BigTwoPatterns(config)

    def read(self, play: Play) -> Reading:
        """What this play is. Raises NotAPattern, or AmbiguousPattern for another pattern named."""
        reading = self.patterns.classify(play.cards)
        if reading is None:
            raise NotAPattern(cards=card_names(play.cards))
        if play.pattern not in (None, reading.pattern):
            raise AmbiguousPattern(pattern=play.pattern, readings=[reading.pattern])
        return reading

    def patterns_possible(self, cards: tuple[Card, ...]) -> tuple[str, ...]:
        """See `Variant.patterns_possible`: one or none."""
        reading = self.patterns.classify(cards)
        return (reading.pattern,) if reading else ()

    def plays_from(
        self, hand: tuple[Card, ...], on: Play | None, must_include: Card | None
    ) -> Iterator[Play]:
        """See `ListsPlays`."""
        reading = None if on is None else self.read(on)
        for play in self.patterns.plays(card_set(hand), reading, must_include):
            yield replace(play, pattern=self.read(play).pattern)

    def dealt_facts(self) -> tuple[Fact, ...]:
        """See `Variant.dealt_facts`."""
        return DEALT_FACTS

    def settle(self, cards_left: Sequence[int]) -> Outcome:
        """The settlement for the cards left of each seat, of which the winner's alone are 0."""
        return settle(self.config, cards_left)

    def settlement(self, finished: FinishedRound) -> Outcome:
        """See `Variant.settlement`."""
        cards_left = finished.cards_left
        if len(cards_left) != SEATS:
            raise Implausible(cards_left="wrong_number_of_seats")
        if not all(0 <= left <= HAND_SIZE for left in cards_left):
            raise Implausible(cards_left="out_of_range")
        if cards_left.count(0) != 1:
            raise Implausible(cards_left="not_one_winner")
        return self.settle(cards_left)
