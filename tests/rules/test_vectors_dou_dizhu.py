"""The shared vectors of Dou Dizhu, through the functions that the service uses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from games.rules.cards import DECK_54, Card, card_set, cards_in
from games.rules.dealing import NumberStream, commitment, deal_singly
from games.rules.engine import replay, submit
from games.rules.moves import Bid, Move, Pass, Play, parse_cards
from games.rules.variant import Deal
from games.rules.variants.dou_dizhu import DOU_DIZHU
from games.rules.variants.dou_dizhu.patterns import Reading, beats
from games.rules.variants.dou_dizhu.ranks import rank_of
from games.rules.variants.dou_dizhu.settlement import settle, wallet_after
from games.rules.variants.dou_dizhu.state import DouDizhuState
from games.rules.variants.dou_dizhu.variant import DouDizhu
from tests.rules.vectors import Case, every_case

GAME = {"dou-dizhu": DOU_DIZHU}


def readings_of(names: list[str]) -> tuple[Reading, ...]:
    return DOU_DIZHU.readings(card_set(parse_cards(names)))


def reading_as(names: list[str], pattern: str) -> Reading:
    return next(reading for reading in readings_of(names) if reading.pattern == pattern)


def by_rank(cards: Iterable[Card]) -> tuple[int, ...]:
    return tuple(sorted(map(rank_of, cards)))


@every_case("classify", GAME)
def test_classify(game: DouDizhu, case: Case) -> None:
    patterns = [reading.pattern for reading in readings_of(case["cards"])]
    assert patterns == case["readings"]
    assert next(iter(patterns), None) == case["pattern"]


@every_case("beats", GAME)
def test_beats(game: DouDizhu, case: Case) -> None:
    on = reading_as(case["on"], case["on_pattern"])
    assert any(beats(play, on) for play in readings_of(case["play"])) == case["beats"]


@every_case("legal_plays", GAME)
def test_legal_plays(game: DouDizhu, case: Case) -> None:
    hand = card_set(parse_cards(case["hand"]))
    on = case["on"] and reading_as(case["on"]["cards"], case["on"]["pattern"])
    plays = list(game.plays(hand, on))
    assert len(set(plays)) == len(plays)
    assert all(card_set(play.cards) & ~hand == 0 for play in plays)
    assert {by_rank(play.cards) for play in plays} == {
        by_rank(parse_cards(names)) for names in case["plays"]
    }


@every_case("settle", GAME)
def test_settle(game: DouDizhu, case: Case) -> None:
    outcome = settle(game.config, **case["input"])
    assert list(outcome.points) == case["points"]
    assert outcome.spring == case["spring"]
    received = Counter[int]()
    for transfer in outcome.transfers:
        assert sum(reason.points for reason in transfer.reasons) == transfer.points > 0
        assert {reason.code for reason in transfer.reasons} <= set(game.info.reasons)
        received[transfer.to_seat] += transfer.points
        received[transfer.from_seat] -= transfer.points
    assert [received[seat] for seat in range(3)] == case["points"]


@every_case("wallet", GAME)
def test_wallet(game: DouDizhu, case: Case) -> None:
    assert wallet_after(case["balance"], case["points"]) == (case["after"], case["top_up"])


def start(hands: list[tuple[Card, ...]], kitty: tuple[Card, ...], first_bidder: int) -> Deal:
    """The deal in which these hands of 17 cards and this kitty come off the deck."""
    deck = [card for cards in zip(*hands, strict=True) for card in cards]
    return Deal((*deck, *kitty), {"deal": 1, "first_bidder": first_bidder})


@every_case("bidding", GAME)
def test_bidding(game: DouDizhu, case: Case) -> None:
    deck = Deal(DECK_54, {"deal": 1, "first_bidder": case["first_bidder"]})
    state = game.start(deck)
    for number, bid in enumerate(case["bids"]):
        seat = (case["first_bidder"] + number) % 3
        assert game.to_act(state) == {seat}
        assert state.bidding.landlord is None
        state = submit(game, state, seat, Bid(bid))
    assert state.bidding.landlord == case["landlord"]
    assert (state.bidding.highest or None) == case["bid"]
    assert (game.outcome(state) is not None) == (case["landlord"] is None)
    if case["landlord"] is not None:
        assert game.to_act(state) == {case["landlord"]}


def at_first_lead(case: Case) -> DouDizhuState:
    """The state in which the landlord of this round is about to lead."""
    hands = [parse_cards(names) for names in case["hands"]]
    landlord = case["landlord"]
    kitty = hands[landlord][-3:]
    hands[landlord] = hands[landlord][:-3]
    bids: list[Move] = (
        [Bid(case["bid"])] if case["bid"] == 3 else [Bid(case["bid"]), Bid(0), Bid(0)]
    )
    bidding = [((landlord + number) % 3, bid) for number, bid in enumerate(bids)]
    state = replay(DOU_DIZHU, start(hands, kitty, landlord), bidding)
    assert [set(cards_in(hand)) for hand in state.hands] == [
        set(parse_cards(names)) for names in case["hands"]
    ]
    return state


@every_case("rounds", GAME)
def test_rounds(game: DouDizhu, case: Case) -> None:
    state = at_first_lead(case)
    assert game.to_act(state) == {case["first"]}
    for move in case["moves"]:
        seat, cards = move["seat"], parse_cards(move["cards"])
        assert game.to_act(state) == {seat}
        made: Move = Play(cards, move["pattern"]) if cards else Pass()
        listed = list(game.legal_moves(state, seat))
        if isinstance(made, Play):
            assert by_rank(cards) in {by_rank(m.cards) for m in listed if isinstance(m, Play)}
            assert game.pattern_of(state, seat, made) == move["pattern"]
        else:
            assert made in listed
        state = submit(game, state, seat, made)
    outcome = game.outcome(state)
    assert outcome is not None
    assert outcome.winner == case["winner"]
    assert [len(hand.cards) for hand in outcome.hands] == case["cards_left"]
    assert list(outcome.points) == case["points"]
    assert outcome.spring == case["spring"]
    assert list(state.play_counts) == case["play_counts"]
    assert state.bombs == case["bombs"]


@every_case("deals", GAME)
def test_deals(game: DouDizhu, case: Case) -> None:
    seed = bytes.fromhex(case["server_seed"])
    assert commitment(seed) == case["commitment"]
    numbers = NumberStream(seed, case["client_seed"], case["deal"])
    deal = game.deal(numbers, case["deal"], {})
    assert deal.setup == {"deal": case["deal"], "first_bidder": case["first_bidder"]}
    assert deal_singly(deal.deck[:-3], 3) == tuple(map(parse_cards, case["hands"]))
    assert deal.deck[-3:] == parse_cards(case["kitty"])
    state = game.start(deal)
    assert state.hands == tuple(card_set(parse_cards(names)) for names in case["hands"])
    assert state.bidding.kitty == card_set(parse_cards(case["kitty"]))
