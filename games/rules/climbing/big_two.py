"""Big Two as a variant, driven by the configuration of a house (rule book sections 1 and 2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain
from typing import Any, Final, NamedTuple

from games.rules.cards import (
    CARD_NAMES,
    CARDS_BY_NAME,
    DECK_52,
    Card,
    CardSet,
    card_names,
    card_set,
    cards_in,
)
from games.rules.climbing.big_two_config import BigTwoConfig
from games.rules.climbing.big_two_house import SEATS, BigTwoHouse
from games.rules.climbing.big_two_patterns import Reading
from games.rules.climbing.trick import Trick, new_trick, with_pass, with_play
from games.rules.dealing import NumberStream, deal_singly
from games.rules.engine import refuse_unless_open
from games.rules.errors import (
    CardNotInHand,
    DoesNotBeat,
    MustIncludeCard,
    MustLead,
    RedealAlreadyCalled,
    RedealNotEligible,
    RuleViolation,
    WrongPattern,
)
from games.rules.moves import AnswerRedeal, CallRedeal, Move, Pass, Play
from games.rules.outcome import Ending, FinalHand, Outcome
from games.rules.variant import (
    Deal,
    OwnView,
    Phase,
    PlayView,
    RedealView,
    SeatView,
    VariantInfo,
    View,
)

ONLY: Final = tuple(frozenset({seat}) for seat in range(SEATS))
EVERYBODY: Final = frozenset(range(SEATS))
NOBODY: Final[frozenset[int]] = frozenset()
PASSES: Final = (Pass(),)
CALLS: Final = (CallRedeal(),)
# A member of an enum is slow to reach in Python 3.11, and each move asks for the phase often.
PLAYING: Final = Phase.PLAYING
REDEAL: Final = Phase.REDEAL
SETTLED: Final = Phase.SETTLED


class BigTwoState(NamedTuple):
    """A deal of Big Two.

    `must_include` is the opening card until the first play is made. `call` is the open call for a
    redeal, or the one that all accepted; `declined` are the seats whose call was declined.
    """

    hands: tuple[CardSet, ...]
    trick: Trick[Reading]
    must_include: Card | None
    phase: Phase = PLAYING
    decisions: int = 0
    call: RedealView | None = None
    declined: frozenset[int] = NOBODY


class BigTwo(BigTwoHouse[BigTwoState]):
    """One house of Big Two."""

    def __init__(self, info: VariantInfo, config: BigTwoConfig) -> None:
        super().__init__(info, config)
        self._opening_card = CARDS_BY_NAME[config.opening_card]
        calls = () if config.redeal is None else (CallRedeal.type,)
        self._open_types: Mapping[Phase, tuple[str, ...]] = {
            PLAYING: (Play.type, Pass.type, *calls),
            REDEAL: (AnswerRedeal.type,),
            SETTLED: (),
        }

    # -- the deal

    def deal(self, numbers: NumberStream, number: int, carry: Mapping[str, Any]) -> Deal:
        """See `Variant.deal`. Nothing is carried."""
        return Deal(numbers.shuffle(DECK_52), {"deal": number})

    def start(self, deal: Deal) -> BigTwoState:
        """See `Variant.start`. The holder of the opening card leads."""
        hands = tuple(map(card_set, deal_singly(deal.deck, SEATS)))
        leader = next(seat for seat in range(SEATS) if hands[seat] >> self._opening_card & 1)
        return BigTwoState(hands, new_trick(leader), self._opening_card)

    # -- who may do what

    def to_act(self, state: BigTwoState) -> frozenset[int]:
        """See `Variant.to_act`. Before the first play also the seats that may call for a redeal.

        Which seats those are is secret: what others may know of whose turn it is, is in `view`.
        """
        awaited = ONLY[state.trick.turn] if state.phase is PLAYING else self._awaited(state)
        if state.must_include is None:
            return awaited
        return awaited.union(seat for seat in range(SEATS) if self.can_call_redeal(state, seat))

    def _awaited(self, state: BigTwoState) -> frozenset[int]:
        """The seats that the game waits for, which everybody knows."""
        if state.phase is PLAYING:
            return ONLY[state.trick.turn]
        if state.phase is REDEAL and state.call is not None:
            answered = {seat for seat, _ in state.call.answers}
            return EVERYBODY - answered - {state.call.caller}
        return NOBODY

    def out_of_turn(self, state: BigTwoState, seat: int, move: Move) -> RuleViolation:
        """See `Variant.out_of_turn`. A call for a redeal is refused for its own reason."""
        if isinstance(move, CallRedeal) and move.type in self._open_types[state.phase]:
            return self._call_refusal(state, seat)
        return super().out_of_turn(state, seat, move)

    def decisions(self, state: BigTwoState) -> int:
        """See `Variant.decisions`."""
        return state.decisions

    def actions(self, state: BigTwoState, seat: int) -> tuple[str, ...]:
        """The types of move that are open to this seat now."""
        if state.phase is REDEAL:
            return (AnswerRedeal.type,) if seat in self._awaited(state) else ()
        actions: tuple[str, ...] = ()
        if seat in self._awaited(state):
            actions = (Play.type,) if state.trick.reading is None else (Play.type, Pass.type)
        return (*actions, CallRedeal.type) if self.can_call_redeal(state, seat) else actions

    def legal_moves(self, state: BigTwoState, seat: int) -> Iterator[Move]:
        """See `Variant.legal_moves`. First is what a seat does whose time runs out."""
        if state.phase is REDEAL:
            return self._answers(state, seat)
        calls = CALLS if self.can_call_redeal(state, seat) else ()
        if seat != state.trick.turn or state.phase is not PLAYING:
            return iter(calls)
        on = state.trick.reading
        plays = self.patterns.plays(state.hands[seat], on, state.must_include)
        return chain(plays, calls) if on is None else chain(PASSES, plays)

    # -- moves

    def play(self, state: BigTwoState, seat: int, move: Move) -> BigTwoState:
        """See `Variant.play`."""
        if seat == state.trick.turn and state.phase is PLAYING:
            if isinstance(move, Play):
                return self._play_cards(state, seat, move)
            if isinstance(move, Pass):
                return self._pass(state, seat)
        refuse_unless_open(state.phase, move, self._open_types[state.phase])
        if isinstance(move, CallRedeal):
            return self._call_redeal(state, seat)
        if isinstance(move, AnswerRedeal) and state.call is not None:
            return self._answer_redeal(state, state.call, seat, move.accept)
        raise self.out_of_turn(state, seat, move)

    def _play_cards(self, state: BigTwoState, seat: int, move: Play) -> BigTwoState:
        hand = state.hands[seat]
        cards = card_set(move.cards)
        if cards & ~hand:
            raise CardNotInHand(cards=card_names(cards_in(cards & ~hand)))
        reading = self.read(move)
        if state.must_include is not None and state.must_include not in move.cards:
            raise MustIncludeCard(card=CARD_NAMES[state.must_include])
        trick = state.trick
        if trick.reading is not None and not self.patterns.beats(reading, trick.reading):
            refusal = DoesNotBeat if reading.size == trick.reading.size else WrongPattern
            raise refusal(pattern=reading.pattern, to_beat=trick.to_beat_facts())
        play = PlayView(seat, tuple(sorted(move.cards)), reading.pattern)
        hands = (*state.hands[:seat], hand ^ cards, *state.hands[seat + 1 :])
        trick = with_play(trick, play, reading, seats=SEATS, passing_bars=self.config.passing_bars)
        phase = SETTLED if hand == cards else PLAYING
        # `_make`, here and in `_pass`, is faster than the same fields as arguments.
        return BigTwoState._make((hands, trick, None, phase, state.decisions + 1, None, NOBODY))

    def _pass(self, state: BigTwoState, seat: int) -> BigTwoState:
        if state.trick.reading is None:
            raise MustLead()
        trick = with_pass(state.trick, seat, seats=SEATS, passing_bars=self.config.passing_bars)
        return BigTwoState._make(
            (state.hands, trick, None, PLAYING, state.decisions + 1, None, NOBODY)
        )

    def pattern_of(self, state: BigTwoState, seat: int, move: Move) -> str | None:
        """See `Variant.pattern_of`."""
        reading = self.patterns.classify(move.cards) if isinstance(move, Play) else None
        return reading.pattern if reading else None

    # -- the redeal

    def can_call_redeal(self, state: BigTwoState, seat: int) -> bool:
        """Whether this seat may call for a redeal now."""
        rule = self.config.redeal
        return (
            rule is not None
            and state.must_include is not None
            and state.phase is PLAYING
            and seat not in state.declined
            and rule.qualifies(state.hands[seat])
        )

    def _call_refusal(self, state: BigTwoState, seat: int) -> RuleViolation:
        if state.must_include is not None and seat in state.declined:
            return RedealAlreadyCalled()
        return RedealNotEligible()

    def _call_redeal(self, state: BigTwoState, seat: int) -> BigTwoState:
        if not self.can_call_redeal(state, seat):
            raise self._call_refusal(state, seat)
        return state._replace(
            phase=REDEAL, call=RedealView(seat, ()), decisions=state.decisions + 1
        )

    def _answers(self, state: BigTwoState, seat: int) -> Iterator[Move]:
        rule = self.config.redeal
        if rule is not None and seat in self._awaited(state):
            yield AnswerRedeal(rule.timeout_accepts)
            yield AnswerRedeal(not rule.timeout_accepts)

    def _answer_redeal(
        self, state: BigTwoState, open_call: RedealView, seat: int, accept: bool
    ) -> BigTwoState:
        """The first who declines ends the call; the last who accepts ends the deal."""
        call = RedealView(open_call.caller, (*open_call.answers, (seat, accept)))
        if not accept:
            return state._replace(
                phase=PLAYING,
                call=None,
                declined=state.declined | {call.caller},
                decisions=state.decisions + 1,
            )
        if len(call.answers) < SEATS - 1:
            return state._replace(call=call)
        return state._replace(phase=SETTLED, call=call, decisions=state.decisions + 1)

    # -- what is known

    def outcome(self, state: BigTwoState) -> Outcome | None:
        """See `Variant.outcome`."""
        if state.phase is not SETTLED:
            return None
        if state.call is not None:
            return Outcome(Ending.REDEAL, points=(0,) * SEATS)
        settlement = self.settle([hand.bit_count() for hand in state.hands])
        return replace(settlement, hands=tuple(FinalHand(cards_in(hand)) for hand in state.hands))

    def view(self, state: BigTwoState, viewer: int | None) -> View:
        """See `Variant.view`."""
        answered: set[int] = set()
        if state.call is not None:
            answered = {state.call.caller, *(seat for seat, _ in state.call.answers)}
        return View(
            phase=state.phase,
            to_act=tuple(sorted(self._awaited(state))),
            seats=tuple(
                SeatView(seat, hand.bit_count(), has_acted=seat in answered)
                for seat, hand in enumerate(state.hands)
            ),
            you=None if viewer is None else self._own_view(state, viewer),
            trick=state.trick.view(state.must_include),
            redeal=state.call,
        )

    def _own_view(self, state: BigTwoState, seat: int) -> OwnView:
        return OwnView(
            seat=seat,
            hand=cards_in(state.hands[seat]),
            actions=self.actions(state, seat),
            can_call_redeal=(
                None if self.config.redeal is None else self.can_call_redeal(state, seat)
            ),
        )
