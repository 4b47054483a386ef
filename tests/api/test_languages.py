"""Which language an answer is in."""

from __future__ import annotations

from typing import Any

import pytest

from tests.clients import Api

BOUNDS = {
    "en": "less than or equal to",
    "zh-TW": "小於或等於",
    "zh-CN": "小于或",
}
TITLES = {"en": "Not found", "zh-hant": "找不到", "zh-hans": "找不到"}


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("en", "en"),
        ("en-GB,en;q=0.9", "en"),
        ("zh-Hant", "zh-hant"),
        ("zh-hant", "zh-hant"),
        ("zh-TW", "zh-hant"),
        ("zh-HK", "zh-hant"),
        ("zh-MO", "zh-hant"),
        ("zh-Hant-TW", "zh-hant"),
        ("zh-Hant-HK", "zh-hant"),
        ("zh", "zh-hant"),
        ("zh-TW,zh;q=0.9,en;q=0.8", "zh-hant"),
        ("fr, zh-TW;q=0.5", "zh-hant"),
        ("en;q=0.5, zh-TW;q=0.8", "zh-hant"),
        ("zh-Hans", "zh-hans"),
        ("zh-CN", "zh-hans"),
        ("zh-SG", "zh-hans"),
        ("zh-Hans-CN", "zh-hans"),
        ("zh-Hans-HK", "zh-hans"),
        ("zh-CN,zh;q=0.9,en;q=0.8", "zh-hans"),
        ("zh-TW;q=0.5, zh-CN;q=0.8", "zh-hans"),
        ("fr", "en"),
        ("*;q=0.1", "en"),
        ("*", "en"),
        ("", "en"),
        (";;,=q=%", "en"),
        ("zh" * 300, "en"),
    ],
)
def test_accept_language_decides(anonymous: Api, header: str, language: str):
    answer = anonymous.get("nothing/here/", Accept_Language=header)
    assert answer.json["title"] == TITLES[language]
    assert answer.headers["Content-Language"] == language
    assert "Accept-Language" in answer.headers["Vary"]


@pytest.mark.parametrize(
    ("call", "code", "title", "detail"),
    [
        pytest.param(("GET", "/nowhere", None), "not_found", "找不到", "這裡沒有", id="404"),
        pytest.param(
            ("PUT", "sessions/", {}), "method_not_allowed", "不支援的方法", "HTTP", id="405"
        ),
        pytest.param(
            ("POST", "sessions/", b"{"), "malformed_json", "JSON", "有效的 JSON", id="400"
        ),
        pytest.param(
            ("POST", "sessions/", b" " * 70_000), "payload_too_large", "內容過大", "65536", id="413"
        ),
        pytest.param(("POST", "sessions/", {}), "invalid_input", "輸入有誤", "欄位", id="input"),
    ],
)
def test_refusals_of_every_layer_are_chinese(
    api: Api, call: tuple[str, str, Any], code: str, title: str, detail: str
):
    answer = api.call(*call, Accept_Language="zh-TW")
    assert answer.code == code
    assert title in answer.json["title"]
    assert detail in answer.json["detail"]


def test_a_wrong_media_type_is_refused_in_chinese(api: Api):
    answer = api.post("sessions/", b"game=x", Content_Type="text/plain", Accept_Language="zh-TW")
    assert (answer.status, answer.json["title"]) == (415, "不支援的內容類型")


def test_a_server_error_is_told_in_chinese(api: Api, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("games.api.mine.own_scores", lambda **_: 1 / 0)
    answer = api.get("players/me/scores/", Accept_Language="zh-TW")
    assert (answer.status, answer.json["title"]) == (500, "伺服器內部錯誤")


@pytest.mark.parametrize(
    ("body", "field", "english", "traditional", "simplified"),
    [
        ({}, "game", "This field is required.", "此為必填欄位。", "此为必填字段。"),
        (
            {"game": "bridge"},
            "game",
            '"bridge" is not a valid choice.',
            '"bridge" 不是有效的選擇。',
            "“bridge” 不是合法选项。",
        ),
        # Types have no names here: those of Python are no words for players.
        (
            {"game": ["big-two-tw"]},
            "game",
            "This must be a text.",
            "這裡要是文字。",
            "这里要是文字。",
        ),
        (
            {"game": "big-two-tw", "seats": {}},
            "seats",
            "This must be a list.",
            "這裡要是一個清單。",
            "这里要是一个清单。",
        ),
        (
            {"game": "big-two-tw", "options": []},
            "options",
            "This must be an object with fields.",
            "這裡要是一組欄位。",
            "这里要是一组字段。",
        ),
        (
            {"game": "big-two-tw", "x": 1},
            "x",
            "This field is not known.",
            "沒有這個欄位。",
            "没有这个字段。",
        ),
        (
            {"game": "big-two-tw", "seats": []},
            "seats",
            "This game has 3 seats besides yours.",
            "除了你的座位，這個遊戲還有 3 個座位。",
            "除了你的座位，这个游戏还有 3 个座位。",
        ),
        (
            {"game": "big-two-tw", "start": "yes"},
            "start",
            "Must be a valid boolean.",
            "必須是 true 或 false。",
            "必须是 true 或 false。",
        ),
    ],
)
def test_errors_of_fields_follow_the_language(
    api: Api, body: dict[str, Any], field: str, english: str, traditional: str, simplified: str
):
    for language, detail in (("en", english), ("zh-Hant", traditional), ("zh-CN", simplified)):
        answer = api.post("sessions/", body, Accept_Language=language)
        assert [(e["field"], e["detail"]) for e in answer.json["errors"]] == [(field, detail)]


def test_a_refused_move_names_its_facts_in_chinese(api: Api):
    table = api.open_table(start=False)
    body = {"type": "play", "cards": ["D3"]}
    answer = table.post("moves/", body, Accept_Language="zh-TW")
    assert answer.code == "unknown_card"
    assert answer.json["detail"].startswith("D3 不是這個遊戲的牌")


@pytest.mark.parametrize(
    ("path", "body"),
    [("state/wait/?since=0&timeout=31", None), ("moves/preview/", {"type": "bid", "bid": 9})],
)
def test_the_language_is_that_of_each_request_and_not_of_the_first(
    api: Api, path: str, body: dict[str, Any] | None
):
    table = api.open_table(start=False)
    for language in ("en", "zh-TW", "zh-CN", "en", "zh-TW"):
        answer = table.api.call(
            "POST" if body else "GET", table.path(path), body, Accept_Language=language
        )
        assert BOUNDS[language] in answer.json["errors"][0]["detail"]
