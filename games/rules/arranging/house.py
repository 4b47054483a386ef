"""A house of an arranging game as far as no table is needed: its rows, specials and payments."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property, partial
from typing import TypeVar

from games.rules.arranging.arrangement import ArrangingRules
from games.rules.arranging.best import HAND_SIZE
from games.rules.arranging.rows import ROW_NAMES, ROW_SIZES, category_of, classify
from games.rules.arranging.specials import DEALT_OF_ALL
from games.rules.cards import DECK_52, Card, CardSet, cards_in
from games.rules.chances import ACE, Fact, Hands
from games.rules.errors import NoSpecialHand, WrongRowSizes
from games.rules.moves import Move
from games.rules.outcome import FinalHand, Outcome
from games.rules.questions import Evaluation, FinishedRound, Implausible
from games.rules.variant import Variant

S = TypeVar("S")


class ArrangingHouse(Variant[S]):
    """One house of an arranging game, without the deal."""

    settlement_fields = ("seats",)
    arranging: ArrangingRules

    @abstractmethod
    def settle(self, hands: Sequence[FinalHand]) -> Outcome:
        """What the seats pay each other for what each of them set or declared."""

    def pattern_of(self, state: S, seat: int, move: Move) -> str | None:
        """None: three rows have no one pattern."""
        return None

    def patterns_possible(self, cards: tuple[Card, ...]) -> tuple[str, ...]:
        """See `Variant.patterns_possible`: the category of a row."""
        category = classify(cards)
        return () if category is None else (category.label,)

    def evaluate(
        self, front: tuple[Card, ...], middle: tuple[Card, ...], back: tuple[Card, ...]
    ) -> Evaluation:
        """See `EvaluatesRows`."""
        rows = (front, middle, back)
        _check_sizes(rows)
        key = self.arranging.rows.order.key
        categories = (category_of(key(row)).label for row in rows)
        return Evaluation(
            dict(zip(ROW_NAMES, categories, strict=True)),
            foul=self.arranging.rows.is_foul(*rows),
            special=self.arranging.special_of((*front, *middle, *back)),
        )

    def dealt_facts(self) -> tuple[Fact, ...]:
        """See `Variant.dealt_facts`: aces, fours of a kind, and the special hands of this game."""
        return self._dealt_facts

    @cached_property
    def _dealt_facts(self) -> tuple[Fact, ...]:
        hands = Hands(HAND_SIZE, len(DECK_52))
        specials = (
            hands.kind(name, partial(self._is_special, name), DEALT_OF_ALL[name])
            for name in self.arranging.specials
        )
        return (hands.of_rank("aces", ACE), hands.fours(), *specials)

    def _is_special(self, name: str, hand: CardSet) -> bool:
        return self.arranging.special_of(cards_in(hand)) == name

    def settlement(self, finished: FinishedRound) -> Outcome:
        """See `Variant.settlement`. Raises WrongRowSizes or NoSpecialHand, too."""
        if len(finished.seats) != self.info.seats:
            raise Implausible(seats="wrong_number_of_seats")
        shown = [self._shown(seat, hand) for seat, hand in enumerate(finished.seats)]
        return self.settle(shown)

    def _shown(self, seat: int, hand: FinalHand) -> FinalHand:
        """A hand as it lies at the end: a special that it is, or rows, a foul or not."""
        if hand.special is None:
            rows = (hand.front or (), hand.middle or (), hand.back or ())
            _check_sizes(rows, seat=seat)
            return self.arranging.rows_set(*rows)
        if len(hand.cards) != HAND_SIZE:
            raise Implausible(seats="wrong_number_of_cards")
        found = self.arranging.special_of(hand.cards)
        if found != hand.special:
            raise NoSpecialHand(seat=seat, claimed=hand.special, found=found)
        return hand


def _check_sizes(rows: tuple[tuple[Card, ...], ...], **facts: int) -> None:
    sizes = tuple(map(len, rows))
    if sizes != ROW_SIZES:
        raise WrongRowSizes(sizes=list(sizes), **facts)
