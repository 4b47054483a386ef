"""The players of Dou Dizhu: legal, repeatable, and how they bid, lead and follow."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import NamedTuple

import pytest

from bots.policies.policy import Policy
from bots.policies.registry import EASY, LEVELS, NORMAL, policy_for
from games.rules.cards import DECK_54, card_set
from games.rules.climbing.trick import Trick, new_trick
from games.rules.dealing import NumberStream
from games.rules.engine import replay, submit
from games.rules.moves import Bid, Move, Pass, Play, parse_cards
from games.rules.outcome import Ending, Outcome
from games.rules.variant import Deal, Phase, PlayView
from games.rules.variants.dou_dizhu import DOU_DIZHU
from games.rules.variants.dou_dizhu.state import Bidding, DouDizhuState

MOST_DEALS = 3
LANDLORD, FARMER, OTHER_FARMER = 0, 1, 2


class Played(NamedTuple):
    """A round between policies, with the deal in which it was played."""

    outcome: Outcome
    log: list[tuple[int, Move]]
    deal: int


def round_of(seats: Mapping[int, Policy], seed: int, *, listed: bool = False) -> Played:
    """A round to its settlement; with `listed`, each move is looked for among the legal ones."""
    rng = random.Random(seed)
    for number in range(1, MOST_DEALS + 1):
        numbers = NumberStream(seed.to_bytes(32, "big"), "bots", number)
        state = DOU_DIZHU.start(DOU_DIZHU.deal(numbers, number, {}))
        log: list[tuple[int, Move]] = []
        while (outcome := DOU_DIZHU.outcome(state)) is None:
            (seat,) = DOU_DIZHU.to_act(state)
            view = DOU_DIZHU.view(state, seat)
            move = seats[seat].choose(view, DOU_DIZHU.legal_moves(state, seat), rng)
            if listed:
                assert move in list(DOU_DIZHU.legal_moves(state, seat))
            log.append((seat, move))
            state = submit(DOU_DIZHU, state, seat, move)
            assert len(log) < 250
        if outcome.ending is Ending.SETTLED:
            return Played(outcome, log, number)
    raise AssertionError("three bots went round for ever")


def table(*levels: str) -> dict[int, Policy]:
    return {seat: policy_for("dou-dizhu", level) for seat, level in enumerate(levels)}


@pytest.mark.parametrize("level", LEVELS)
def test_a_policy_answers_with_a_legal_move(level: str) -> None:
    for seed in range(30):
        round_of(table(level, level, level), seed, listed=True)


def test_t5_rounds_of_bots_end_and_the_same_seeds_give_the_same_rounds() -> None:
    for seed in range(1_000):
        seats = table(*(LEVELS[(seed >> seat) % 2] for seat in range(3)))
        played = round_of(seats, seed)
        if seed % 50 == 0:
            assert round_of(seats, seed) == played


# -- bidding


def bid_of(level: str, hand: str, *bids: int, deal: int = 1, seed: int = 1) -> Move:
    """The next bid of the seat that holds these 17 cards, after these bids."""
    seat = len(bids)
    own = parse_cards(hand.split())
    assert len(own) == 17
    others = iter([card for card in DECK_54 if card not in own])
    hands = [own if other == seat else [next(others) for _ in range(17)] for other in range(3)]
    deck = [card for cards in zip(*hands, strict=True) for card in cards]
    dealt = Deal((*deck, *others), {"deal": deal, "first_bidder": 0})
    state = replay(DOU_DIZHU, dealt, [(number, Bid(bid)) for number, bid in enumerate(bids)])
    moves = DOU_DIZHU.legal_moves(state, seat)
    return policy_for("dou-dizhu", level).choose(
        DOU_DIZHU.view(state, seat), moves, random.Random(seed)
    )


WEAK = "3C 4D 5H 7S 8C 9D TH QS KC 3D 5C 7D 8S TD JH QC KD"
STRONG = "RJ BJ 2C 2D 2H AC AD KC KD KH 7C 7D 7H 5C 5D 9C 9D"
FAIR = "RJ AC AD KC KD KH 7C 7D 7H 5C 5D 9C 9D 4S 4H 4D 6C"
MODEST = "RJ AC QC KC KD KH 7C 7D 7H 5C 5D 9C 9D 4S 4H 4D 6C"


@pytest.mark.parametrize(
    ("hand", "bids", "deal", "expected"),
    [
        pytest.param(WEAK, (), 1, 0, id="weak"),
        pytest.param(WEAK, (0, 0), 2, 0, id="weak, second deal"),
        pytest.param(WEAK, (), 3, 1, id="R8: weak, third deal"),
        pytest.param(WEAK, (0, 0), 4, 1, id="R8: weak, fourth deal"),
        pytest.param(WEAK, (1,), 3, 0, id="weak, somebody has bid"),
        pytest.param(STRONG, (), 1, 3, id="strong"),
        pytest.param(STRONG, (0, 2), 1, 3, id="strong, over a bid"),
        pytest.param(FAIR, (0,), 1, 2, id="fair"),
        pytest.param(FAIR, (2,), 1, 0, id="fair, outbid"),
        pytest.param(MODEST, (0,), 1, 1, id="modest"),
        pytest.param(MODEST, (1,), 1, 0, id="modest, outbid"),
    ],
)
def test_how_normal_bids(hand: str, bids: tuple[int, ...], deal: int, expected: int) -> None:
    assert bid_of(NORMAL, hand, *bids, deal=deal) == Bid(expected)


def test_r8_easy_bids_from_the_third_deal_on() -> None:
    seeds = range(40)
    assert {bid_of(EASY, WEAK, deal=2, seed=seed) for seed in seeds} == set(map(Bid, range(4)))
    assert {bid_of(EASY, WEAK, deal=3, seed=seed) for seed in seeds} == set(map(Bid, (1, 2, 3)))
    assert Bid(0) in {bid_of(EASY, WEAK, 1, deal=3, seed=seed) for seed in seeds}


# -- play


def position(seat: int, hands: tuple[str, str, str], on: str = "", by: int = 0) -> DouDizhuState:
    """This seat to act, with these hands; `on` lies there, played by the seat `by`."""
    trick = new_trick(seat)
    if on:
        cards = parse_cards(on.split())
        (reading,) = DOU_DIZHU.readings(card_set(cards))
        laid = PlayView(by, cards, reading.pattern)
        trick = Trick(by, seat, (laid,), laid, reading)
    return DouDizhuState(
        Bidding(1, 0, LANDLORD, ((0, 1), (1, 0), (2, 0)), LANDLORD),
        tuple(card_set(parse_cards(hand.split())) for hand in hands),
        trick,
        phase=Phase.PLAYING,
    )


def answer(state: DouDizhuState, seat: int) -> Move:
    return policy_for("dou-dizhu", NORMAL).choose(
        DOU_DIZHU.view(state, seat), DOU_DIZHU.legal_moves(state, seat), random.Random(1)
    )


MANY = "3S 4S 6S 7S 9S JS KS"
MANY_MORE = "3H 4H 6H 7H 9H JH KH"


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        pytest.param("5C 8C 8D QC QD AC AD", "5C", id="lowest"),
        pytest.param("5C 5D 5H 8C QC QD", "5C 5D 5H 8C", id="a single goes as a wing"),
        pytest.param("3C 4C 5C 6C 7C QC QD AC", "3C 4C 5C 6C 7C", id="a straight"),
        pytest.param("5C 5D 5H 5S QC", "QC", id="keep the bomb"),
        pytest.param("5C 5D 5H 6C 6D 6H 8C TC", "5C 5D 5H 6C 6D 6H 8C TC", id="go out"),
    ],
)
def test_how_normal_leads(hand: str, expected: str) -> None:
    state = position(LANDLORD, (hand, MANY, MANY_MORE))
    assert answer(state, LANDLORD) == Play(parse_cards(expected.split()))


@pytest.mark.parametrize(
    ("hand", "on", "expected"),
    [
        pytest.param("5C 8C 8D QC QD AC AD 2C", "4C", "5C", id="the lowest that costs no turn"),
        pytest.param("3C 8C 8D 8H QC QD AC AD 5C 6C", "4C", "5C", id="keep the triple"),
        pytest.param("3C 3D 8C 8D 6C 6D QC QD 2C JC", "TC", "JC", id="keep the two"),
        pytest.param("3C 5D 7C 9D TC TD TH TS JC KC", "2C", "", id="keep the bomb"),
        pytest.param("TC TD TH TS 5C 5D", "2C", "TC TD TH TS", id="bomb to go out next"),
        pytest.param("TC TD TH TS", "2C", "TC TD TH TS", id="go out"),
    ],
)
def test_how_normal_follows_an_opponent(hand: str, on: str, expected: str) -> None:
    state = position(FARMER, (MANY, hand, MANY_MORE), on=on, by=LANDLORD)
    move = Play(parse_cards(expected.split())) if expected else Pass()
    assert answer(state, FARMER) == move


def test_a_farmer_leaves_the_partner_the_trick() -> None:
    hand = "5D 8C 8D QC QD AC AD JC 2C"
    state = position(OTHER_FARMER, (MANY, MANY_MORE, hand), on="4C", by=FARMER)
    assert answer(state, OTHER_FARMER) == Pass()


@pytest.mark.parametrize(
    ("landlord", "hand", "expected"),
    [
        pytest.param("KS", "5D 8C QC AC 2C", "2C", id="to stop a landlord with one card left"),
        pytest.param(MANY, "5D QC QD", "5D", id="to go out next"),
    ],
)
def test_a_farmer_beats_the_partner_for_a_reason(landlord: str, hand: str, expected: str) -> None:
    state = position(OTHER_FARMER, (landlord, MANY_MORE, hand), on="4C", by=FARMER)
    assert answer(state, OTHER_FARMER) == Play(parse_cards(expected.split()))


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        pytest.param("5C 8C 8D QC", "8C 8D", id="no single"),
        pytest.param("5C 8C QC", "QC", id="the highest single"),
    ],
)
def test_no_low_single_to_an_opponent_with_one_card(hand: str, expected: str) -> None:
    state = position(LANDLORD, (hand, MANY, "KS"))
    assert answer(state, LANDLORD) == Play(parse_cards(expected.split()))


def test_an_opponent_with_one_card_is_blocked() -> None:
    state = position(FARMER, ("KS", "5C 8C 8D QC 2C", MANY), on="4C", by=LANDLORD)
    assert answer(state, FARMER) == Play(parse_cards(["2C"]))


def test_a_farmer_leads_low_to_a_partner_with_one_card() -> None:
    state = position(FARMER, (MANY, "3C 3D 5C 8C 8D QC", "9H"))
    assert answer(state, FARMER) == Play(parse_cards(["5C"]))
