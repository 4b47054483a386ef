"""The shared vectors of both houses of Big Two, through the functions that the service uses."""

from __future__ import annotations

from games.rules.cards import CARDS_BY_NAME, Card, card_names, card_set
from games.rules.climbing.big_two import BigTwo, BigTwoState
from games.rules.climbing.big_two_patterns import Reading
from games.rules.engine import submit
from games.rules.moves import Move, Pass, Play, parse_cards
from games.rules.variants.big_two_hk import BIG_TWO_HK
from games.rules.variants.big_two_tw import BIG_TWO_TW
from tests.rules.big_two_positions import deal_of
from tests.rules.vectors import Case, every_case

BOTH = {"big-two-tw": BIG_TWO_TW, "big-two-hk": BIG_TWO_HK}


def reading_of(game: BigTwo, names: list[str], pattern: str) -> Reading:
    reading = game.patterns.classify(parse_cards(names))
    assert reading is not None
    assert reading.pattern == pattern
    return reading


def card_or_none(name: str | None) -> Card | None:
    return None if name is None else CARDS_BY_NAME[name]


@every_case("classify", BOTH)
def test_classify(game: BigTwo, case: Case) -> None:
    reading = game.patterns.classify(parse_cards(case["cards"]))
    assert (reading and reading.pattern) == case["pattern"]
    assert ([reading.pattern] if reading else []) == case["readings"]


@every_case("beats", BOTH)
def test_beats(game: BigTwo, case: Case) -> None:
    on = reading_of(game, case["on"], case["on_pattern"])
    play = game.patterns.classify(parse_cards(case["play"]))
    assert (play is not None and game.patterns.beats(play, on)) == case["beats"]


@every_case("legal_plays", BOTH)
def test_legal_plays(game: BigTwo, case: Case) -> None:
    on = case["on"] and reading_of(game, case["on"]["cards"], case["on"]["pattern"])
    hand = card_set(parse_cards(case["hand"]))
    plays = list(game.patterns.plays(hand, on, card_or_none(case["must_include"])))
    assert sorted(card_names(play.cards) for play in plays) == sorted(case["plays"])


@every_case("settle", BOTH)
def test_settle(game: BigTwo, case: Case) -> None:
    outcome = game.settle(case["input"]["cards_left"])
    assert list(outcome.points) == case["points"]
    if "positions" in case:
        assert list(outcome.positions or ()) == case["positions"]


@every_case("rounds", BOTH)
def test_round(game: BigTwo, case: Case) -> None:
    state: BigTwoState = game.start(deal_of(*map(" ".join, case["hands"])))
    assert state.trick.turn == case["first"]
    assert state.must_include == card_or_none(case["must_include"])
    for line in case["moves"]:
        seat, cards = line["seat"], parse_cards(line["cards"])
        move: Move = Play(cards, line["pattern"]) if cards else Pass()
        assert game.view(state, None).to_act == (seat,)
        assert game.pattern_of(state, seat, move) == line["pattern"]
        assert game.outcome(state) is None
        state = submit(game, state, seat, move)
    outcome = game.outcome(state)
    assert outcome is not None
    assert game.to_act(state) == frozenset()
    assert outcome.winner == case["winner"]
    assert [len(hand.cards) for hand in outcome.hands] == case["cards_left"]
    assert list(outcome.points) == case["points"]
    if "positions" in case:
        assert list(outcome.positions or ()) == case["positions"]


@every_case("redeal", {"big-two-hk": BIG_TWO_HK})
def test_redeal_eligibility(game: BigTwo, case: Case) -> None:
    rule = game.config.redeal
    assert rule is not None
    hand = card_set(parse_cards(case["hand"]))
    assert rule.qualifies(hand) == case["eligible"]
