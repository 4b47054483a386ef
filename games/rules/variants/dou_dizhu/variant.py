"""Dou Dizhu as a variant (rule book, section 3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from games.rules.cards import CARD_NAMES, DECK_54, CardSet, card_names, card_set, cards_in
from games.rules.climbing.trick import Trick, new_trick, with_pass, with_play
from games.rules.dealing import NumberStream, deal_singly
from games.rules.errors import (
    AmbiguousPattern,
    BidTooLow,
    CardNotInHand,
    DoesNotBeat,
    DuplicateCard,
    MustLead,
    NotAPattern,
    WrongPattern,
    WrongPhase,
)
from games.rules.moves import Bid, Move, Pass, Play
from games.rules.outcome import Ending, FinalHand, Outcome
from games.rules.variant import (
    BiddingView,
    Deal,
    OwnView,
    Phase,
    PlayView,
    SeatView,
    StakeView,
    View,
)
from games.rules.variants.dou_dizhu.house import SEATS, DouDizhuHouse
from games.rules.variants.dou_dizhu.patterns import POWER, Reading
from games.rules.variants.dou_dizhu.reading import read_play
from games.rules.variants.dou_dizhu.settlement import settle, spring_of, stake
from games.rules.variants.dou_dizhu.state import Bidding, DouDizhuState

KITTY_SIZE: Final = 3
ONLY: Final = tuple(frozenset({seat}) for seat in range(SEATS))
NOBODY: Final[frozenset[int]] = frozenset()
# A member of an enum is slow to reach in Python 3.11, and each move asks for the phase often.
BIDDING: Final = Phase.BIDDING
PLAYING: Final = Phase.PLAYING
SETTLED: Final = Phase.SETTLED
OPEN_TYPES: Final[Mapping[Phase, tuple[str, ...]]] = {
    BIDDING: (Bid.type,),
    PLAYING: (Play.type, Pass.type),
    SETTLED: (),
}


class DouDizhu(DouDizhuHouse[DouDizhuState]):
    """One house of Dou Dizhu."""

    # -- the deal

    def deal(self, numbers: NumberStream, number: int, carry: Mapping[str, Any]) -> Deal:
        """See `Variant.deal`. Nothing is carried."""
        deck = numbers.shuffle(DECK_54)
        return Deal(deck, {"deal": number, "first_bidder": numbers.below(SEATS)})

    def start(self, deal: Deal) -> DouDizhuState:
        """See `Variant.start`. The last three cards of the deck are the kitty."""
        hands = deal_singly(deal.deck[:-KITTY_SIZE], SEATS)
        kitty = card_set(deal.deck[-KITTY_SIZE:])
        bidding = Bidding(deal.setup["deal"], kitty, deal.setup["first_bidder"])
        return DouDizhuState(bidding, tuple(map(card_set, hands)))

    # -- who may do what

    def to_act(self, state: DouDizhuState) -> frozenset[int]:
        """See `Variant.to_act`."""
        if state.phase is PLAYING and state.trick is not None:
            return ONLY[state.trick.turn]
        if state.phase is BIDDING:
            return ONLY[(state.bidding.first_bidder + len(state.bidding.bids)) % SEATS]
        return NOBODY

    def decisions(self, state: DouDizhuState) -> int:
        """See `Variant.decisions`."""
        return state.decisions

    def actions(self, state: DouDizhuState, seat: int) -> tuple[str, ...]:
        """The types of move that are open to this seat now."""
        if seat not in self.to_act(state):
            return ()
        if state.trick is not None and state.trick.reading is None:
            return (Play.type,)
        return OPEN_TYPES[state.phase]

    def legal_moves(self, state: DouDizhuState, seat: int) -> Iterator[Move]:
        """See `Variant.legal_moves`, and `plays` for what is listed.

        First is what a seat does whose time runs out.
        """
        if seat not in self.to_act(state):
            return
        if state.trick is None:
            yield Bid(0)
            yield from map(Bid, range(state.bidding.highest + 1, self.config.highest_bid + 1))
            return
        if state.trick.reading is not None:
            yield Pass()
        yield from self.plays(state.hands[seat], state.trick.reading)

    # -- moves

    def play(self, state: DouDizhuState, seat: int, move: Move) -> DouDizhuState:
        """See `Variant.play`."""
        trick = state.trick
        if trick is not None and state.phase is PLAYING:
            if isinstance(move, Play):
                return self._play_cards(state, trick, seat, move)
            if isinstance(move, Pass):
                if trick.reading is None:
                    raise MustLead()
                return self.passed(state, trick)
        if isinstance(move, Bid) and state.phase is BIDDING:
            return self._bid(state, seat, move.bid)
        actions = OPEN_TYPES[state.phase]
        raise WrongPhase(phase=state.phase, type=move.type, actions=list(actions))

    def _bid(self, state: DouDizhuState, seat: int, bid: int) -> DouDizhuState:
        highest = state.bidding.highest
        if bid != 0 and not highest < bid <= self.config.highest_bid:
            raise BidTooLow(bid=bid, highest=highest)
        bidding = state.bidding._replace(bids=(*state.bidding.bids, (seat, bid)))
        decisions = state.decisions + 1
        if bid < self.config.highest_bid and len(bidding.bids) < SEATS:
            return state._replace(bidding=bidding, decisions=decisions)
        if bidding.highest == 0:
            return state._replace(bidding=bidding, phase=SETTLED, decisions=decisions)
        landlord = next(seat for seat, bid in bidding.bids if bid == bidding.highest)
        hands = list(state.hands)
        hands[landlord] |= bidding.kitty
        return state._replace(
            bidding=bidding._replace(landlord=landlord),
            hands=tuple(hands),
            trick=new_trick(landlord),
            phase=PLAYING,
            decisions=decisions,
        )

    def _play_cards(
        self, state: DouDizhuState, trick: Trick[Reading], seat: int, move: Play
    ) -> DouDizhuState:
        hand = state.hands[seat]
        cards = card_set(move.cards)
        if cards.bit_count() < len(move.cards):
            twice = next(card for card in move.cards if move.cards.count(card) > 1)
            raise DuplicateCard(card=CARD_NAMES[twice])
        if cards & ~hand:
            raise CardNotInHand(cards=card_names(cards_in(cards & ~hand)))
        reading = read_play(trick, self.readings(cards), cards, move.pattern)
        play = PlayView(seat, tuple(sorted(move.cards)), reading.pattern)
        return self.put_down(state, trick, play, cards, reading)

    def put_down(
        self,
        state: DouDizhuState,
        trick: Trick[Reading],
        play: PlayView,
        cards: CardSet,
        reading: Reading,
    ) -> DouDizhuState:
        """The state after a play that is known to be good in this trick, as those listed are.

        `cards` are those of the play. `Variant.play` comes here when it has checked the move; so
        may who tries out many listed plays.
        """
        seat, hands, counts = play.seat, state.hands, state.play_counts
        hand = hands[seat] ^ cards
        # `_make`, here and in `passed`, is faster than the same fields as arguments.
        return DouDizhuState._make(
            (
                state.bidding,
                (*hands[:seat], hand, *hands[seat + 1 :]),
                with_play(trick, play, reading, seats=SEATS, passing_bars=self.config.passing_bars),
                (*counts[:seat], counts[seat] + 1, *counts[seat + 1 :]),
                state.bombs + (reading.pattern in POWER),
                PLAYING if hand else SETTLED,
                state.decisions + 1,
            )
        )

    def passed(self, state: DouDizhuState, trick: Trick[Reading]) -> DouDizhuState:
        """The state after the pass of the seat whose turn it is in this trick, which is led."""
        return DouDizhuState._make(
            (
                state.bidding,
                state.hands,
                with_pass(trick, trick.turn, seats=SEATS, passing_bars=self.config.passing_bars),
                state.play_counts,
                state.bombs,
                PLAYING,
                state.decisions + 1,
            )
        )

    def pattern_of(self, state: DouDizhuState, seat: int, move: Move) -> str | None:
        """See `Variant.pattern_of`."""
        if isinstance(move, Play) and state.trick is not None:
            cards = card_set(move.cards)
            try:
                return read_play(state.trick, self.readings(cards), cards, move.pattern).pattern
            except (WrongPattern, DoesNotBeat) as refusal:
                return str(refusal.facts["pattern"])
            except (NotAPattern, AmbiguousPattern):
                return None
        return None

    # -- what is known

    def outcome(self, state: DouDizhuState) -> Outcome | None:
        """See `Variant.outcome`. If all passed, the cards are dealt anew."""
        if state.phase is not SETTLED:
            return None
        landlord = state.bidding.landlord
        if landlord is None:
            return Outcome(Ending.REDEAL, points=(0,) * SEATS)
        return settle(
            self.config,
            bid=state.bidding.highest,
            landlord=landlord,
            winner=state.hands.index(0),
            play_counts=state.play_counts,
            bombs=state.bombs,
            hands=tuple(FinalHand(cards_in(hand)) for hand in state.hands),
        )

    def view(self, state: DouDizhuState, viewer: int | None) -> View:
        """See `Variant.view`. The kitty is shown once there is a landlord."""
        landlord = state.bidding.landlord
        return View(
            phase=state.phase,
            to_act=tuple(self.to_act(state)),
            seats=tuple(
                SeatView(seat, hand.bit_count(), has_acted=False, role=_role(seat, landlord))
                for seat, hand in enumerate(state.hands)
            ),
            you=None
            if viewer is None
            else OwnView(viewer, cards_in(state.hands[viewer]), self.actions(state, viewer)),
            trick=None if state.trick is None else state.trick.view(),
            bidding=BiddingView(state.bidding.bids, state.bidding.highest),
            kitty=None if landlord is None else cards_in(state.bidding.kitty),
            stake=None if landlord is None else self._stake(state, landlord),
            deal=state.bidding.deal,
        )

    def _stake(self, state: DouDizhuState, landlord: int) -> StakeView:
        doublings = state.bombs
        if state.phase is SETTLED:
            doublings += spring_of(landlord, state.hands.index(0), state.play_counts) is not None
        return stake(self.config, state.bidding.highest, doublings)


def _role(seat: int, landlord: int | None) -> str | None:
    if landlord is None:
        return None
    return "landlord" if seat == landlord else "farmer"
