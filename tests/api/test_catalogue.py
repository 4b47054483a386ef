"""The catalogue: what there is to play, in every language, with rules whose numbers are right."""

from __future__ import annotations

import re
from copy import deepcopy
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from games.rules.registry import VARIANTS
from games.services.options import OPTIONS
from tests.clients import Answer, Api
from tests.openapi import document

LANGUAGES = {"en": "en", "zh-Hant": "zh-TW", "zh-Hans": "zh-CN"}
CHINESE = re.compile("[\u4e00-\u9fff]")
HEADINGS = {
    "en": ["Goal", "Order of cards", "Plays", "Turn", "Scoring"],
    "zh-Hant": ["目標", "牌的大小", "牌型", "出牌", "計分"],
    "zh-Hans": ["目标", "牌的大小", "牌型", "出牌", "计分"],
}
EXAMPLES = {"en": "Example", "zh-Hant": "例子", "zh-Hans": "例子"}

# Without a database: the catalogue needs none.
api = Api()

every_page = pytest.mark.parametrize(
    ("game", "language"), [(game, language) for game in VARIANTS for language in LANGUAGES]
)


def read(path: str, language: str = "en", **headers: str) -> Answer:
    answer = api.get(path, Accept_Language=LANGUAGES[language], **headers)
    assert answer.status == 200, answer.bytes
    return answer


def rules_of(game: str, language: str) -> str:
    return str(read(f"games/{game}/", language).json["rules"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_list_has_every_game_as_its_page_has_it(language: str):
    listed = read("games/", language).json["results"]
    assert [card["slug"] for card in listed] == list(VARIANTS)
    for card in listed:
        detail = read(f"games/{card['slug']}/", language).json
        assert detail.keys() - card.keys() == {"rules", "phases", "move_types", "reasons"}
        assert detail.items() >= card.items()


@pytest.mark.parametrize(
    ("game", "english", "traditional", "simplified", "facts"),
    [
        (
            "big-two-tw",
            "Big Two (Taiwan)",
            "大老二",
            "大老二",
            (4, 52, "counter_clockwise", "climbing", "session"),
        ),
        (
            "big-two-hk",
            "Big Two (Hong Kong)",
            "鋤大弟",
            "锄大弟",
            (4, 52, "counter_clockwise", "climbing", "round"),
        ),
        (
            "dou-dizhu",
            "Dou Dizhu (Fight the Landlord)",
            "鬥地主",
            "斗地主",
            (3, 54, "counter_clockwise", "climbing", "wallet"),
        ),
        (
            "chinese-poker",
            "Chinese Poker",
            "十三張",
            "十三张",
            (4, 52, "counter_clockwise", "arranging", "session"),
        ),
        (
            "thirteen",
            "Thirteen (13支)",
            "十三支",
            "十三支",
            (4, 52, "clockwise", "arranging", "session"),
        ),
    ],
)
def test_a_game_is_what_the_rule_book_says(
    game: str, english: str, traditional: str, simplified: str, facts: tuple[Any, ...]
):
    names = ("seats", "deck_size", "direction", "kind", "score_scope")
    for language, name in zip(LANGUAGES, (english, traditional, simplified), strict=True):
        card = read(f"games/{game}/", language).json
        assert card["name"] == name
        assert bool(CHINESE.search(card["summary"])) is (language != "en")
        assert tuple(card[fact] for fact in names) == facts
        assert card["bot_levels"] == ["easy", "normal"]


@pytest.mark.parametrize(
    ("game", "language", "part", "first", "last"),
    [
        ("big-two-tw", "zh-Hant", "patterns", ("single", "單張"), ("straight_flush", "同花順")),
        ("big-two-hk", "zh-Hans", "patterns", ("single", "单张"), ("straight_flush", "同花顺")),
        ("dou-dizhu", "en", "patterns", ("single", "Single"), ("rocket", "Rocket")),
        ("dou-dizhu", "zh-Hans", "patterns", ("single", "单张"), ("rocket", "火箭")),
        ("thirteen", "zh-Hans", "patterns", ("high_card", "高牌"), ("straight_flush", "同花顺")),
        ("thirteen", "zh-Hant", "specials", ("dragon", "一條龍"), ("dragon", "一條龍")),
        ("chinese-poker", "zh-Hans", "specials", ("dragon", "一条龙"), ("six_pairs", "六对半")),
        ("thirteen", "zh-Hant", "phases", ("cutting", "切牌"), ("settled", "結算")),
        ("big-two-hk", "zh-Hans", "phases", ("playing", "出牌"), ("settled", "结算")),
        ("big-two-hk", "zh-Hant", "move_types", ("play", "出牌"), ("answer_redeal", "回應重發")),
        ("dou-dizhu", "en", "reasons", ("bid", "Bid"), ("anti_spring", "Anti-spring")),
        ("thirteen", "zh-Hant", "reasons", ("row_front", "前墩"), ("special", "特殊牌")),
        ("chinese-poker", "zh-Hans", "reasons", ("row_front", "前道"), ("special", "特殊牌")),
    ],
)
def test_words_of_the_game_come_with_their_names(
    game: str, language: str, part: str, first: tuple[str, str], last: tuple[str, str]
):
    card = read(f"games/{game}/", language).json
    words = [(entry["word"], entry["name"]) for entry in card[part]]
    assert (words[0], words[-1]) == (first, last)
    info = VARIANTS[game].info
    assert [word for word, _ in words] == list(getattr(info, part))


def test_a_game_may_have_a_name_of_its_own_for_a_pattern():
    names = {}
    for game in ("big-two-tw", "dou-dizhu"):
        patterns = read(f"games/{game}/", "zh-Hant").json["patterns"]
        names[game] = next(entry["name"] for entry in patterns if entry["word"] == "triple")
    assert names == {"big-two-tw": "三條", "dou-dizhu": "三張"}


def test_an_unknown_game_is_a_404():
    answer = api.get("games/go-fish/")
    assert (answer.status, answer.code) == (404, "not_found")
    assert answer.json["params"] == {"game": "go-fish"}


# --- options ---


@every_page
def test_options_are_a_json_schema_that_its_own_defaults_fit(game: str, language: str):
    schema = read(f"games/{game}/", language).json["options"]
    Draft202012Validator.check_schema(schema)
    info = VARIANTS[game].info
    own = {option.name: option for option in OPTIONS if option.belongs_to(info)}
    assert set(schema["properties"]) == set(own)
    defaults = {name: part["default"] for name, part in schema["properties"].items()}
    assert defaults == {name: option.default_for(info) for name, option in own.items()}
    assert Draft202012Validator(schema).is_valid(defaults)
    assert not Draft202012Validator(schema).is_valid({**defaults, "zzz": 1})
    for part in schema["properties"].values():
        assert bool(CHINESE.search(part["description"])) is (language != "en")


@pytest.mark.parametrize(
    ("game", "option", "default"),
    [
        ("big-two-tw", "bot_delay_ms", 600),
        ("big-two-tw", "bot_level", "normal"),
        ("big-two-tw", "rounds", None),
        ("big-two-tw", "client_seed", ""),
        ("big-two-hk", "redeal_window_ms", 3000),
        ("thirteen", "turn_seconds", 45),
        ("thirteen", "extension_seconds", 20),
    ],
)
def test_defaults_are_those_of_the_contract(game: str, option: str, default: Any):
    properties = read(f"games/{game}/").json["options"]["properties"]
    assert properties[option]["default"] == default


@pytest.mark.parametrize(
    ("options", "fits"),
    [
        ({"bot_delay_ms": 0}, True),
        ({"bot_delay_ms": 5000}, True),
        ({"bot_delay_ms": 5001}, False),
        ({"bot_delay_ms": -1}, False),
        ({"bot_delay_ms": "600"}, False),
        ({"bot_delay_ms": None}, False),
        ({"bot_level": "easy"}, True),
        ({"bot_level": "genius"}, False),
        ({"rounds": None}, True),
        ({"rounds": 1}, True),
        ({"rounds": 0}, False),
        ({"client_seed": "x" * 64}, True),
        ({"client_seed": "x" * 65}, False),
        ({"redeal_window_ms": 3000}, False),
    ],
)
def test_the_schema_takes_what_a_table_takes(transactional_db: Any, options: Any, fits: bool):
    schema = read("games/big-two-tw/").json["options"]
    assert Draft202012Validator(schema).is_valid(options) is fits
    answer = Api.guest().post("sessions/", {"game": "big-two-tw", "options": options})
    assert answer.status == (201 if fits else 400), answer.bytes


# --- caching ---


@pytest.mark.parametrize("path", ["games/", "games/dou-dizhu/"])
def test_an_answer_is_cached_by_language_and_not_sent_twice(path: str):
    etags = set()
    for language in LANGUAGES:
        answer = read(path, language)
        assert answer.headers["Cache-Control"] == "public, max-age=300"
        assert "Accept-Language" in answer.headers["Vary"]
        assert "Cookie" not in answer.headers["Vary"]
        assert answer.headers["Content-Language"] == language.lower()
        etag = answer.headers["ETag"]
        etags.add(etag)
        for sent in (etag, f"W/{etag}", f'"x", {etag}', "*"):
            again = api.get(path, Accept_Language=LANGUAGES[language], If_None_Match=sent)
            assert (again.status, again.bytes) == (304, b"")
            assert again.headers["ETag"] == etag
            assert again.headers["Cache-Control"] == "public, max-age=300"
            assert "Accept-Language" in again.headers["Vary"]
    assert len(etags) == len(LANGUAGES)
    for other in etags:
        language = "zh-Hant" if other.startswith('"en') else "en"
        assert read(path, language, If_None_Match=other).json


def test_no_login_is_needed_and_a_bad_one_does_no_harm():
    assert Api("not a token").get("games/").status == 200
    assert Api("not a token").get("games/thirteen/").status == 200


# --- the pages ---


@every_page
def test_a_page_has_every_part_in_its_language(game: str, language: str):
    page = rules_of(game, language)
    name = read(f"games/{game}/", language).json["name"]
    assert page.startswith(f"# {name}\n")
    assert re.findall(r"^## (.+)$", page, re.M) == HEADINGS[language]
    assert re.findall(r"^### (.+)$", page, re.M) == [EXAMPLES[language]]
    for part in re.split(r"^## .+$", page, flags=re.M)[1:]:
        assert len(part.strip()) > 20
        assert bool(
            CHINESE.search(part.replace("桌長", "").replace("打槍", "").replace("全壘打", ""))
        ) is (language != "en")


def table_of_example(game: str, language: str) -> list[list[str]]:
    """The cells of the example's table, without its head."""
    example = rules_of(game, language).split("### ")[1]
    lines = [line for line in example.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def number(text: str) -> int:
    return int(text.replace("−", "-"))


def names(cell: str) -> list[str]:
    for suit, letter in zip("♣♦♥♠", "CDHS", strict=True):
        cell = cell.replace(suit, letter)
    return cell.replace("10", "T").split()


def settled(game: str, **finished: Any) -> list[int]:
    answer = api.post(f"games/{game}/settle/", finished)
    assert answer.status == 200, answer.bytes
    return list(answer.json["points"])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", ["big-two-tw", "big-two-hk"])
def test_the_example_of_big_two_is_right(game: str, language: str):
    rows = table_of_example(game, language)
    assert len(rows) == 4
    points = settled(game, cards_left=[number(row[1]) for row in rows])
    assert points == [number(row[2]) for row in rows]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_example_of_dou_dizhu_is_right(language: str):
    bid, bombs, plays, beans = (row[1:] for row in table_of_example("dou-dizhu", language))
    assert settled(
        "dou-dizhu",
        bid=number(bid[0]),
        bombs=number(bombs[0]),
        landlord=0,
        winner=0,
        play_counts=[number(cell) for cell in plays],
    ) == [number(cell) for cell in beans]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", ["chinese-poker", "thirteen"])
def test_the_example_of_an_arranging_game_is_right(game: str, language: str):
    rows = table_of_example(game, language)
    assert len(rows) == 4
    seats = [
        {"front": names(row[1]), "middle": names(row[2]), "back": names(row[3])} for row in rows
    ]
    for seat in seats:
        assert api.post(f"games/{game}/evaluate/", seat).json["foul"] is False
    assert settled(game, seats=seats) == [number(row[4]) for row in rows]


def test_every_language_tells_the_same_example():
    for game in VARIANTS:
        english, *chinese = (table_of_example(game, language) for language in LANGUAGES)
        for other in chinese:
            assert [row[1:] for row in english] == [row[1:] for row in other]


@pytest.mark.parametrize("path", ["games/", "games/{game}/"])
def test_the_example_of_the_document_is_true_as_far_as_it_goes(path: str):
    answers = document()["paths"][f"/api/v1/{path}"]["get"]["responses"]["200"]
    (example,) = answers["content"]["application/json"]["examples"].values()
    (shown,) = deepcopy(example["value"].get("results", [example["value"]]))
    real = read(f"games/{shown['slug']}/").json
    options = shown.pop("options")["properties"]
    assert options.items() <= real["options"]["properties"].items()
    assert real["rules"].startswith(shown.pop("rules", "").removesuffix("…"))
    assert shown.items() <= real.items()
