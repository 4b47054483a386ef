"""The table of error codes for clients, and the one in the guide."""

from __future__ import annotations

import re

import pytest

from config.management.commands.write_guide import BEGIN, END, GUIDE, guide_with_codes
from config.problems import PROBLEMS
from tests.clients import Api
from tests.openapi import document

PATH = "meta/error-codes/"
CHINESE = re.compile("[\u4e00-\u9fff]")
LANGUAGES = {"en": "en", "zh-TW": "zh-Hant", "zh-CN": "zh-Hans"}

# Without a database: the table needs none.
api = Api()


@pytest.mark.parametrize("asked", LANGUAGES)
def test_the_table_has_every_code_with_its_texts(asked: str):
    answer = api.get(PATH, Accept_Language=asked)
    assert answer.status == 200
    entries = answer.json["results"]
    assert [entry["code"] for entry in entries] == sorted(PROBLEMS)
    for entry in entries:
        assert entry["status"] == PROBLEMS[entry["code"]].status
        for text in (entry["title"], entry["detail"]):
            assert bool(CHINESE.search(text)) is (asked != "en")
            assert "%(" not in text
        assert set(re.findall(r"\{(\w+)\}", entry["detail"])) == set(entry["facts"])


@pytest.mark.parametrize(
    ("asked", "code", "status", "title", "detail", "facts"),
    [
        ("en", "not_found", 404, "Not found", "There is nothing here for you.", []),
        (
            "en",
            "stale_turn",
            409,
            "Decision already closed",
            "The move was for turn {turn}; the open turn is {open_turn}.",
            ["open_turn", "turn"],
        ),
        ("zh-HK", "must_include_card", 422, "缺少首出的牌", "第一手必須包含 {card}。", ["card"]),
        ("zh-SG", "must_include_card", 422, "缺少首出的牌", "第一手必须包含 {card}。", ["card"]),
    ],
)
def test_an_entry(asked: str, code: str, status: int, title: str, detail: str, facts: list[str]):
    entries = api.get(PATH, Accept_Language=asked).json["results"]
    entry = next(entry for entry in entries if entry["code"] == code)
    assert entry == {
        "code": code,
        "status": status,
        "title": title,
        "detail": detail,
        "facts": facts,
    }


def test_it_is_cached_by_language_and_not_sent_twice():
    etags = set()
    for asked, language in LANGUAGES.items():
        answer = api.get(PATH, Accept_Language=asked)
        etag = answer.headers["ETag"]
        etags.add(etag)
        again = api.get(PATH, Accept_Language=asked, If_None_Match=etag)
        assert (again.status, again.bytes) == (304, b"")
        for one in (answer, again):
            assert one.headers["Cache-Control"] == "public, max-age=300"
            assert "Accept-Language" in one.headers["Vary"]
        assert answer.headers["Content-Language"] == language.lower()
    assert len(etags) == len(LANGUAGES)


def test_no_login_is_needed_and_a_bad_one_does_no_harm():
    assert Api("not a token").get(PATH).status == 200


def test_the_example_of_the_document_is_true_as_far_as_it_goes():
    answers = document()["paths"]["/api/v1/meta/error-codes/"]["get"]["responses"]["200"]
    (example,) = answers["content"]["application/json"]["examples"].values()
    (shown,) = example["value"]["results"]
    assert shown in api.get(PATH).json["results"]


def test_the_table_in_the_guide_is_that_of_the_code():
    """After a change: manage.py write_guide"""
    guide = GUIDE.read_text(encoding="utf-8")
    assert guide_with_codes(guide) == guide
    table = guide.partition(BEGIN)[2].partition(END)[0]
    assert set(re.findall(r"^\| (\d+) \| `(\w+)` \|", table, re.M)) == {
        (str(kind.status), code) for code, kind in PROBLEMS.items()
    }


def test_a_guide_without_the_marks_is_refused():
    with pytest.raises(ValueError, match="has lost the marks"):
        guide_with_codes("# A guide")
