"""Big Two (Taiwan), clause by clause (rule book section 1), and the cases R1, T1 and T5."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from games.rules.cards import CARD_NAMES, card_names, card_set
from games.rules.climbing.big_two import BigTwo, BigTwoState
from games.rules.climbing.big_two_config import FlushOrder
from games.rules.engine import submit
from games.rules.errors import (
    AmbiguousPattern,
    CardNotInHand,
    DoesNotBeat,
    MustIncludeCard,
    MustLead,
    NotAPattern,
    NotYourTurn,
    RoundOver,
    RuleViolation,
    WrongPattern,
    WrongPhase,
)
from games.rules.moves import Bid, CallRedeal, Move, Pass, Play
from games.rules.outcome import Ending, Reason, Transfer
from games.rules.variant import Phase, PlayView, TrickView
from games.rules.variants.big_two_hk import BIG_TWO_HK
from games.rules.variants.big_two_tw import BIG_TWO_TW
from tests.rules.big_two_positions import after, cards, deal_of, play, position, read

GAME = BIG_TWO_TW


def refused(state: BigTwoState, seat: int, move: Move, game: BigTwo = GAME) -> RuleViolation:
    """The refusal of this move, which leaves the state as it was."""
    before = state._replace()
    with pytest.raises(RuleViolation) as refusal:
        submit(game, state, seat, move)
    assert state == before
    return refusal.value


@pytest.mark.parametrize(
    ("lower", "higher"),
    [
        pytest.param("3C", "3D", id="single-suit"),
        pytest.param("KS", "AC", id="single-rank"),
        pytest.param("AS", "2C", id="single-two-is-highest"),
        pytest.param("2H", "2S", id="single-highest"),
        pytest.param("9C 9H", "9D 9S", id="pair-higher-card"),
        pytest.param("9H 9S", "TC TD", id="pair-rank"),
        pytest.param("AC AD AH", "2C 2D 2H", id="triple-rank"),
        pytest.param("3C 4C 5D 6H 7D", "3D 4S 5S 6S 7H", id="straight-top-suit"),
        pytest.param("3C 4C 5D 6H 7S", "4D 5S 6S 7H 8C", id="straight-run"),
        pytest.param("TC JC QD KH AS", "AC 2C 3D 4H 5S", id="straight-A2345-above-TJQKA"),
        pytest.param("AC 2S 3D 4H 5S", "2C 3C 4C 5C 6D", id="straight-23456-is-highest"),
        pytest.param("AS 2C 3D 4H 5S", "AC 2D 3C 4C 5C", id="straight-A2345-by-its-two"),
        pytest.param("2C 3D 4H 5S 6S", "2D 3C 4C 5C 6C", id="straight-23456-by-its-two"),
        pytest.param("2S 3C 4C 5C 6D", "3D 4D 5D 6D 8D", id="flush-above-straight"),
        pytest.param("AC KC QC JC 9C", "2D 3D 4D 5D 7D", id="flush-highest-card-rank"),
        pytest.param("AC KC QC JC 9C", "3D 4D 5D 6D AD", id="flush-highest-card-suit"),
        pytest.param("2S KS QS JS 9S", "3C 3D 3H 4C 4D", id="full-house-above-flush"),
        pytest.param("3C 3D 3H 2C 2D", "3S 3H 4C 4D 4H", id="full-house-triple"),
        pytest.param("2C 2D 2H AC AD", "3C 3D 3H 3S 4C", id="four-above-full-house"),
        pytest.param("3C 3D 3H 3S 2C", "4C 4D 4H 4S 5C", id="four-rank"),
        pytest.param("2C 2D 2H 2S AS", "3C 4C 5C 6C 7C", id="straight-flush-above-four"),
        pytest.param("3S 4S 5S 6S 7S", "4C 5C 6C 7C 8C", id="straight-flush-run"),
        pytest.param("TC JC QC KC AC", "AD 2D 3D 4D 5D", id="straight-flush-A2345"),
        pytest.param("2C 3C 4C 5C 6C", "2D 3D 4D 5D 6D", id="straight-flush-suit"),
    ],
)
def test_higher_beats_lower_and_not_the_other_way(lower: str, higher: str) -> None:
    low, high = read(GAME, lower), read(GAME, higher)
    assert GAME.patterns.beats(high, low)
    assert not GAME.patterns.beats(low, high)
    assert not GAME.patterns.beats(low, low)


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        pytest.param("7C", "single", id="single"),
        pytest.param("7C 7S", "pair", id="pair"),
        pytest.param("7C 7D 7S", "triple", id="triple"),
        pytest.param("3C 4D 5H 6S 7C", "straight", id="straight"),
        pytest.param("5C 7C 9C JC KC", "flush", id="flush"),
        pytest.param("5C 5D 9C 9D 9H", "full_house", id="full-house-triple-above"),
        pytest.param("5C 5D 5H 9D 9H", "full_house", id="full-house-triple-below"),
        pytest.param("5C 5D 5H 5S 9H", "four_of_a_kind", id="four-below"),
        pytest.param("5C 9C 9D 9H 9S", "four_of_a_kind", id="four-above"),
        pytest.param("9C TC JC QC KC", "straight_flush", id="straight-flush"),
        pytest.param("2C 3C 4C 5C 6C", "straight_flush", id="straight-flush-23456"),
        pytest.param("JC QC KC AC 2C", "flush", id="one-suit-JQKA2-is-a-flush"),
        pytest.param("QC KD AH 2S 3D", None, id="no-straight-QKA23"),
        pytest.param("KC AD 2H 3S 4D", None, id="no-straight-KA234"),
        pytest.param("7C 7D 7H 4S 9C", None, id="R14-three-of-a-kind-with-two-others"),
        pytest.param("7C 7D 8H 8S 9C", None, id="two-pair"),
        pytest.param("7C 7D 8H 9S TC", None, id="one-pair-of-five"),
        pytest.param("7C 7D 7H 7S", None, id="four-without-a-fifth"),
        pytest.param("7C 8D", None, id="two-singles"),
        pytest.param("7C 7D 8H", None, id="pair-and-single"),
        pytest.param("3C 4D 5H 6S 7C 8C", None, id="run-of-six"),
        pytest.param("", None, id="nothing"),
        pytest.param("BJ", None, id="joker"),
        pytest.param("3C 4C 5C 6C BJ", None, id="joker-in-a-flush"),
    ],
)
def test_classify(text: str, pattern: str | None) -> None:
    given = cards(text)
    for order in (given, given[::-1]):
        reading = GAME.patterns.classify(order)
        assert (reading and reading.pattern) == pattern


def test_a_card_named_twice_is_no_pattern() -> None:
    assert GAME.patterns.classify((0, 0)) is None


@pytest.mark.parametrize(
    ("text", "tw", "hk"),
    [
        ("AD 2C 3D 4H 5S", "straight", None),
        ("2C 3D 4H 5S 6C", "straight", None),
        ("JC QD KH AS 2D", None, None),
        ("QC KD AH 2S 3D", None, None),
        ("TC JD QH KS AC", "straight", "straight"),
    ],
)
def test_r1_wraps(text: str, tw: str | None, hk: str | None) -> None:
    for game, pattern in ((BIG_TWO_TW, tw), (BIG_TWO_HK, hk)):
        reading = game.patterns.classify(cards(text))
        assert (reading and reading.pattern) == pattern
        state = position(game, text, "8C", "8D", "8H")
        listed = [move for move in game.legal_moves(state, 0) if isinstance(move, Play)]
        assert (Play(tuple(sorted(cards(text)))) in listed) == (pattern is not None)
        if pattern is None:
            assert isinstance(refused(state, 0, play(text), game), NotAPattern)
        else:
            assert game.outcome(submit(game, state, 0, play(text))) is not None


def test_the_holder_of_3c_leads_and_must_play_it() -> None:
    state = GAME.start(deal_of("4C 4D", "5C 5D", "3C 3D 3H 6S", "7C"))
    assert state.trick.turn == 2
    assert GAME.to_act(state) == {2}
    refusal = refused(state, 2, play("3D"))
    assert isinstance(refusal, MustIncludeCard)
    assert refusal.facts == {"card": "3C"}
    assert all(0 in move.cards for move in GAME.legal_moves(state, 2) if isinstance(move, Play))
    opened = after(GAME, state, "3C 3H")
    assert opened.must_include is None
    assert opened.trick.turn == 3


@pytest.mark.parametrize(
    ("hand", "on", "move", "refusal", "facts"),
    [
        pytest.param("4C", "3C", Bid(1), WrongPhase, None, id="wrong-phase-bid"),
        pytest.param("4C", "3C", CallRedeal(), WrongPhase, None, id="no-redeal-here"),
        pytest.param("4C", "3C", play("5C"), CardNotInHand, {"cards": ["5C"]}, id="not-in-hand"),
        pytest.param("4C", "3C", play("4C 5C"), CardNotInHand, {"cards": ["5C"]}, id="one-missing"),
        pytest.param("4C", "3C", Play(()), NotAPattern, {"cards": []}, id="no-cards"),
        pytest.param("4C 5C", "3C", play("4C 5C"), NotAPattern, None, id="no-pattern"),
        pytest.param("4C 4D", "3C", Play((4, 4)), NotAPattern, None, id="one-card-twice"),
        pytest.param(
            "4C 5C",
            "3C",
            play("4C", "pair"),
            AmbiguousPattern,
            {"pattern": "pair", "readings": ["single"]},
            id="named-as-what-it-is-not",
        ),
        pytest.param(
            "4C 4D",
            "3C",
            play("4C 4D"),
            WrongPattern,
            {"pattern": "pair", "to_beat": {"seat": 3, "cards": ["3C"], "pattern": "single"}},
            id="pair-on-single",
        ),
        pytest.param("AC", "3C 3D", play("AC"), WrongPattern, None, id="single-on-pair"),
        pytest.param(
            "5C 5D 5H 7C 7D", "4C", play("5C 5D 5H 7C 7D"), WrongPattern, None, id="no-bomb"
        ),
        pytest.param(
            "4C 9D",
            "4D",
            play("4C"),
            DoesNotBeat,
            {"pattern": "single", "to_beat": {"seat": 3, "cards": ["4D"], "pattern": "single"}},
            id="lower-single",
        ),
        pytest.param(
            "4C 5D 6C 7C 8D",
            "3H 5H 7H 9H JH",
            play("4C 5D 6C 7C 8D"),
            DoesNotBeat,
            None,
            id="straight-on-flush",
        ),
        pytest.param(
            "3C 3D 3H 3S 4C", "5C 5D 5H 5S 6C", play("3C 3D 3H 3S 4C"), DoesNotBeat, None, id="bomb"
        ),
    ],
)
def test_refused_plays(
    hand: str, on: str, move: Move, refusal: type[RuleViolation], facts: dict[str, Any] | None
) -> None:
    state = position(GAME, f"{hand} 2S", "JC", "JD", "QH", on=on)
    found = refused(state, 0, move)
    assert type(found) is refusal
    assert facts is None or found.facts == facts


def test_the_opening_card_is_asked_for_only_of_a_pattern() -> None:
    state = position(GAME, "3C 4C 5D", "6C", "7C", "8C", must_include="3C")
    assert isinstance(refused(state, 0, play("6C")), CardNotInHand)
    assert isinstance(refused(state, 0, play("4C 5D")), NotAPattern)
    assert isinstance(refused(state, 0, play("4C", "pair")), AmbiguousPattern)
    assert isinstance(refused(state, 0, play("4C", "single")), MustIncludeCard)


def test_a_pass_on_a_lead_is_refused() -> None:
    state = position(GAME, "4C 5C", "6C", "7C", "8C")
    assert isinstance(refused(state, 0, Pass()), MustLead)


def test_another_seat_is_refused() -> None:
    state = position(GAME, "4C 5C", "6C", "7C", "8C", turn=2)
    refusal = refused(state, 0, play("4C"))
    assert isinstance(refusal, NotYourTurn)
    assert refusal.facts == {"seat": 0, "to_act": [2]}


@pytest.mark.parametrize("on", ["2S", "2H 2S", "2D 2H 2S"])
@pytest.mark.parametrize("bomb", ["3C 3D 3H 3S 4C", "3C 4C 5C 6C 7C"])
def test_a_bomb_beats_one_two_or_three_cards_and_makes_it_a_five_card_trick(
    on: str, bomb: str
) -> None:
    state = position(GAME, f"{bomb} 9C", "AC AD", "8C 8D 8H 8S 9S TD", "KC", on=on)
    assert play(bomb) in list(GAME.legal_moves(state, 0))
    bombed = after(GAME, state, bomb)
    assert isinstance(refused(bombed, 1, play("AC AD")), WrongPattern)
    overbid = "8C 8D 8H 8S 9S"
    stronger = GAME.patterns.beats(read(GAME, overbid), read(GAME, bomb))
    assert stronger == bomb.startswith("3C 3D")
    if stronger:
        assert after(GAME, bombed, "-", overbid).trick.turn == 3


def test_five_cards_that_are_no_bomb_follow_five_cards_only() -> None:
    state = position(GAME, "9C 9D 9H KC KD", "AC", "AD", "AH", on="8C 8D")
    assert list(GAME.legal_moves(state, 0)) == [
        Pass(),
        play("9C 9D"),
        play("9C 9H"),
        play("9D 9H"),
        play("KC KD"),
    ]


def test_t1_the_trick_closes_after_three_passes_in_a_row() -> None:
    state = position(GAME, "4C 9C", "6C 7C", "7D 8D", "8C 9D")
    passed = after(GAME, state, "4C", "-", "-")
    assert passed.trick.view() == TrickView(
        leader=0,
        plays=(
            PlayView(0, cards("4C"), "single"),
            PlayView(1, (), None),
            PlayView(2, (), None),
        ),
        to_beat=PlayView(0, cards("4C"), "single"),
        must_include=None,
    )
    closed = after(GAME, passed, "-")
    assert closed.trick.view() == TrickView(leader=0, plays=(), to_beat=None, must_include=None)
    assert GAME.to_act(closed) == {0}
    assert GAME.decisions(closed) == 4
    assert isinstance(refused(closed, 3, Pass()), NotYourTurn)


def test_passing_does_not_bar_a_seat() -> None:
    state = position(GAME, "4C 9C", "6C 7C", "7D 8D", "8C 9D")
    back = after(GAME, state, "4C", "-", "7D", "-", "-")
    assert back.trick.turn == 1
    assert after(GAME, back, "-").trick.leader == 2
    assert after(GAME, state, "4C", "-", "7D", "8C", "-").trick.turn == 1


def test_a_house_where_passing_bars() -> None:
    barred = BigTwo(GAME.info, replace(GAME.config, passing_bars=True))
    state = position(barred, "4C 9C TC", "6C 7C", "7D 8D", "8C 9D")
    without_seat_1 = after(barred, state, "4C", "-", "7D", "8C", "9C", "-")
    assert without_seat_1.trick.turn == 3
    closed = after(barred, without_seat_1, "-")
    assert closed.trick.view() == TrickView(leader=0, plays=(), to_beat=None, must_include=None)


def test_a_house_where_the_suit_decides_between_flushes() -> None:
    by_suit = BigTwo(GAME.info, replace(GAME.config, flush_order=FlushOrder.SUIT_FIRST))
    low, high = "AC KC QC JC 9C", "3D 4D 5D 6D 8D"
    assert by_suit.patterns.beats(read(by_suit, high), read(by_suit, low))
    assert GAME.patterns.beats(read(GAME, low), read(GAME, high))
    hand = card_set(cards(f"{low} {high}"))
    flushes = [p.cards for p in by_suit.patterns.plays(hand, read(by_suit, "2C TC 8C 7C 6C"))]
    assert flushes == [tuple(sorted(cards(high)))]


def test_plays_are_listed_weakest_first() -> None:
    state = position(GAME, "2S 5H 5C 5D 4S 3H 4C", "6C", "7C", "8C")
    assert [
        " ".join(card_names(move.cards))
        for move in GAME.legal_moves(state, 0)
        if isinstance(move, Play)
    ] == [
        "3H",
        "4C",
        "4S",
        "5C",
        "5D",
        "5H",
        "2S",
        "4C 4S",
        "5C 5D",
        "5C 5H",
        "5D 5H",
        "5C 5D 5H",
        "4C 4S 5C 5D 5H",
    ]


def test_t5_the_two_of_spades_answers_the_two_of_hearts() -> None:
    state = position(GAME, "2S 4C", "6C", "7C", "8C", on="2H")
    assert list(GAME.legal_moves(state, 0)) == [Pass(), play("2S")]


def test_the_round_ends_at_once_and_is_settled() -> None:
    state = position(GAME, "9C", "3C 3D", "4C 4D 4H 4S 5C 5D 5H 5S 6C 6D", "8H", on="8C")
    assert GAME.outcome(state) is None
    over = after(GAME, state, "9C")
    assert GAME.to_act(over) == frozenset()
    assert not list(GAME.legal_moves(over, 1))
    assert isinstance(refused(over, 1, Pass()), RoundOver)
    outcome = GAME.outcome(over)
    assert outcome is not None
    assert outcome.ending is Ending.SETTLED
    assert outcome.winner == 0
    assert outcome.points == (23, -2, -20, -1)
    assert outcome.positions == (1, 3, 4, 2)
    assert [len(hand.cards) for hand in outcome.hands] == [0, 2, 10, 1]
    assert outcome.transfers == (
        Transfer(1, 0, 2, (Reason("cards_left", 2, 2, 1),)),
        Transfer(2, 0, 20, (Reason("cards_left", 20, 10, 2),)),
        Transfer(3, 0, 1, (Reason("cards_left", 1, 1, 1),)),
    )


@pytest.mark.parametrize(
    ("left", "pays"),
    [(1, 1), (9, 9), (10, 20), (12, 24), (13, 39)],
)
def test_what_a_loser_pays(left: int, pays: int) -> None:
    assert GAME.settle([0, left, 1, 1]).points == (pays + 2, -pays, -1, -1)


def test_what_a_seat_and_a_watcher_see() -> None:
    state = GAME.start(deal_of("4C 4D", "5C 5D", "3C 3D 3H 6S", "7C"))
    leader, other, watcher = (GAME.view(state, viewer) for viewer in (2, 0, None))
    assert leader.you is not None
    assert leader.you.hand == tuple(sorted(leader.you.hand))
    assert set(leader.you.hand) >= set(cards("3C 3D 3H 6S"))
    assert leader.you.actions == ("play",)
    assert leader.you.can_call_redeal is None
    assert other.you is not None
    assert other.you.actions == ()
    assert watcher.you is None
    for view in (leader, other, watcher):
        assert view.phase is Phase.PLAYING
        assert view.to_act == (2,)
        assert [seat.cards_left for seat in view.seats] == [13, 13, 13, 13]
        assert view.trick == TrickView(2, (), None, must_include=0)
        assert (view.bidding, view.kitty, view.stake, view.redeal, view.cutting) == (None,) * 5
    followed = GAME.view(after(GAME, state, "3C"), 3)
    assert followed.you is not None
    assert followed.you.actions == ("play", "pass")
    assert followed.trick is not None
    assert followed.trick.must_include is None
    assert followed.trick.to_beat == PlayView(2, cards("3C"), "single")


def test_the_catalogue_entry() -> None:
    assert GAME.info.slug == "big-two-tw"
    assert GAME.info.name == "Big Two (Taiwan)"
    assert GAME.info.patterns == (
        "single",
        "pair",
        "triple",
        "straight",
        "flush",
        "full_house",
        "four_of_a_kind",
        "straight_flush",
    )
    assert CARD_NAMES[GAME.patterns.strength.index(0)] == "3C"
    assert CARD_NAMES[GAME.patterns.strength.index(51)] == "2S"
