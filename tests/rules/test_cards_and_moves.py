"""The spelling of cards, sets of cards as bit masks, and moves as flat JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.cards import (
    CARD_NAMES,
    DECK_52,
    DECK_54,
    card_names,
    card_set,
    cards_in,
)
from games.rules.errors import DuplicateCard, UnknownCard
from games.rules.moves import (
    MOVE_CLASSES,
    AnswerRedeal,
    Arrange,
    Bid,
    CallRedeal,
    Cut,
    Declare,
    Extend,
    Move,
    Pass,
    Play,
    move_from_json,
    move_to_json,
    parse_cards,
)

some_cards = st.lists(st.sampled_from(DECK_54), unique=True).map(tuple)
moves: st.SearchStrategy[Move] = st.one_of(
    st.builds(Play, some_cards, st.none() | st.sampled_from(["single", "airplane"])),
    st.builds(Pass),
    st.builds(Bid, st.integers(0, 3)),
    st.builds(CallRedeal),
    st.builds(AnswerRedeal, st.booleans()),
    st.builds(Cut, st.integers(0, 51)),
    st.builds(Arrange, some_cards, some_cards, some_cards, st.booleans()),
    st.builds(Declare),
    st.builds(Extend),
)


def test_the_ordered_deck() -> None:
    assert card_names(DECK_52[:5]) == ["3C", "3D", "3H", "3S", "4C"]
    assert card_names(DECK_52[-5:]) == ["AS", "2C", "2D", "2H", "2S"]
    assert card_names(DECK_54[52:]) == ["BJ", "RJ"]
    assert len(set(CARD_NAMES)) == 54


@given(some_cards)
def test_names_are_read_back_in_the_same_order(cards: tuple[int, ...]) -> None:
    assert parse_cards(card_names(cards)) == cards


@given(some_cards)
def test_a_mask_holds_the_cards_in_the_order_of_the_deck(cards: tuple[int, ...]) -> None:
    assert cards_in(card_set(cards)) == tuple(sorted(cards))


@pytest.mark.parametrize(
    "name", ["D3", "10D", "3d", "3X", "1C", "3", "", "3D ", " 3D", "bj", "JB", "３Ｄ", "BJRJ"]
)
def test_a_card_has_one_spelling_only(name: str) -> None:
    with pytest.raises(UnknownCard) as refusal:
        parse_cards(["3C", name])
    assert refusal.value.facts == {"card": name}


def test_a_card_named_twice_is_refused() -> None:
    with pytest.raises(DuplicateCard) as refusal:
        parse_cards(["3C", "4D", "3C"])
    assert refusal.value.facts == {"card": "3C"}


@given(moves)
def test_a_move_survives_json(move: Move) -> None:
    assert move_from_json(json.loads(json.dumps(move_to_json(move)))) == move


@pytest.mark.parametrize(
    ("move", "data"),
    [
        (Play((0, 1)), {"type": "play", "cards": ["3C", "3D"], "pattern": None}),
        (Play((53,), "single"), {"type": "play", "cards": ["RJ"], "pattern": "single"}),
        (Pass(), {"type": "pass"}),
        (Bid(3), {"type": "bid", "bid": 3}),
        (CallRedeal(), {"type": "call_redeal"}),
        (AnswerRedeal(False), {"type": "answer_redeal", "accept": False}),
        (Cut(0), {"type": "cut", "position": 0}),
        (
            Arrange((0,), (1,), (2,), True),
            {
                "type": "arrange",
                "front": ["3C"],
                "middle": ["3D"],
                "back": ["3H"],
                "accept_foul": True,
            },
        ),
        (Declare(), {"type": "declare"}),
        (Extend(), {"type": "extend"}),
    ],
)
def test_the_flat_form_of_each_move(move: Move, data: dict[str, Any]) -> None:
    assert move_to_json(move) == data
    assert move_from_json(data) == move


def test_every_move_has_its_own_type() -> None:
    assert len({cls.type for cls in MOVE_CLASSES}) == len(MOVE_CLASSES) == 9


def test_fields_of_other_moves_are_ignored_and_missing_ones_take_their_default() -> None:
    assert move_from_json({"type": "pass", "cards": ["3C"], "turn": 7}) == Pass()
    assert move_from_json({"type": "play", "cards": ["3C"]}) == Play((0,))
    assert move_from_json({"type": "play", "cards": ["3C"], "pattern": None}) == Play((0,))
    rows = {"front": ["3C"], "middle": ["3D"], "back": ["3H"]}
    assert move_from_json({"type": "arrange", **rows}) == Arrange((0,), (1,), (2,), False)
