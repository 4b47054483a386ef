"""Chinese Poker as a variant: 13 cards each, set as rows or declared (rule book: 4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from games.rules.arranging.arrangement import ArrangingState
from games.rules.arranging.house import ArrangingHouse
from games.rules.arranging.rows import Category
from games.rules.arranging.settlement import points_of, reason_codes
from games.rules.cards import DECK_52
from games.rules.dealing import NumberStream, deal_singly
from games.rules.engine import refuse_unless_open
from games.rules.moves import Arrange, Declare, Move
from games.rules.outcome import Ending, FinalHand, Outcome
from games.rules.variant import (
    Deal,
    Direction,
    Kind,
    Phase,
    ScoreScope,
    SeatView,
    VariantInfo,
    View,
)
from games.rules.variants.chinese_poker.config import ChinesePokerConfig
from games.rules.variants.chinese_poker.settlement import GRAND_SLAM, settle

ACTIONS: Final = (Arrange.type, Declare.type)


class ChinesePoker(ArrangingHouse[ArrangingState]):
    """The game under one configuration."""

    def __init__(self, config: ChinesePokerConfig) -> None:
        self.config = config
        self.arranging = config.arranging
        self.info = VariantInfo(
            slug="chinese-poker",
            name="Chinese Poker",
            summary=(
                "Set 13 cards as three rows, each higher than the one before, and compare them "
                "with every other seat."
            ),
            seats=config.seats,
            deck_size=len(DECK_52),
            direction=Direction.COUNTER_CLOCKWISE,
            kind=Kind.ARRANGING,
            score_scope=ScoreScope.SESSION,
            phases=(Phase.ARRANGING, Phase.SETTLED),
            move_types=ACTIONS,
            patterns=tuple(category.label for category in Category),
            reasons=reason_codes(config.row_values, GRAND_SLAM),
            specials=tuple(config.special_points),
            revision=1,
        )

    def deal(self, numbers: NumberStream, number: int, carry: Mapping[str, Any]) -> Deal:
        """The shuffled deck; nothing else is drawn."""
        return Deal(numbers.shuffle(DECK_52), {"deal": number})

    def start(self, deal: Deal) -> ArrangingState:
        """The deck dealt one card at a time from seat 0."""
        return self.arranging.start(deal_singly(deal.deck, self.config.seats))

    def to_act(self, state: ArrangingState) -> frozenset[int]:
        """Every seat until the last has set."""
        return state.to_act

    def decisions(self, state: ArrangingState) -> int:
        """The one decision of a deal closes when the last seat has set."""
        return int(state.all_set)

    def legal_moves(self, state: ArrangingState, seat: int) -> Iterator[Move]:
        """See `ArrangingRules.legal_moves`."""
        if seat in state.to_act:
            yield from self.arranging.legal_moves(state, seat)

    def play(self, state: ArrangingState, seat: int, move: Move) -> ArrangingState:
        """The next state. Raises WrongPhase, the refusals of rows, or NoSpecialHand."""
        refuse_unless_open(self._phase(state), move, () if state.all_set else ACTIONS)
        return self.arranging.play(state, seat, move)

    def outcome(self, state: ArrangingState) -> Outcome | None:
        """The settlement once every seat has set."""
        hands = state.final_hands()
        return None if hands is None else self.settle(hands)

    def settle(self, hands: Sequence[FinalHand]) -> Outcome:
        """See `ArrangingHouse.settle`."""
        transfers = settle(self.config, hands)
        return Outcome(
            ending=Ending.SETTLED,
            points=points_of(transfers, self.config.seats),
            hands=tuple(hands),
            transfers=transfers,
        )

    def view(self, state: ArrangingState, viewer: int | None) -> View:
        """Own hand and setting; of the others only who has set."""
        return View(
            phase=self._phase(state),
            to_act=tuple(sorted(state.to_act)),
            seats=tuple(
                SeatView(seat, state.cards_left(seat), state.has_set(seat))
                for seat in range(self.config.seats)
            ),
            you=None if viewer is None else self.arranging.own_view(state, viewer),
        )

    @staticmethod
    def _phase(state: ArrangingState) -> Phase:
        return Phase.SETTLED if state.all_set else Phase.ARRANGING


CHINESE_POKER: Final = ChinesePoker(ChinesePokerConfig())
