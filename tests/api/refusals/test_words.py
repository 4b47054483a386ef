"""A refusal calls the words of the interface by their names; `params` keep the words."""

from __future__ import annotations

import re
from typing import Any

import pytest

from config.problems import PROBLEMS, WORDS
from games.rules.registry import VARIANTS
from games.services.words import NAMES
from tests.api.refusals.answers import refused
from tests.clients import Answer, Api

CHINESE = ["zh-TW", "zh-CN"]
MOVES: dict[str, dict[str, Any]] = {
    "play": {"cards": ["3C"]},
    "pass": {},
    "bid": {"bid": 1},
    "call_redeal": {},
    "answer_redeal": {"accept": True},
    "cut": {"position": 1},
    "arrange": {"front": [], "middle": [], "back": []},
    "declare": {},
    "extend": {},
}
NO_WORDS = {
    *("card", "cards", "highest", "limit", "limit_bytes", "open_turn", "reason", "round"),
    *("to_act", "turn"),
}
"""Facts that are shown as they are: numbers, cards, and what an operator wrote."""


def names_shown(answer: Answer, language: str) -> list[str]:
    """What stands in the brackets of a Chinese detail, in which nothing is Latin."""
    detail = answer.json["detail"]
    assert answer.headers["Content-Language"] == {"zh-TW": "zh-hant", "zh-CN": "zh-hans"}[language]
    assert not re.search("[A-Za-z_]", detail), detail
    return re.findall("「(.+?)」", detail)


def catalogue(game: str, language: str) -> dict[str, dict[str, str]]:
    """The names that the game's page has, by part and word."""
    page = Api().get(f"games/{game}/", Accept_Language=language).json
    return {part: {entry["word"]: entry["name"] for entry in page[part]} for part in NAMES}


def test_every_fact_that_is_shown_has_names_or_needs_none():
    shown = {fact for kind in PROBLEMS.values() for fact in kind.shown_facts}
    assert shown == set(WORDS) | NO_WORDS
    assert set(WORDS.values()) <= set(NAMES)


@pytest.mark.parametrize("language", CHINESE)
@pytest.mark.parametrize("game", VARIANTS)
def test_a_move_in_the_wrong_phase(api: Api, game: str, language: str):
    assert set(MOVES) == set(NAMES["move_types"])
    table = api.open_table(game=game)
    state = table.bots_play()
    names = catalogue(game, language)
    depends_on_the_hand = {"call_redeal", "declare"} & set(VARIANTS[game].info.move_types)
    wrong = set(MOVES) - set(state["you"]["actions"]) - depends_on_the_hand
    assert len(wrong) >= 4
    for kind in sorted(wrong):
        answer = table.post("moves/", {"type": kind, **MOVES[kind]}, Accept_Language=language)
        params = refused(answer, 409, "wrong_phase")["params"]
        assert (params["phase"], params["type"]) == (state["phase"], kind)
        phase, move = names_shown(answer, language)
        assert phase == names["phases"][state["phase"]]
        assert move == names["move_types"].get(kind, move)


@pytest.mark.parametrize(
    ("language", "detail"),
    [
        ("en", '"Call for a redeal" is not possible in the phase "Playing".'),
        ("zh-TW", "「出牌」階段不能「要求重發」。"),
        ("zh-CN", "「出牌」阶段不能「要求重发」。"),
    ],
)
def test_a_redeal_in_a_game_without_one(api: Api, language: str, detail: str):
    table = api.open_table(game="big-two-tw")
    table.bots_play()
    answer = table.post("moves/", {"type": "call_redeal"}, Accept_Language=language)
    assert refused(answer, 409, "wrong_phase")["detail"] == detail


@pytest.mark.parametrize("language", CHINESE)
@pytest.mark.parametrize("game", ["big-two-tw", "big-two-hk", "dou-dizhu"])
def test_cards_that_are_not_the_pattern_named(game: str, language: str):
    own = catalogue(game, language)["patterns"]
    for pattern in NAMES["patterns"]:
        body = {"cards": ["3C"], "pattern": pattern}
        answer = Api().post(f"games/{game}/classify/", body, Accept_Language=language)
        if pattern == "single":
            assert answer.status == 200
            continue
        assert refused(answer, 422, "ambiguous_pattern")["params"]["pattern"] == pattern
        (name,) = names_shown(answer, language)
        assert name == own.get(pattern, name)


def test_a_table_has_the_names_of_its_game(api: Api):
    for game, name in (("dou-dizhu", "三張"), ("big-two-hk", "三條")):
        table = api.open_table(game=game)
        state = table.bots_play()
        while state["phase"] == "bidding":
            assert table.move(type="bid", bid=3).status == 201
            state = table.bots_play()
        body = {"type": "play", "cards": state["you"]["hand"][:1], "pattern": "triple"}
        answer = table.post("moves/", body, Accept_Language="zh-TW")
        refused(answer, 422, "ambiguous_pattern")
        assert names_shown(answer, "zh-TW") == [name]


@pytest.mark.parametrize("word", ["snake", "Single", "", 3, ["single"]])
def test_a_word_that_a_client_made_up_is_no_word(word: Any):
    body = {"cards": ["3C"], "pattern": word}
    answer = Api().post("games/dou-dizhu/classify/", body)
    wrong = refused(answer, 400, "invalid_input")["errors"]
    assert [(error["field"], error["code"]) for error in wrong] == [("pattern", "invalid_choice")]
