"""Every scenario is there, and comes to the end that it names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from games.rules.cards import card_names
from games.rules.registry import VARIANTS
from sandbox.scenarios import SCENARIOS
from tests.clients import Api
from tests.sandbox.rehearsals import Json, log, play_line, rehearse

NAMED = {
    *("one_card_left", "bomb_on_a_two", "straight_flush_lead", "all_pass_redeal", "spring"),
    *("redeal_offer", "foul", "dragon", "grand_slam"),
}


def awaits_me(state: Json) -> bool:
    return bool(state["status"] == "playing" and state["to_act"] == [0])


def to_beat(seat: int, pattern: str, *cards: str) -> Callable[[Json], bool]:
    expected = {"seat": seat, "cards": list(cards), "pattern": pattern}
    return lambda state: awaits_me(state) and state["trick"]["to_beat"] == expected


def settled(*points: int, **facts: Any) -> Callable[[Json], bool]:
    def holds(state: Json) -> bool:
        settlement = state["settlement"]
        return settlement["points"] == list(points) and facts.items() <= settlement.items()

    return holds


def one_card_left(state: Json) -> bool:
    return awaits_me(state) and state["seats"][1]["cards_left"] == 1


def dealt_anew(state: Json) -> bool:
    return (state["status"], state["round"], state["deal"]) == ("playing", 1, 2)


ENDS: dict[tuple[str, str], Callable[[Json], bool]] = {
    ("big-two-tw", "one_card_left"): one_card_left,
    ("big-two-tw", "thirteen_left"): settled(117, -39, -39, -39),
    ("big-two-tw", "bomb_on_a_two"): to_beat(1, "four_of_a_kind", "5H", "9C", "9D", "9H", "9S"),
    ("big-two-tw", "straight_flush_lead"): to_beat(
        1, "straight_flush", "3C", "4C", "5C", "6C", "7C"
    ),
    ("big-two-tw", "straight_with_a_two"): to_beat(3, "straight", "3D", "4H", "5H", "6H", "2D"),
    ("big-two-hk", "one_card_left"): one_card_left,
    ("big-two-hk", "thirteen_left"): settled(156, -52, -52, -52),
    ("big-two-hk", "redeal_offer"): lambda state: (
        state["you"]["actions"] == ["answer_redeal"] and state["redeal"]["caller"] == 1
    ),
    ("big-two-hk", "redeal_call"): dealt_anew,
    ("dou-dizhu", "all_pass_redeal"): dealt_anew,
    ("dou-dizhu", "spring"): settled(120, -60, -60, spring="spring"),
    ("dou-dizhu", "anti_spring"): settled(-40, 20, 20, spring="anti_spring"),
    ("dou-dizhu", "rocket"): to_beat(1, "rocket", "BJ", "RJ"),
    ("dou-dizhu", "bombs_double"): settled(80, -40, -40, spring=None),
    ("chinese-poker", "foul"): settled(-18, 8, 6, 4),
    ("chinese-poker", "dragon"): settled(39, -6, -8, -25),
    ("chinese-poker", "grand_slam"): settled(36, -10, -12, -14),
    ("chinese-poker", "six_pairs"): settled(6, 6, -6, -6),
    ("chinese-poker", "three_straights"): settled(9, 3, -6, -6),
    ("thirteen", "foul"): settled(-18, 8, 6, 4),
    ("thirteen", "dragon"): settled(108, -36, -36, -36),
    ("thirteen", "home_run"): settled(36, -10, -12, -14),
    ("thirteen", "four_of_a_kind"): settled(15, -12, 2, -5),
}


def test_there_are_those_that_the_contract_names_and_two_more_for_each_game():
    assert set(SCENARIOS) == set(ENDS)
    assert {name for _, name in SCENARIOS} >= NAMED
    more = Counter(game for game, name in SCENARIOS if name not in NAMED)
    assert {game: more[game] >= 2 for game in VARIANTS} == dict.fromkeys(VARIANTS, True)


def test_they_are_listed_for_anybody_in_the_language_asked_for(sandbox: None):
    told = {
        language: Api().get("sandbox/scenarios/", Accept_Language=language).json["results"]
        for language in ("en", "zh-TW")
    }
    listed = [(entry["game"], entry["scenario"]) for entry in told["en"]]
    assert listed == list(SCENARIOS)
    english, chinese = ([entry.pop("summary") for entry in entries] for entries in told.values())
    assert told["en"] == told["zh-TW"]
    assert all(one != other for one, other in zip(english, chinese, strict=True))


@pytest.mark.parametrize(("game", "name"), ENDS, ids=" ".join)
def test_a_scenario_is_played_to_the_end_that_it_names_and_on_from_there(
    builder: Api, game: str, name: str
):
    listed = builder.get("sandbox/scenarios/").json["results"]
    (scenario,) = [s for s in listed if (s["game"], s["scenario"]) == (game, name)]
    table = rehearse(builder, game=game, scenario=name)
    for line in scenario["script"]:
        play_line(table, line)
    state = table.state()
    assert ENDS[game, name](state), state
    made = log(table)[: len(scenario["script"])]
    followed = [m["policy"] == "script" for m in made if m["seat"] != 0 and m["deal"] == 1]
    # Bots accept a call at once by the rule book.
    assert all(followed) or name == "redeal_call"
    told = [{k: line[k] for k in ("seat", "type")} for line in scenario["script"]]
    assert [{k: move[k] for k in ("seat", "type")} for move in made] == told
    assert table.play_on()["settlement"]["hands"]  # whatever comes after it


@pytest.mark.parametrize(("game", "name"), ENDS, ids=" ".join)
def test_the_hands_are_those_of_the_scenario_and_only_ones_own_is_shown(
    builder: Api, game: str, name: str
):
    table = rehearse(builder, game=game, scenario=name)
    hands = SCENARIOS[game, name].deal.hands
    while table.state()["phase"] == "cutting":
        state = table.state()
        seat = min(s for s in state["to_act"] if not state["seats"][s]["has_acted"])
        play_line(table, {"seat": seat, "type": "cut", "position": 0})
    assert sorted(table.state()["you"]["hand"]) == sorted(card_names(hands[0]))
    assert table.seen_by(Api.guest()).get("state/").status == 404
