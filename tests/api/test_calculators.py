"""The games without a table: the calculators answer as the games do, and refuse by field."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from games.api.questions import RecomputeDealSerializer, SettleRoundSerializer
from games.rules.registry import VARIANTS
from games.rules.variant import Kind
from tests.clients import Answer, Api
from tests.openapi import document
from tests.rules.vectors import load

CLIMBING = [slug for slug, game in VARIANTS.items() if game.info.kind is Kind.CLIMBING]
ARRANGING = [slug for slug, game in VARIANTS.items() if game.info.kind is Kind.ARRANGING]
BIG_TWO = ["big-two-tw", "big-two-hk"]
RANKS_ONLY = {"dou-dizhu"}

# Without a database: a calculator that asked for one would fail here.
api = Api()

Json = dict[str, Any]


def ask(game: str, question: str, **body: Any) -> Any:
    answer = api.post(f"games/{game}/{question}/", body)
    assert answer.status == 200, (body, answer.bytes)
    return answer.json


def refused(answer: Answer, status: int, code: str) -> Json:
    assert (answer.status, answer.code) == (status, code), answer.bytes[:300]
    return dict(answer.json)


def faults(answer: Answer) -> list[tuple[str, str]]:
    return [(e["field"], e["code"]) for e in refused(answer, 400, "invalid_input")["errors"]]


def cards(names: str) -> list[str]:
    return names.split()


def play_of(game: str, names: list[str]) -> tuple[str, ...]:
    """A play as it is compared: where suits do not matter, by its ranks."""
    return tuple(
        sorted(name if name[1] == "J" or game not in RANKS_ONLY else name[0] for name in names)
    )


def listed(game: str, **body: Any) -> set[tuple[str, ...]]:
    return {play_of(game, play["cards"]) for play in ask(game, "legal-plays", **body)["plays"]}


# --- the shared vectors ---


@pytest.mark.parametrize("game", VARIANTS)
def test_classify_answers_every_vector(game: str):
    cases = load(f"{game}/classify.jsonl")
    assert len(cases) >= 270
    for case in cases:
        expected = {"pattern": case["pattern"], "readings": case["readings"]}
        assert ask(game, "classify", cards=case["cards"]) == expected, case


@pytest.mark.parametrize("game", CLIMBING)
def test_legal_plays_answers_every_vector(game: str):
    for case in load(f"{game}/legal_plays.jsonl"):
        question = {name: case[name] for name in ("hand", "on", "must_include")}
        answer = ask(game, "legal-plays", **question)
        plays = answer["plays"]
        assert answer["count"] == len(plays)
        assert answer["can_pass"] is (case["on"] is not None)
        assert len({(*play["cards"], play["pattern"]) for play in plays}) == len(plays)
        assert {play_of(game, play["cards"]) for play in plays} == {
            play_of(game, names) for names in case["plays"]
        }, case


@pytest.mark.parametrize("game", CLIMBING)
def test_a_play_is_listed_exactly_if_it_beats_what_lies_there(game: str):
    for case in load(f"{game}/beats.jsonl"):
        on = {"cards": case["on"], "pattern": case["on_pattern"]}
        plays = listed(game, hand=case["play"], on=on)
        assert (play_of(game, case["play"]) in plays) is case["beats"], case


@pytest.mark.parametrize("game", ARRANGING)
def test_evaluate_answers_every_vector_of_fouls_and_specials(game: str):
    for case in load(f"{game}/fouls.jsonl"):
        rows = {row: case[row] for row in ("front", "middle", "back")}
        assert ask(game, "evaluate", **rows)["foul"] is case["foul"], case
    for case in load(f"{game}/specials.jsonl"):
        hand = case["cards"]
        rows = {"front": hand[:3], "middle": hand[3:8], "back": hand[8:]}
        assert ask(game, "evaluate", **rows)["special"] == case["special"], case


@pytest.mark.parametrize("game", VARIANTS)
def test_settle_answers_every_vector_and_its_working_adds_up(game: str):
    cases = load(f"{game}/settle.jsonl")
    assert len(cases) >= 200
    for case in cases:
        answer = ask(game, "settle", **case["input"])
        assert answer["points"] == case["points"], case
        for name in ("positions", "spring"):
            assert answer[name] == case.get(name, answer[name]), case
        seats = len(case["points"])
        matrix = [[0] * seats for _ in range(seats)]
        for pair in answer["pairs"]:
            assert pair["points"] == sum(reason["points"] for reason in pair["reasons"])
            matrix[pair["to_seat"]][pair["from_seat"]] += pair["points"]
            matrix[pair["from_seat"]][pair["to_seat"]] -= pair["points"]
        assert [sum(row) for row in matrix] == case["points"]
        assert matrix == case.get("pairs", matrix), case


@pytest.mark.parametrize("case", load("deals.jsonl"), ids=lambda case: case["game"])
def test_deal_answers_every_vector(case: Json):
    question = {name: case[name] for name in ("server_seed", "client_seed", "deal")}
    if case["game"] == "thirteen":
        question |= {"first_round": case["first_round"], "cuts": case["cuts"]}
        if not case["first_round"]:
            question["leader"] = case["leader"]
    answer = ask(case["game"], "deal", **question)
    draws = answer.pop("leader_draws")
    assert (draws and [[d["seat"], d["card"]] for d in draws]) == case["leader_draws"]
    assert [sorted(hand) for hand in answer.pop("hands")] == [sorted(h) for h in case["hands"]]
    assert sorted(answer.pop("kitty") or ()) == sorted(case["kitty"] or ())
    names = ("commitment", "first_bidder", "leader", "turned_card")
    assert answer == {name: case[name] for name in names}


# --- the cases of the case book ---


@pytest.mark.parametrize(
    ("game", "names", "pattern"),
    [
        pytest.param("big-two-tw", "AD 2C 3D 4H 5S", "straight", id="R1 A2345"),
        pytest.param("big-two-tw", "2C 3D 4H 5S 6C", "straight", id="R1 23456"),
        pytest.param("big-two-tw", "JC QD KH AS 2D", None, id="R1 JQKA2"),
        pytest.param("big-two-tw", "QC KD AH 2S 3D", None, id="R1 QKA23"),
        pytest.param("big-two-tw", "TC JD QH KS AC", "straight", id="R1 TJQKA"),
        pytest.param("big-two-hk", "AD 2C 3D 4H 5S", None, id="R1 hk A2345"),
        pytest.param("big-two-hk", "2C 3D 4H 5S 6C", None, id="R1 hk 23456"),
        pytest.param("big-two-hk", "TC JD QH KS AC", "straight", id="R1 hk TJQKA"),
        pytest.param("dou-dizhu", "AC 2D 3H 4S 5C", None, id="R6 A2345"),
        pytest.param("dou-dizhu", "2C 3D 4H 5S 6C", None, id="R6 23456"),
        pytest.param("dou-dizhu", "AC AD 2C 2D 3C 3D", None, id="R6 AA2233"),
        pytest.param("dou-dizhu", "AC AD AH 2C 2D 2H", None, id="R6 AAA222"),
        pytest.param("dou-dizhu", "TC JD QH KS AC", "straight", id="R6 TJQKA"),
        pytest.param("dou-dizhu", "QC QD KC KD AC AD", "pair_chain", id="R6 QQKKAA"),
        pytest.param("big-two-tw", "7C 7D 7H 4S 9C", None, id="R14"),
        pytest.param("chinese-poker", "7C 7D 7H 4S 9C", "three_of_a_kind", id="R14 row"),
        pytest.param("thirteen", "7C 7D 7H 4S 4C", "full_house", id="R14 full house"),
    ],
)
def test_cases_are_classified_and_listed_alike(game: str, names: str, pattern: str | None):
    hand = cards(names)
    assert ask(game, "classify", cards=hand)["pattern"] == pattern
    assert ask(game, "classify", cards=hand[::-1])["pattern"] == pattern
    if game in CLIMBING:
        assert (play_of(game, hand) in listed(game, hand=hand)) is (pattern is not None)


def test_r2_the_opening_play_contains_the_opening_card():
    plays = listed("big-two-hk", hand=cards("3D 3C 4C"), must_include="3D")
    assert plays == {("3D",), ("3C", "3D")}


@pytest.mark.parametrize(
    ("on", "hand", "beats"),
    [
        pytest.param("QC QD", "8C 8D 8H 8S", True, id="R3 a bomb on a pair"),
        pytest.param("8C 8D 8H 8S", "2C 2D", False, id="R3 a pair on a bomb"),
        pytest.param("8C 8D 8H 8S", "9C 9D 9H 9S", True, id="R3 a higher bomb"),
        pytest.param("2C 2D", "2H 2S", False, id="R4 twos on twos"),
        pytest.param("3C 4D 5H 6S 7C", "BJ RJ", True, id="R4 the rocket on a straight"),
        pytest.param("BJ RJ", "2C 2D 2H 2S", False, id="R4 a bomb on the rocket"),
        pytest.param(
            "3C 3D 3H 4C 4D 4H 5C 5D 6C 6D",
            "7C 7D 7H 8C 8D 8H 9C 9D TC TD",
            True,
            id="R5 airplane with pairs",
        ),
    ],
)
def test_cases_of_dou_dizhu_are_listed(on: str, hand: str, beats: bool):
    plays = listed("dou-dizhu", hand=cards(hand), on={"cards": cards(on)})
    assert (play_of("dou-dizhu", cards(hand)) in plays) is beats


@pytest.mark.parametrize(
    ("names", "readings"),
    [
        ("3C 3D 3H 4C 4D 4H 5C 5D 5H 6C 6D 7S", ["airplane_with_singles"]),
        ("6C 6D 6H 7C 7D 7H 8C 8D 8H 4C 4D 5S", ["airplane_with_singles"]),
        ("3C 3D 3H 4C 4D 4H 5C 5D 6C 6D", ["airplane_with_pairs"]),
        ("3C 4C 4D 4H 5C 5D 5H 5S", []),
        ("3C 3D 3H 3S 4C 4D 4H 4S", []),
        ("5C 5D 5H 6C 6D 6H 7C 7D 7H 8C 8D 8H", ["airplane", "airplane_with_singles"]),
    ],
)
def test_r5_and_r7_readings_do_not_depend_on_the_order(names: str, readings: list[str]):
    for order in (cards(names), cards(names)[::-1]):
        answer = ask("dou-dizhu", "classify", cards=order)
        assert answer == {"pattern": next(iter(readings), None), "readings": readings}


def test_a_named_pattern_is_the_reading_meant():
    names = cards("5C 5D 5H 6C 6D 6H 7C 7D 7H 8C 8D 8H")
    meant = ask("dou-dizhu", "classify", cards=names, pattern="airplane_with_singles")
    assert meant["pattern"] == "airplane_with_singles"
    answer = api.post("games/dou-dizhu/classify/", {"cards": names, "pattern": "bomb"})
    assert refused(answer, 422, "ambiguous_pattern")["params"]["readings"] == meant["readings"]


def test_a_play_that_is_several_is_followed_as_what_it_lies_there_as():
    four = "3C 3D 3H 4C 4D 4H 5C 5D 5H 6C 6D 6H"
    hand = cards("7C 7D 7H 8C 8D 8H 9C 9D 9H TC JD QH")
    for pattern, plays in (
        ("airplane", set()),
        ("airplane_with_singles", {play_of("dou-dizhu", hand)}),
    ):
        on = {"cards": cards(four), "pattern": pattern}
        assert listed("dou-dizhu", hand=hand, on=on) == plays


@pytest.mark.parametrize(
    ("winner", "play_counts", "points", "spring"),
    [
        (1, [1, 6, 2], [-40, 20, 20], "anti_spring"),
        (1, [2, 6, 0], [-20, 10, 10], None),
        (0, [7, 0, 0], [40, -20, -20], "spring"),
        (0, [7, 0, 1], [20, -10, -10], None),
    ],
)
def test_r10_spring(winner: int, play_counts: list[int], points: list[int], spring: str | None):
    answer = ask(
        "dou-dizhu", "settle", bid=1, landlord=0, winner=winner, bombs=0, play_counts=play_counts
    )
    assert (answer["points"], answer["spring"], answer["winner"]) == (points, spring, winner)


@pytest.mark.parametrize("game", ARRANGING)
@pytest.mark.parametrize(
    ("front", "middle", "back", "categories", "foul"),
    [
        pytest.param(
            "AC AD KH",
            "2C 2D 5H 7S 9C",
            "3C 3D 4C 4D JS",
            ["pair", "pair", "two_pair"],
            True,
            id="R11 foul",
        ),
        pytest.param(
            "KC KD 2H",
            "AC AD 3S 5H 7C",
            "9C 9D JC JD 4S",
            ["pair", "pair", "two_pair"],
            False,
            id="R11 no foul",
        ),
    ],
)
def test_r11_rows_are_evaluated(
    game: str, front: str, middle: str, back: str, categories: list[str], foul: bool
):
    rows = {"front": cards(front), "middle": cards(middle), "back": cards(back)}
    assert ask(game, "evaluate", **rows) == {
        "categories": dict(zip(("front", "middle", "back"), categories, strict=True)),
        "foul": foul,
        "special": None,
    }


@pytest.mark.parametrize(
    ("names", "special"),
    [
        ("3C 3D 5C 5D 7C 7D 9C 9D JC JD KC KD 2S", "six_pairs"),
        ("3C 3D 5C 5D 7C 7D 9C 9D JC JD KC KD KH", "six_pairs"),
        ("3C 3D 3H 3S 7C 7D 9C 9D JC JD KC KD 2S", "six_pairs"),
        ("3C 3D 5C 5D 7C 7D 9C 9D JC JD KC 2S 4H", None),
    ],
)
def test_r12_six_pairs(names: str, special: str | None):
    hand = cards(names)
    rows = {"front": hand[:3], "middle": hand[3:8], "back": hand[8:]}
    assert ask("chinese-poker", "evaluate", **rows)["special"] == special
    assert ask("thirteen", "evaluate", **rows)["special"] is None


def higher(game: str, row: str, other: str) -> bool:
    """Whether the row as a middle fouls above the other as a back."""
    free = [f"{rank}{suit}" for rank in "23456789" for suit in "CDHS"]
    taken = {*cards(row), *cards(other)}
    front = next(
        names
        for names in combinations([name for name in free if name not in taken], 3)
        if len({name[0] for name in names}) == 3
    )
    rows = {"front": list(front), "middle": cards(row), "back": cards(other)}
    return bool(ask(game, "evaluate", **rows)["foul"])


@pytest.mark.parametrize("game", ARRANGING)
@pytest.mark.parametrize(
    ("row", "other", "result"),
    [
        pytest.param("QD JD 9D 7D 6D", "QS JS 9S 6S 5S", 1, id="R13 seven over six"),
        pytest.param("QD JD 9D 7D 6D", "QS JS 9S 7S 6S", 0, id="R13 tie"),
        pytest.param("AS 6S 4S 3S 2S", "KD QD JD 9D 8D", 1, id="R13 ace high"),
        pytest.param("8C 8D 8H 3S 3C", "7C 7D 7H AS AC", 1, id="R14 the eights"),
        pytest.param("TC JD QH KS AD", "9C TD JH QS KC", 1, id="R15 TJQKA over 9TJQK"),
        pytest.param("9C TD JH QS KC", "2C 3D 4H 5S 6D", 1, id="R15 9TJQK over 23456"),
        pytest.param("2C 3D 4H 5S 6D", "AC 2D 3H 4S 5C", 1, id="R15 23456 over A2345"),
    ],
)
def test_r13_to_r15_rows_compare(game: str, row: str, other: str, result: int):
    assert higher(game, row, other) is (result > 0)
    assert higher(game, other, row) is (result < 0)


# --- who may ask what ---

QUESTIONS: dict[str, Json] = {
    "classify": {"cards": ["3C"]},
    "legal-plays": {"hand": ["3C"]},
    "evaluate": {"front": [], "middle": [], "back": []},
    "settle": {},
    "deal": {"server_seed": "0" * 64},
}


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("game", ["go-fish", "Big-Two-TW", "x" * 300])
def test_an_unknown_game_is_a_404(game: str, question: str):
    answer = api.post(f"games/{game}/{question}/", QUESTIONS[question])
    assert refused(answer, 404, "not_found")["params"] == {"game": game}


@pytest.mark.parametrize(
    ("question", "games"), [("evaluate", CLIMBING), ("legal-plays", ARRANGING)]
)
def test_a_question_that_does_not_fit_the_game_is_a_404_that_says_so(
    question: str, games: list[str]
):
    for game in games:
        answer = api.post(f"games/{game}/{question}/", QUESTIONS[question])
        expected = {"game": game, "question": question}
        assert refused(answer, 404, "not_found")["params"] == expected


@pytest.mark.parametrize("game", VARIANTS)
def test_every_game_fits_the_flat_bodies(game: str):
    """So that a further game needs no serializer."""
    variant = VARIANTS[game]
    assert set(variant.settlement_fields) <= set(SettleRoundSerializer().fields)
    assert set(variant.deal_fields) <= set(RecomputeDealSerializer().fields)
    assert ask(game, "classify", cards=[]) == {"pattern": None, "readings": []}
    dealt = ask(game, "deal", server_seed="0" * 64)
    everything = [name for part in (*dealt["hands"], dealt["kitty"] or ()) for name in part]
    assert len(set(everything)) == len(everything) == variant.info.deck_size
    missing = faults(api.post(f"games/{game}/settle/", {}))
    assert missing == [(field, "required") for field in variant.settlement_fields]


@pytest.mark.parametrize("question", QUESTIONS)
def test_no_login_is_needed_and_a_bad_one_does_no_harm(question: str):
    game = "chinese-poker" if question == "evaluate" else "big-two-tw"
    answer = Api("not a token").post(
        f"games/{game}/{question}/", QUESTIONS[question], Idempotency_Key="\u0007"
    )
    expected = {"evaluate": 422, "settle": 400}
    assert answer.status == expected.get(question, 200)
    assert answer.status == 200 or answer.code in ("wrong_row_sizes", "invalid_input")


# --- bad input, by field ---

HAND: Any = [1, "3C", {}, None, ["3C", 5], ["3C", None], [["3C"]], ["3C"] * 21]


@pytest.mark.parametrize(
    ("path", "rest", "field", "values"),
    [
        ("big-two-tw/classify", {}, "cards", HAND),
        ("big-two-tw/classify", {"cards": ["3C"]}, "pattern", [1, [], "x" * 31]),
        ("big-two-tw/classify", {"cards": ["3C"]}, "zzz", [1]),
        ("big-two-tw/legal-plays", {}, "hand", HAND),
        ("big-two-tw/legal-plays", {"hand": ["3C"]}, "on", [1, "3C", ["3C"], {}, {"cards": None}]),
        ("big-two-tw/legal-plays", {"hand": ["3C"]}, "must_include", [1, ["3C"], "x" * 21]),
        ("thirteen/evaluate", {"middle": [], "back": []}, "front", HAND),
        ("big-two-tw/settle", {}, "cards_left", [1, [0, 1, 2, "3"], [0, 1, 2, -1], [0] * 9]),
        ("dou-dizhu/settle", {}, "bid", ["1", True, -1, 1.5]),
        ("thirteen/settle", {}, "seats", [1, {}, [1], [{}]]),
        (
            "big-two-tw/deal",
            {},
            "server_seed",
            [1, None, "0" * 63, "0" * 65, "0" * 64 + "\n", "g" * 64],
        ),
        ("big-two-tw/deal", {"server_seed": "0" * 64}, "deal", [0, "1", None, 2**31]),
        ("big-two-tw/deal", {"server_seed": "0" * 64}, "client_seed", [1, None, "x" * 65]),
        ("thirteen/deal", {"server_seed": "0" * 64}, "first_round", ["true", 1]),
        ("thirteen/deal", {"server_seed": "0" * 64}, "cuts", [1, ["1"], [1.5], [-1]]),
    ],
)
def test_a_field_of_the_wrong_type_is_named(path: str, rest: Json, field: str, values: list[Any]):
    for value in values:
        answer = api.post(f"games/{path}/", {**rest, field: value})
        assert {name.split(".")[0] for name, _ in faults(answer)} == {field}, value


@pytest.mark.parametrize(
    ("path", "body", "code", "facts"),
    [
        ("big-two-tw/classify", {"cards": ["10D"]}, "unknown_card", {"card": "10D"}),
        ("big-two-tw/classify", {"cards": ["3d"]}, "unknown_card", {"card": "3d"}),
        ("big-two-tw/classify", {"cards": ["3C", "BJ"]}, "unknown_card", {"card": "BJ"}),
        ("dou-dizhu/classify", {"cards": ["BJ", "BJ"]}, "duplicate_card", {"card": "BJ"}),
        ("thirteen/classify", {"cards": ["3C", "RJ"]}, "unknown_card", {"card": "RJ"}),
        (
            "big-two-tw/legal-plays",
            {"hand": ["3C"], "on": {"cards": ["3C"]}},
            "duplicate_card",
            {"card": "3C"},
        ),
        (
            "big-two-tw/legal-plays",
            {"hand": ["3C"], "must_include": "3D"},
            "card_not_in_hand",
            {"cards": ["3D"]},
        ),
        (
            "big-two-tw/legal-plays",
            {"hand": ["3C"], "on": {"cards": ["4C", "5C"]}},
            "not_a_pattern",
            {"cards": ["4C", "5C"]},
        ),
        (
            "big-two-tw/legal-plays",
            {"hand": ["3C"], "on": {"cards": []}},
            "not_a_pattern",
            {"cards": []},
        ),
        (
            "dou-dizhu/legal-plays",
            {"hand": ["3C"], "on": {"cards": ["4C", "5C"]}},
            "not_a_pattern",
            {"cards": ["4C", "5C"]},
        ),
        (
            "dou-dizhu/legal-plays",
            {"hand": ["3C"], "on": {"cards": ["4C"], "pattern": "pair"}},
            "ambiguous_pattern",
            {"pattern": "pair", "readings": ["single"]},
        ),
        (
            "thirteen/evaluate",
            {"front": ["3C", "4C"], "middle": ["5C"], "back": []},
            "wrong_row_sizes",
            {"sizes": [2, 1, 0]},
        ),
        (
            "thirteen/evaluate",
            {"front": ["3C"], "middle": ["3C"], "back": []},
            "duplicate_card",
            {"card": "3C"},
        ),
        (
            "thirteen/deal",
            {"server_seed": "0" * 64, "leader": 1, "cuts": [52, 0, 0, 0]},
            "cut_out_of_range",
            {"position": 52},
        ),
        (
            "thirteen/deal",
            {"server_seed": "0" * 64, "leader": 1, "cuts": [0, 5, 0, 0]},
            "cannot_cut",
            {},
        ),
    ],
)
def test_what_the_rules_refuse_is_a_422_with_its_facts(
    path: str, body: Json, code: str, facts: Json
):
    assert refused(api.post(f"games/{path}/", body), 422, code)["params"] == facts


DOU_DIZHU = {"bid": 1, "landlord": 0, "winner": 0, "bombs": 0, "play_counts": [5, 1, 0]}
ROWS = {
    "front": cards("2C 3D 4H"),
    "middle": cards("5C 5D 6H 7S 8C"),
    "back": cards("9C 9D TH JS QC"),
}
DRAGON = {"cards": cards("2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AD"), "special": "dragon"}


@pytest.mark.parametrize(
    ("game", "body", "expected"),
    [
        ("big-two-tw", {"cards_left": [0, 1, 2]}, [("cards_left", "wrong_number_of_seats")]),
        ("big-two-tw", {"cards_left": [1, 1, 2, 3]}, [("cards_left", "not_one_winner")]),
        ("big-two-hk", {"cards_left": [0, 0, 2, 3]}, [("cards_left", "not_one_winner")]),
        ("big-two-hk", {"cards_left": [0, 1, 2, 14]}, [("cards_left", "out_of_range")]),
        ("big-two-tw", {"cards_left": [0, 1, 2, 3], "bid": 1}, [("bid", "not_in_this_game")]),
        ("dou-dizhu", {**DOU_DIZHU, "bid": 4}, [("bid", "out_of_range")]),
        ("dou-dizhu", {**DOU_DIZHU, "bid": 0}, [("bid", "out_of_range")]),
        ("dou-dizhu", {**DOU_DIZHU, "landlord": 3}, [("landlord", "no_such_seat")]),
        ("dou-dizhu", {**DOU_DIZHU, "winner": 3}, [("winner", "no_such_seat")]),
        ("dou-dizhu", {**DOU_DIZHU, "winner": 2}, [("play_counts", "must_have_played")]),
        ("dou-dizhu", {**DOU_DIZHU, "landlord": 2}, [("play_counts", "must_have_played")]),
        ("dou-dizhu", {**DOU_DIZHU, "bombs": 15}, [("bombs", "out_of_range")]),
        (
            "dou-dizhu",
            {**DOU_DIZHU, "play_counts": [1, 1]},
            [("play_counts", "wrong_number_of_seats")],
        ),
        ("dou-dizhu", {**DOU_DIZHU, "play_counts": [21, 1, 0]}, [("play_counts", "out_of_range")]),
        ("dou-dizhu", {**DOU_DIZHU, "bid": None}, [("bid", "required")]),
        ("dou-dizhu", {**DOU_DIZHU, "seats": [ROWS]}, [("seats", "not_in_this_game")]),
        ("thirteen", {"seats": []}, [("seats", "wrong_number_of_seats")]),
        (
            "thirteen",
            {"seats": [ROWS, {**ROWS, "cards": []}]},
            [
                ("seats.1.special", "required"),
                ("seats.1.front", "rows_or_special"),
                ("seats.1.middle", "rows_or_special"),
                ("seats.1.back", "rows_or_special"),
            ],
        ),
        ("thirteen", {"seats": [{**ROWS, "back": None}]}, [("seats.0.back", "required")]),
        ("thirteen", {"seats": [{"special": "dragon"}]}, [("seats.0.cards", "required")]),
    ],
)
def test_a_round_that_cannot_be_is_refused_by_its_field(
    game: str, body: Json, expected: list[tuple[str, str]]
):
    assert faults(api.post(f"games/{game}/settle/", body)) == expected


def split(names: list[str]) -> Json:
    return {"front": names[:3], "middle": names[3:8], "back": names[8:]}


REST = [f"{rank}{suit}" for suit in "DHS" for rank in "23456789TJQK"] + cards("AC AH AS")
THREE_MORE = [split(REST[at : at + 13]) for at in (0, 13, 26)]


@pytest.mark.parametrize(
    ("first", "code"),
    [
        ({**DRAGON, "special": "six_pairs"}, "no_special_hand"),
        ({**DRAGON, "cards": [*DRAGON["cards"][:12], "2D"]}, "duplicate_card"),
        ({**split(DRAGON["cards"]), "front": ["2C", "3C"]}, "wrong_row_sizes"),
    ],
)
def test_seats_that_show_what_they_are_not_are_refused_by_the_rules(first: Json, code: str):
    answer = api.post("games/chinese-poker/settle/", {"seats": [first, *THREE_MORE]})
    refused(answer, 422, code)


def test_a_refused_special_says_whose_it_is_what_was_claimed_and_what_was_found():
    seats = [*THREE_MORE, {**DRAGON, "special": "six_pairs"}]
    answer = api.post("games/chinese-poker/settle/", {"seats": seats})
    assert answer.json["params"] == {"seat": 3, "claimed": "six_pairs", "found": "dragon"}


def test_a_special_hand_has_13_cards():
    seats = [{**DRAGON, "cards": DRAGON["cards"][:12]}, *THREE_MORE]
    answer = api.post("games/chinese-poker/settle/", {"seats": seats})
    assert faults(answer) == [("seats", "wrong_number_of_cards")]


def test_a_settlement_says_which_rows_are_a_foul_and_why_each_point_is_paid():
    answer = ask("chinese-poker", "settle", seats=[DRAGON, *THREE_MORE])
    assert [hand["special"] for hand in answer["hands"]] == ["dragon", None, None, None]
    assert [hand["foul"] for hand in answer["hands"]] == [None, True, True, True]
    paid = [pair for pair in answer["pairs"] if pair["to_seat"] == 0]
    assert [(pair["from_seat"], pair["points"]) for pair in paid] == [(1, 13), (2, 13), (3, 13)]
    assert paid[0]["reasons"] == [{"code": "special", "points": 13, "count": None, "factor": None}]


@pytest.mark.parametrize(
    ("game", "more", "expected"),
    [
        ("big-two-tw", {"leader": 1}, [("leader", "not_in_this_game")]),
        ("dou-dizhu", {"cuts": [1, 1, 1]}, [("cuts", "not_in_this_game")]),
        ("thirteen", {"leader": 4}, [("leader", "no_such_seat")]),
        ("thirteen", {"cuts": [1, 1, 1]}, [("cuts", "wrong_number_of_seats")]),
        ("thirteen", {"first_round": False}, [("leader", "required")]),
    ],
)
def test_a_deal_that_cannot_be_is_refused_by_its_field(
    game: str, more: Json, expected: list[tuple[str, str]]
):
    body = {"server_seed": "0" * 64, **more}
    assert faults(api.post(f"games/{game}/deal/", body)) == expected


def test_the_leader_of_a_first_round_is_the_one_drawn():
    drawn = ask("thirteen", "deal", server_seed="0" * 64)
    assert drawn["leader_draws"]
    named = ask("thirteen", "deal", server_seed="0" * 64, first_round=True, leader=drawn["leader"])
    assert named == drawn
    other = (drawn["leader"] + 1) % 4
    body = {"server_seed": "0" * 64, "first_round": True, "leader": other}
    assert faults(api.post("games/thirteen/deal/", body)) == [("leader", "not_the_leader_drawn")]
    assert ask("thirteen", "deal", server_seed="0" * 64, leader=other)["leader_draws"] is None


def test_a_must_in_dou_dizhu_may_be_any_suit_of_its_rank():
    hand = cards("3C 3D 3H 4C")
    answer = ask("dou-dizhu", "legal-plays", hand=hand, must_include="3H")
    assert all("3H" in play["cards"] for play in answer["plays"])
    assert [play["pattern"] for play in answer["plays"]] == [
        "single",
        "pair",
        "triple",
        "triple_with_single",
    ]


def test_the_largest_hand_is_answered():
    hand = [f"{rank}{suit}" for rank in "34567" for suit in "CDHS"]
    assert ask("dou-dizhu", "legal-plays", hand=hand)["count"] > 100
    assert ask("big-two-tw", "legal-plays", hand=hand)["count"] > 1000


def test_texts_follow_the_language():
    body = {"cards_left": [0, 1, 2]}
    for language, text in (
        ("en", "One entry is needed for each seat of the game."),
        ("zh-TW", "遊戲的每個座位都要有一項。"),
    ):
        answer = api.post("games/big-two-tw/settle/", body, Accept_Language=language)
        assert answer.json["errors"][0]["detail"] == text


@pytest.mark.parametrize(
    ("game", "question"),
    [
        ("dou-dizhu", "classify"),
        ("dou-dizhu", "legal-plays"),
        ("chinese-poker", "evaluate"),
        ("big-two-tw", "settle"),
        ("dou-dizhu", "deal"),
    ],
)
def test_the_examples_of_the_document_are_true(game: str, question: str):
    operation = document()["paths"][f"/api/v1/games/{{game}}/{question}/"]["post"]
    (request,) = operation["requestBody"]["content"]["application/json"]["examples"].values()
    (answer,) = operation["responses"]["200"]["content"]["application/json"]["examples"].values()
    assert ask(game, question, **request["value"]) == answer["value"]
