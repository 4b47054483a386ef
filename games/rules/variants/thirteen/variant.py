"""Thirteen as a variant: the ceremony, then 13 cards each, set as rows (rule book: 5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from games.rules.arranging.arrangement import ArrangingState
from games.rules.arranging.house import ArrangingHouse
from games.rules.arranging.rows import Category
from games.rules.arranging.settlement import points_of, reason_codes
from games.rules.cards import DECK_52, Card
from games.rules.dealing import NumberStream
from games.rules.engine import refuse_unless_open
from games.rules.errors import CannotCut, CutOutOfRange, ExtensionUsed, RuleViolation
from games.rules.moves import Arrange, Cut, Declare, Extend, Move
from games.rules.outcome import Ending, FinalHand, Outcome
from games.rules.variant import (
    CuttingView,
    Deal,
    Direction,
    Kind,
    OwnView,
    Phase,
    ScoreScope,
    SeatView,
    VariantInfo,
    View,
)
from games.rules.variants.thirteen.ceremony import (
    Draws,
    cut_deck,
    deal_from,
    draw_for_leader,
    first_seat,
    wind_of,
)
from games.rules.variants.thirteen.config import ThirteenConfig
from games.rules.variants.thirteen.settlement import HOME_RUN, next_leader, settle

ACTIONS: Final[Mapping[Phase, tuple[str, ...]]] = {
    Phase.CUTTING: (Cut.type,),
    Phase.ARRANGING: (Arrange.type, Declare.type, Extend.type),
    Phase.SETTLED: (),
}


@dataclass(frozen=True, slots=True)
class ThirteenState:
    """A deal from the cuts on. `deck` is the shuffled deck before any cut.

    `cuts` has for each seat a position, 0 for a skip, or None for no answer yet; the leader's stays
    None. `table` has no cards until all have answered and the hands are dealt.
    """

    leader: int
    draws: Draws
    deck: tuple[Card, ...]
    turned_card: Card
    cuts: tuple[int | None, ...]
    extension_used: tuple[bool, ...]
    table: ArrangingState

    @property
    def phase(self) -> Phase:
        """Cutting until all have answered, then arranging until all have set."""
        if self.cutters:
            return Phase.CUTTING
        return Phase.SETTLED if self.table.all_set else Phase.ARRANGING

    @property
    def cutters(self) -> frozenset[int]:
        """The seats that have not yet cut or skipped; never the leader."""
        return frozenset(
            seat for seat, cut in enumerate(self.cuts) if cut is None and seat != self.leader
        )


class Thirteen(ArrangingHouse[ThirteenState]):
    """The game under one configuration."""

    deal_fields = ("leader", "cuts")

    def __init__(self, config: ThirteenConfig) -> None:
        self.config = config
        self.arranging = config.arranging
        self.info = VariantInfo(
            slug="thirteen",
            name="Thirteen (13支)",
            summary=(
                "Draw for the leader, cut, and set 13 cards as three rows, with bonuses, sweeps "
                "and home runs."
            ),
            seats=config.seats,
            deck_size=len(DECK_52),
            direction=Direction.CLOCKWISE,
            kind=Kind.ARRANGING,
            score_scope=ScoreScope.SESSION,
            phases=tuple(ACTIONS),
            move_types=(Cut.type, Arrange.type, Declare.type, Extend.type),
            patterns=tuple(category.label for category in Category),
            reasons=reason_codes(config.row_bonuses, HOME_RUN),
            specials=tuple(config.special_points),
            revision=1,
            options={
                "turn_seconds": config.turn_seconds,
                "extension_seconds": config.extension_seconds,
            },
        )

    def deal(self, numbers: NumberStream, number: int, carry: Mapping[str, Any]) -> Deal:
        """The draws where there is no leader yet, the shuffled deck and the turned card."""
        first_round = "leader" not in carry
        draws: Draws = ()
        if first_round:
            leader, draws = draw_for_leader(
                numbers,
                self.config.seats,
                tied_draw_is_repeated=self.config.tied_draw_is_repeated,
            )
        else:
            leader = carry["leader"]
        deck = numbers.shuffle(DECK_52)
        turned_card = DECK_52[numbers.below(len(DECK_52))]
        return Deal(
            deck,
            {
                "deal": number,
                "leader": leader,
                "draws": [list(draw) for draw in draws],
                "turned_card": turned_card,
                "first_round": first_round,
            },
        )

    def start(self, deal: Deal) -> ThirteenState:
        """The leader is known, nobody has cut."""
        return ThirteenState(
            leader=deal.setup["leader"],
            draws=tuple((seat, card) for seat, card in deal.setup["draws"]),
            deck=deal.deck,
            turned_card=deal.setup["turned_card"],
            cuts=(None,) * self.config.seats,
            extension_used=(False,) * self.config.seats,
            table=self.arranging.start(((),) * self.config.seats),
        )

    def to_act(self, state: ThirteenState) -> frozenset[int]:
        """Those who have not cut, then every seat until the last has set."""
        return state.cutters or state.table.to_act

    def out_of_turn(self, state: ThirteenState, seat: int, move: Move) -> RuleViolation:
        """CannotCut for a cut by the leader or a second one; NotYourTurn otherwise."""
        if isinstance(move, Cut) and state.phase is Phase.CUTTING:
            return CannotCut()
        return super().out_of_turn(state, seat, move)

    def decisions(self, state: ThirteenState) -> int:
        """One for all cuts, one for all arrangements; an extension is none."""
        return (Phase.CUTTING, Phase.ARRANGING, Phase.SETTLED).index(state.phase)

    def legal_moves(self, state: ThirteenState, seat: int) -> Iterator[Move]:
        """The skip and the cuts; then see `ArrangingRules.legal_moves`, and last the extension."""
        if seat not in self.to_act(state):
            return
        if state.cutters:
            yield from (Cut(position) for position in range(len(state.deck)))
            return
        yield from self.arranging.legal_moves(state.table, seat)
        if not state.extension_used[seat]:
            yield Extend()

    def play(self, state: ThirteenState, seat: int, move: Move) -> ThirteenState:
        """The next state.

        Raises WrongPhase, CannotCut, CutOutOfRange, the refusals of rows, NoSpecialHand or
        ExtensionUsed.
        """
        refuse_unless_open(state.phase, move, ACTIONS[state.phase])
        if isinstance(move, Cut):
            return self._cut(state, seat, move)
        if isinstance(move, Extend):
            return self._extend(state, seat)
        return replace(state, table=self.arranging.play(state.table, seat, move))

    def _cut(self, state: ThirteenState, seat: int, move: Cut) -> ThirteenState:
        if seat not in state.cutters:
            raise CannotCut()
        if not 0 <= move.position < len(state.deck):
            raise CutOutOfRange(position=move.position)
        cut = replace(state, cuts=(*state.cuts[:seat], move.position, *state.cuts[seat + 1 :]))
        return cut if cut.cutters else self._deal_out(cut)

    def _deal_out(self, state: ThirteenState) -> ThirteenState:
        """The cards dealt; the cuts count in order of seat, in whatever order they were made."""
        deck = cut_deck(state.deck, (cut for cut in state.cuts if cut))
        turned_card = state.turned_card if self.config.turned_from_full_deck else deck[-1]
        first = first_seat(turned_card, state.leader, self.config.seats)
        table = self.arranging.start(deal_from(deck, first, self.config.seats))
        return replace(state, turned_card=turned_card, table=table)

    def _extend(self, state: ThirteenState, seat: int) -> ThirteenState:
        if state.extension_used[seat]:
            raise ExtensionUsed()
        used = state.extension_used
        return replace(state, extension_used=(*used[:seat], True, *used[seat + 1 :]))

    def outcome(self, state: ThirteenState) -> Outcome | None:
        """The settlement once every seat has set, and who leads the next round."""
        hands = state.table.final_hands()
        if hands is None:
            return None
        outcome = self.settle(hands)
        return replace(outcome, carry={"leader": next_leader(outcome.points, state.leader)})

    def settle(self, hands: Sequence[FinalHand]) -> Outcome:
        """See `ArrangingHouse.settle`. It says nothing of who leads next."""
        transfers = settle(self.config, hands)
        return Outcome(
            ending=Ending.SETTLED,
            points=points_of(transfers, self.config.seats),
            hands=tuple(hands),
            transfers=transfers,
        )

    def view(self, state: ThirteenState, viewer: int | None) -> View:
        """Own hand and setting; of the others only who has acted. Cuts show when all are made."""
        return View(
            phase=state.phase,
            to_act=tuple(sorted(self.to_act(state))),
            seats=tuple(self._seat_view(state, seat) for seat in range(self.config.seats)),
            you=None if viewer is None else self._own_view(state, viewer),
            cutting=CuttingView(
                leader=state.leader,
                draws=state.draws,
                cuts=tuple(
                    (seat, cut)
                    for seat, cut in enumerate(state.cuts)
                    if cut is not None and not state.cutters
                ),
                turned_card=None if state.cutters else state.turned_card,
            ),
        )

    def _seat_view(self, state: ThirteenState, seat: int) -> SeatView:
        return SeatView(
            seat=seat,
            cards_left=state.table.cards_left(seat),
            has_acted=state.cuts[seat] is not None if state.cutters else state.table.has_set(seat),
            wind=wind_of(seat, state.leader),
        )

    def _own_view(self, state: ThirteenState, seat: int) -> OwnView:
        own = self.arranging.own_view(state.table, seat)
        used = state.extension_used[seat]
        actions = own.actions
        if state.cutters:
            actions = (Cut.type,) if seat in state.cutters else ()
        elif actions and not used:
            actions = (*actions, Extend.type)
        return replace(own, actions=actions, extension_used=used)


THIRTEEN: Final = Thirteen(ThirteenConfig())
