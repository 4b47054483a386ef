"""The policies: legal, repeatable, private by construction, and what each is expected to play."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, NamedTuple

import pytest

from bots.policies.policy import Policy, left_to_bots
from bots.policies.random_legal import RandomLegal
from bots.policies.registry import EASY, LEVELS, NORMAL, policy_for
from games.rules.dealing import NumberStream
from games.rules.engine import submit
from games.rules.moves import AnswerRedeal, Bid, CallRedeal, Declare, Extend, Move, Pass, Play
from games.rules.outcome import Outcome
from games.rules.variant import Deal, Variant
from games.rules.variants.big_two_hk import BIG_TWO_HK
from games.rules.variants.big_two_tw import BIG_TWO_TW
from tests.rules.big_two_positions import play, position

BIG_TWO = {game.info.slug: game for game in (BIG_TWO_TW, BIG_TWO_HK)}
both_houses = pytest.mark.parametrize("game", BIG_TWO.values(), ids=BIG_TWO.keys())


class Watched:
    """A policy that is caught when it answers with a move that it was not offered."""

    name: ClassVar[str] = "watched"
    version: ClassVar[str] = "1"

    def __init__(self, policy: Policy) -> None:
        self.policy = policy

    def choose(self, view: Any, moves: Iterable[Move], rng: Any) -> Move:
        offered = list(moves)
        move = self.policy.choose(view, iter(offered), rng)
        assert move in offered
        return move


class Played(NamedTuple):
    """A round between policies."""

    outcome: Outcome
    log: list[tuple[int, Move]]


def deal_number(game: Variant[Any], number: int) -> Deal:
    return game.deal(NumberStream(number.to_bytes(32, "big"), "bots", 1), 1, {})


def round_of(game: Variant[Any], deal: Deal, seats: Mapping[int, Policy], seed: int) -> Played:
    """A round in which bots move when everybody can see that it is their turn."""
    rng = random.Random(seed)
    state = game.start(deal)
    log: list[tuple[int, Move]] = []
    while (outcome := game.outcome(state)) is None:
        seat = game.view(state, None).to_act[0]
        moves = game.legal_moves(state, seat)
        move = seats[seat].choose(game.view(state, seat), moves, rng)
        log.append((seat, move))
        state = submit(game, state, seat, move)
        assert len(log) < 250
    return Played(outcome, log)


def table(game: Variant[Any], *levels: str) -> dict[int, Policy]:
    return {seat: policy_for(game.info.slug, level) for seat, level in enumerate(levels)}


@pytest.mark.parametrize("level", LEVELS)
@both_houses
def test_a_policy_answers_with_one_of_the_moves_offered(game: Variant[Any], level: str) -> None:
    watched: Policy = Watched(policy_for(game.info.slug, level))
    for number in range(20):
        round_of(game, deal_number(game, number), dict.fromkeys(range(4), watched), seed=number)


@both_houses
def test_t5_rounds_of_bots_end_and_the_same_seeds_give_the_same_rounds(game: Variant[Any]) -> None:
    seats = table(game, NORMAL, EASY, NORMAL, EASY)
    for number in range(1_000):
        deal = deal_number(game, number)
        played = round_of(game, deal, seats, seed=number)
        if number % 50 == 0:
            assert round_of(game, deal, seats, seed=number) == played


@pytest.mark.parametrize("level", LEVELS)
def test_t5_the_two_of_spades_is_among_the_plays(level: str) -> None:
    """To beat 2H with 2S and 4C: the play is offered, and a bot that must stop a seat makes it."""
    state = position(BIG_TWO_TW, "2S 4C", "6C", "7C", "8C", on="2H")
    moves = list(BIG_TWO_TW.legal_moves(state, 0))
    assert play("2S") in moves
    policy = policy_for("big-two-tw", level)
    chosen = {
        policy.choose(BIG_TWO_TW.view(state, 0), moves, random.Random(seed)) for seed in range(20)
    }
    assert play("2S") in chosen
    assert chosen <= set(moves)
    if level == NORMAL:
        assert chosen == {play("2S")}


@pytest.mark.parametrize("text", ["AD 2C 3D 4H 5S", "2C 3D 4H 5S 6C", "TC JD QH KS AC"])
def test_r1_a_bot_goes_out_with_every_straight(text: str) -> None:
    for game in BIG_TWO.values():
        state = position(game, text, "8C 9C", "8D 9D", "8H 9H")
        move = policy_for(game.info.slug, NORMAL).choose(
            game.view(state, 0), game.legal_moves(state, 0), random.Random(1)
        )
        assert isinstance(move, Play)
        is_straight = game.patterns.classify(play(text).cards) is not None
        assert (len(move.cards) == 5) == is_straight


@pytest.mark.parametrize(
    ("hand", "others", "on", "expected"),
    [
        pytest.param("3C 4D 4H KS", "5C 5D 6C 6D 7C", None, "3C", id="lead-low"),
        pytest.param("3D 9C 9H KS", "5C", None, "9C 9H", id="no-single-to-a-last-card"),
        pytest.param("3D 9C KS", "5C", None, "KS", id="highest-single-to-a-last-card"),
        pytest.param("4C 9C KS", "5C", "3C", "KS", id="block-a-last-card"),
        pytest.param("4C 6D 9C KS", "5C 5D 6C 7H 7C", "3C", "4C", id="follow-cheaply"),
        pytest.param("6C 6D 9C JH KS", "5C 5D 7H 7C 8C", "5H", "9C", id="keep-a-pair"),
        pytest.param("6C 7D 9C JH 2S", "5C 5D 7H 7C 8C", "AH", "-", id="keep-a-two"),
        pytest.param("8C 8D 8H 8S 3D 4C 6H JC QD", "5C 5D 7H 7C 9C", "2S", "-", id="keep-a-bomb"),
        pytest.param("8C 8D 8H 8S 3D 4C 6H JC", "5D 7H", "2S", "3D 8C 8D 8H 8S", id="bomb"),
        pytest.param("3D 4C 5D 6H 7S JC", "5C 5H 7H 7C 8C", None, "3D 4C 5D 6H 7S", id="lead-long"),
        pytest.param("JC JD", "5C 5H 7H 7C 8C", "TC TD", "JC JD", id="go-out"),
    ],
)
def test_how_normal_plays(hand: str, others: str, on: str | None, expected: str) -> None:
    state = position(BIG_TWO_TW, hand, others, "TH JS QH KC AC", "JH QS KH AD AS", on=on)
    move = policy_for("big-two-tw", NORMAL).choose(
        BIG_TWO_TW.view(state, 0), BIG_TWO_TW.legal_moves(state, 0), random.Random(1)
    )
    assert move == (Pass() if expected == "-" else play(expected))


def test_the_first_lead_has_the_opening_card() -> None:
    for number in range(30):
        state = BIG_TWO_TW.start(deal_number(BIG_TWO_TW, number))
        seat = state.trick.turn
        move = policy_for("big-two-tw", NORMAL).choose(
            BIG_TWO_TW.view(state, seat), BIG_TWO_TW.legal_moves(state, seat), random.Random(1)
        )
        assert submit(BIG_TWO_TW, state, seat, move).must_include is None


@pytest.mark.parametrize(
    ("offered", "left"),
    [
        pytest.param([play("3D"), CallRedeal()], [play("3D")], id="a-bot-never-calls"),
        pytest.param(
            [AnswerRedeal(True), AnswerRedeal(False)], [AnswerRedeal(True)], id="it-accepts"
        ),
        pytest.param(
            [AnswerRedeal(False), AnswerRedeal(True)], [AnswerRedeal(True)], id="in-any-order"
        ),
        pytest.param([Declare(), Extend()], [Declare()], id="it-declares"),
        pytest.param([Bid(0), Bid(1)], [Bid(0), Bid(1)], id="anything-else"),
    ],
)
def test_what_the_rule_book_leaves_to_bots(offered: list[Move], left: list[Move]) -> None:
    assert list(left_to_bots(offered)) == left


def test_every_level_has_a_policy_with_a_name_and_a_version() -> None:
    for slug in (*BIG_TWO, "a-game-without-its-own"):
        for level in LEVELS:
            policy = policy_for(slug, level)
            assert policy.name
            assert policy.version
    assert isinstance(policy_for("a-game-without-its-own", NORMAL), RandomLegal)
    with pytest.raises(KeyError):
        policy_for("big-two-tw", "perfect")
