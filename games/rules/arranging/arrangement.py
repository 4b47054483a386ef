"""Setting the rows: all seats at the same time, hidden until every seat has set.

The part of the state that the arranging games share (rule book: Arranging). A seat may send again,
rows for a declaration and the other way round, until the last seat has set; then nothing changes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from games.rules.arranging.best import best_arrangement
from games.rules.arranging.fouls import RowRules, check_arrangement
from games.rules.arranging.measure import Measure
from games.rules.arranging.rows import FRONT_SIZE, ROW_SIZE, RowKey
from games.rules.arranging.specials import special_of
from games.rules.cards import Card
from games.rules.errors import NoSpecialHand
from games.rules.moves import Arrange, Declare, Move
from games.rules.outcome import FinalHand
from games.rules.variant import ArrangementView, OwnView


@dataclass(frozen=True, slots=True)
class ArrangingState:
    """The hand of each seat, in the order of the ordered deck, and what each has set so far."""

    hands: tuple[tuple[Card, ...], ...]
    settings: tuple[FinalHand | None, ...]

    @property
    def all_set(self) -> bool:
        """Whether every seat has set: the end of the deal."""
        return None not in self.settings

    @property
    def to_act(self) -> frozenset[int]:
        """Every seat until the last has set, since a seat that has set may send again."""
        return frozenset() if self.all_set else frozenset(range(len(self.hands)))

    def has_set(self, seat: int) -> bool:
        """Whether this seat has set. All that others may know of it before the end."""
        return self.settings[seat] is not None

    def cards_left(self, seat: int) -> int:
        """The cards that the seat has in hand: all of them until every seat shows its rows."""
        return 0 if self.all_set else len(self.hands[seat])

    def final_hands(self) -> tuple[FinalHand, ...] | None:
        """What every seat shows at the end; None before."""
        shown = tuple(setting for setting in self.settings if setting is not None)
        return shown if len(shown) == len(self.settings) else None

    def with_setting(self, seat: int, setting: FinalHand) -> ArrangingState:
        """The state after this seat has set this."""
        settings = (*self.settings[:seat], setting, *self.settings[seat + 1 :])
        return ArrangingState(self.hands, settings)


@dataclass(frozen=True, slots=True)
class ArrangingRules:
    """What may be set in a game: the order of its rows, its special hands from high to low, and the
    measure by which one arrangement is better than another."""

    rows: RowRules
    specials: tuple[str, ...]
    measure: Measure

    def start(self, hands: tuple[tuple[Card, ...], ...]) -> ArrangingState:
        """The state after these hands were dealt."""
        return ArrangingState(tuple(tuple(sorted(hand)) for hand in hands), (None,) * len(hands))

    def special_of(self, hand: tuple[Card, ...]) -> str | None:
        """The highest special hand of this game that the 13 cards are."""
        return special_of(hand, self.specials)

    def rows_set(
        self, front: tuple[Card, ...], middle: tuple[Card, ...], back: tuple[Card, ...]
    ) -> FinalHand:
        """What a seat shows that set these rows of 3, 5 and 5 cards, a foul or not."""
        foul = self.rows.is_foul(front, middle, back)
        return FinalHand(front=front, middle=middle, back=back, foul=foul)

    def best(self, hand: tuple[Card, ...]) -> Arrange:
        """The best arrangement of these 13 cards by the measure of this game; never a foul."""
        return best_arrangement(hand, self.rows, self.measure)

    def play(self, state: ArrangingState, seat: int, move: Move) -> ArrangingState:
        """The state after these rows or, a move of another type, the declaration.

        Raises what `check_arrangement` raises, or NoSpecialHand.
        """
        hand = state.hands[seat]
        if isinstance(move, Arrange):
            check_arrangement(self.rows, hand, move)
            return state.with_setting(seat, self.rows_set(move.front, move.middle, move.back))
        special = self.special_of(hand)
        if special is None:
            raise NoSpecialHand()
        return state.with_setting(seat, FinalHand(cards=hand, special=special))

    def own_view(self, state: ArrangingState, seat: int) -> OwnView:
        """The hand of a seat, its special hand, what it has set and what it may do."""
        hand = state.hands[seat]
        special = self.special_of(hand)
        open_types = (Arrange.type, Declare.type) if special else (Arrange.type,)
        return OwnView(
            seat=seat,
            hand=hand,
            actions=() if state.all_set else open_types,
            special=special,
            arrangement=_arrangement_view(state.settings[seat]),
        )

    def legal_moves(self, state: ArrangingState, seat: int) -> Iterator[Arrange | Declare]:
        """The declaration if there is one, then the 72,072 arrangements, made one by one.

        First those that are no foul, then the fouls, said to be so; within each the weakest front
        first, then the weakest middle. Each row comes once, its cards in the order of the ordered
        deck: `play` takes them in any order, and takes `accept_foul` where there is no foul.
        """
        hand = state.hands[seat]
        if self.special_of(hand) is not None:
            yield Declare()
        yield from self._arrangements(hand, foul=False)
        yield from self._arrangements(hand, foul=True)

    def _arrangements(self, hand: tuple[Card, ...], *, foul: bool) -> Iterator[Arrange]:
        for front_key, front in self._weakest_first(hand, FRONT_SIZE):
            rest = tuple(card for card in hand if card not in front)
            rows = self._weakest_first(rest, ROW_SIZE)
            key_by_row = {row: key for key, row in rows}
            for middle_key, middle in rows:
                back = tuple(card for card in rest if card not in middle)
                if self.rows.keys_foul(front_key, middle_key, key_by_row[back]) is foul:
                    yield Arrange(front, middle, back, accept_foul=foul)

    def _weakest_first(
        self, cards: tuple[Card, ...], size: int
    ) -> list[tuple[RowKey, tuple[Card, ...]]]:
        key = self.rows.order.key
        return sorted((key(row), row) for row in combinations(cards, size))


def _arrangement_view(setting: FinalHand | None) -> ArrangementView | None:
    if setting is None:
        return None
    return ArrangementView(
        front=setting.front or (),
        middle=setting.middle or (),
        back=setting.back or (),
        special=setting.special,
        foul=bool(setting.foul),
    )
