"""Big Two (Hong Kong), where it differs from Taiwan (rule book section 2), and the case R2."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.rules.climbing.big_two import BigTwo, BigTwoState
from games.rules.climbing.big_two_redeal import RedealRule
from games.rules.engine import submit
from games.rules.errors import (
    MustIncludeCard,
    MustLead,
    NotYourTurn,
    RedealAlreadyCalled,
    RedealNotEligible,
    RoundOver,
    RuleViolation,
    WrongPattern,
    WrongPhase,
)
from games.rules.moves import AnswerRedeal, CallRedeal, Move, Pass, Play
from games.rules.outcome import Ending
from games.rules.variant import Phase, RedealView
from games.rules.variants.big_two_hk import BIG_TWO_HK
from tests.rules.big_two_positions import after, cards, deal_of, play, position, read

GAME = BIG_TWO_HK

# Seat 0 leads; seats 1 and 2 hold two of J, Q, K and neither an ace nor a two, seats 0 and 3 more.
ELIGIBLE = (
    "3D 3C 4C 9S TC TD TH TS AC AD 2C 2D JH",
    "3H 4D 4H 5C 5D 6C 6D 7C 7D 8C 8D JC QC",
    "3S 4S 5H 5S 6H 6S 7H 7S 8H 8S 9C JD QD",
    "9D 9H JS QH QS KC KD KH KS AH AS 2H 2S",
)


def fresh() -> BigTwoState:
    return GAME.start(deal_of(*ELIGIBLE))


def refused(state: BigTwoState, seat: int, move: Move) -> RuleViolation:
    """The refusal of this move, which leaves the state as it was."""
    before = state._replace()
    with pytest.raises(RuleViolation) as refusal:
        submit(GAME, state, seat, move)
    assert state == before
    return refusal.value


def moved(state: BigTwoState, *lines: tuple[int, Move]) -> BigTwoState:
    for seat, move in lines:
        state = submit(GAME, state, seat, move)
    return state


# -- cards and patterns


@pytest.mark.parametrize(
    ("lower", "higher"),
    [
        pytest.param("3D", "3C", id="single-suit"),
        pytest.param("2C", "2H", id="single-upper-suits"),
        pytest.param("9D 9C", "9D 9H", id="pair-higher-card"),
        pytest.param("3C 4C 5D 6H 7D", "3D 4S 5S 6S 7C", id="straight-top-suit"),
        pytest.param("9C TC JC QD KH", "TC JC QC KH AD", id="straight-highest-run"),
        pytest.param("AC KC QC JC 9C", "2D 3D 4D 5D 6D", id="flush-23456-by-its-two"),
        pytest.param("3D 4D 5D 6D AD", "AC 3C 4C 5C 7C", id="flush-highest-card-suit"),
        pytest.param("2D 3D 4D 5D 6D", "3C 3D 3H 4C 4D", id="one-suit-23456-is-a-plain-flush"),
        pytest.param("3D 4D 5D 6D 7D", "3C 4C 5C 6C 7C", id="straight-flush-suit"),
    ],
)
def test_higher_beats_lower_and_not_the_other_way(lower: str, higher: str) -> None:
    low, high = read(GAME, lower), read(GAME, higher)
    assert GAME.patterns.beats(high, low)
    assert not GAME.patterns.beats(low, high)


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("AD 2C 3D 4H 5S", None),
        ("2C 3D 4H 5S 6C", None),
        ("JC QD KH AS 2D", None),
        ("TC JD QH KS AC", "straight"),
        ("2C 3C 4C 5C 6C", "flush"),
        ("AC 2C 3C 4C 5C", "flush"),
        ("TC JC QC KC AC", "straight_flush"),
    ],
)
def test_a_two_is_in_no_straight(text: str, pattern: str | None) -> None:
    reading = GAME.patterns.classify(cards(text))
    assert (reading and reading.pattern) == pattern


@pytest.mark.parametrize("on", ["3C", "3C 3H", "3C 3H 3S"])
def test_there_are_no_bombs(on: str) -> None:
    state = position(GAME, "4C 4D 4H 4S 5C", "6C", "7C", "8C", on=on)
    assert isinstance(refused(state, 0, play("4C 4D 4H 4S 5C")), WrongPattern)
    assert all(
        len(move.cards) == len(on.split())
        for move in GAME.legal_moves(state, 0)
        if isinstance(move, Play)
    )


def test_singles_and_pairs_are_listed_weakest_first() -> None:
    state = position(GAME, "3C 3D 3H", "6C", "7C", "8C")
    assert list(GAME.legal_moves(state, 0)) == [
        play("3D"),
        play("3C"),
        play("3H"),
        play("3C 3D"),
        play("3C 3H"),
        play("3D 3H"),
        play("3C 3D 3H"),
    ]


def test_r2_the_opening_lead() -> None:
    state = fresh()
    assert isinstance(refused(state, 0, Pass()), MustLead)
    assert isinstance(refused(state, 0, play("4C")), MustIncludeCard)
    refusal = refused(state, 0, play("3C"))
    assert isinstance(refusal, MustIncludeCard)
    assert refusal.facts == {"card": "3D"}
    opened = submit(GAME, state, 0, play("3D 3C"))
    assert opened.trick.turn == 1
    assert opened.decisions == 1


# -- the settlement


@pytest.mark.parametrize(
    ("left", "pays"),
    [(1, 1), (7, 7), (8, 16), (9, 18), (10, 30), (12, 36), (13, 52)],
)
def test_what_a_loser_pays(left: int, pays: int) -> None:
    assert GAME.settle([left, 0, 1, 2]).points == (-pays, pays + 3, -1, -2)


@pytest.mark.parametrize(
    ("cards_left", "positions"),
    [
        ([0, 1, 2, 3], (1, 2, 3, 4)),
        ([5, 5, 0, 9], (2, 2, 1, 4)),
        ([8, 0, 3, 8], (3, 1, 2, 3)),
        ([4, 4, 4, 0], (2, 2, 2, 1)),
    ],
)
def test_equal_payments_share_the_better_position(
    cards_left: list[int], positions: tuple[int, ...]
) -> None:
    assert GAME.settle(cards_left).positions == positions


def test_a_house_where_positions_are_not_shared() -> None:
    house = BigTwo(GAME.info, replace(GAME.config, equal_payments_share_position=False))
    assert house.settle([5, 5, 0, 9]).positions == (2, 3, 1, 4)


# -- the redeal


def test_who_may_call() -> None:
    state = fresh()
    assert GAME.to_act(state) == {0, 1, 2}
    assert [GAME.can_call_redeal(state, seat) for seat in range(4)] == [False, True, True, False]
    assert list(GAME.legal_moves(state, 1)) == [CallRedeal()]
    assert CallRedeal() not in list(GAME.legal_moves(state, 0))
    assert not list(GAME.legal_moves(state, 3))


def test_a_leader_who_may_call_is_offered_its_plays_first() -> None:
    state = GAME.start(deal_of(ELIGIBLE[1].replace("3H", "3D"), ELIGIBLE[0].replace("3D", "3H")))
    moves = list(GAME.legal_moves(state, 0))
    assert moves[0] == play("3D")
    assert moves[-1] == CallRedeal()
    you = GAME.view(state, 0).you
    assert you is not None
    assert you.actions == ("play", "call_redeal")


def test_nothing_tells_others_that_a_hand_may_call() -> None:
    state = fresh()
    for viewer in (None, 0, 3):
        view = GAME.view(state, viewer)
        assert view.to_act == (0,)
        assert view.you is None or view.you.can_call_redeal is False
    caller = GAME.view(state, 1).you
    assert caller is not None
    assert caller.can_call_redeal is True
    assert caller.actions == ("call_redeal",)
    for seat in (1, 3):
        for move in (Pass(), play("9D"), AnswerRedeal(accept=True)):
            refusal = refused(state, seat, move)
            if isinstance(refusal, NotYourTurn):
                assert refusal.facts == {"seat": seat, "to_act": [0]}
            else:
                assert seat == 1
                assert isinstance(refusal, WrongPhase)


@pytest.mark.parametrize("seat", [0, 3])
def test_a_hand_that_does_not_qualify_is_refused(seat: int) -> None:
    assert isinstance(refused(fresh(), seat, CallRedeal()), RedealNotEligible)


def test_the_first_play_ends_everybodys_chance() -> None:
    state = after(GAME, fresh(), "3D")
    assert GAME.to_act(state) == {1}
    for seat in range(4):
        assert isinstance(refused(state, seat, CallRedeal()), RedealNotEligible)
        you = GAME.view(state, seat).you
        assert you is not None
        assert you.can_call_redeal is False


def test_while_a_call_is_open_nobody_can_play() -> None:
    state = moved(fresh(), (1, CallRedeal()))
    assert GAME.to_act(state) == {0, 2, 3}
    assert GAME.decisions(state) == 1
    view = GAME.view(state, None)
    assert view.phase is Phase.REDEAL
    assert view.to_act == (0, 2, 3)
    assert view.redeal == RedealView(caller=1, answers=())
    refusal = refused(state, 0, play("3D"))
    assert isinstance(refusal, WrongPhase)
    assert refusal.facts == {"phase": "redeal", "type": "play", "actions": ["answer_redeal"]}
    assert isinstance(refused(state, 2, CallRedeal()), WrongPhase)
    assert isinstance(refused(state, 1, AnswerRedeal(accept=True)), NotYourTurn)
    assert list(GAME.legal_moves(state, 2)) == [AnswerRedeal(True), AnswerRedeal(False)]
    assert not list(GAME.legal_moves(state, 1))


def test_one_decision_while_seats_answer() -> None:
    state = moved(fresh(), (1, CallRedeal()), (3, AnswerRedeal(True)))
    assert GAME.decisions(state) == 1
    assert GAME.to_act(state) == {0, 2}
    view = GAME.view(state, 3)
    assert view.redeal == RedealView(caller=1, answers=((3, True),))
    assert [seat.has_acted for seat in view.seats] == [False, True, False, True]
    assert view.you is not None
    assert view.you.actions == ()
    assert isinstance(refused(state, 3, AnswerRedeal(False)), NotYourTurn)


def test_all_accept() -> None:
    accept = AnswerRedeal(True)
    state = moved(fresh(), (1, CallRedeal()), (3, accept), (0, accept), (2, accept))
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.ending is Ending.REDEAL
    assert outcome.points == (0, 0, 0, 0)
    assert outcome.winner is None
    assert GAME.to_act(state) == frozenset()
    assert GAME.decisions(state) == 2
    assert isinstance(refused(state, 0, play("3D")), RoundOver)


def test_one_declines() -> None:
    before = fresh()
    state = moved(before, (1, CallRedeal()), (3, AnswerRedeal(True)), (2, AnswerRedeal(False)))
    assert GAME.outcome(state) is None
    assert GAME.decisions(state) == 2
    assert state.hands == before.hands
    assert GAME.to_act(state) == {0, 2}
    assert GAME.view(state, None).redeal is None
    assert isinstance(refused(state, 1, CallRedeal()), RedealAlreadyCalled)
    assert isinstance(refused(state, 1, play("3H")), NotYourTurn)
    again = moved(state, (2, CallRedeal()), (1, AnswerRedeal(False)))
    assert isinstance(refused(again, 2, CallRedeal()), RedealAlreadyCalled)
    played = moved(again, (0, play("3D")))
    assert played.trick.turn == 1
    assert isinstance(refused(played, 1, CallRedeal()), RedealNotEligible)


def test_a_house_where_a_seat_whose_time_runs_out_declines() -> None:
    house = BigTwo(GAME.info, replace(GAME.config, redeal=RedealRule(timeout_accepts=False)))
    state = house.play(house.start(deal_of(*ELIGIBLE)), 1, CallRedeal())
    assert next(house.legal_moves(state, 0)) == AnswerRedeal(False)
