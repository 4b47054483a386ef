"""Bodies and queries that are none: a clear error by field, and nothing changed."""

from __future__ import annotations

import base64
import json
import re
from typing import Any

import pytest

from tests.api.refusals.answers import everything, refused
from tests.clients import Answer, Api
from tests.openapi import document


@pytest.fixture
def api(db: Any) -> Api:
    """On one transaction: what is refused leaves nothing to commit."""
    return Api.guest()


# --- bodies ---

WITH_BODIES = [
    ("POST", "sessions/"),
    ("POST", "moves/"),
    ("POST", "moves/preview/"),
    ("POST", "rounds/"),
    ("POST", "start/"),
    ("POST", "players/me/claim/"),
    ("PATCH", "players/me/"),
    ("POST", "players/guest/"),
    ("POST", "players/register/"),
    ("POST", "auth/login/"),
]


def send(api: Api, method: str, path: str, body: Any, **headers: str) -> Answer:
    if path in ("moves/", "moves/preview/", "rounds/", "start/"):
        path = api.open_table(start=False).path(path)
    before = everything()
    answer = api.call(method, path, body, **headers)
    assert everything() == before
    return answer


PARAMETERS = {
    path: methods["get"].get("parameters", ())
    for path, methods in document()["paths"].items()
    if "get" in methods
}


@pytest.mark.parametrize(
    "path",
    [path for path, taken in PARAMETERS.items() if any(one["in"] == "query" for one in taken)],
)
def test_no_word_of_a_query_is_passed_over(api: Api, path: str):
    table = api.open_table()
    answer = api.get(path.format(session_id=table.id, game="big-two-tw") + "?zzz=1")
    assert (answer.status, answer.code) == (400, "invalid_input")
    assert [(e["field"], e["code"]) for e in answer.json["errors"]] == [("zzz", "unknown_field")]


@pytest.mark.parametrize(("method", "path"), WITH_BODIES)
@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        pytest.param(b'{"game": ', 400, "malformed_json", id="cut off"),
        pytest.param(b"\xff\xfe", 400, "malformed_json", id="not UTF-8"),
        pytest.param(b"{'game': 1}", 400, "malformed_json", id="single quotes"),
        pytest.param(b'{"bid": NaN}', 400, "malformed_json", id="NaN"),
        pytest.param(b"[" * 50_000, 400, "malformed_json", id="deep"),
        pytest.param(b'{"a":' * 9_000 + b"1" + b"}" * 9_000, 400, None, id="deep objects"),
        pytest.param(b'{"turn": ' + b"9" * 5_000 + b"}", 400, "malformed_json", id="huge number"),
        pytest.param(b'{"type": "\\ud800"}', 400, "malformed_json", id="half a surrogate pair"),
        pytest.param(b"[]", 400, "invalid_input", id="a list"),
        pytest.param(b'"x"', 400, "invalid_input", id="a text"),
        pytest.param(b"7", 400, "invalid_input", id="a number"),
        pytest.param(b"null", 400, "invalid_input", id="null"),
        pytest.param(b'{"zzz": 1}', 400, "invalid_input", id="an unknown field"),
        pytest.param(b'{"zzz": "' + b"x" * 1_000_000 + b'"}', 413, "payload_too_large", id="1 MB"),
    ],
)
def test_a_body_that_is_none_is_refused_as_a_whole(
    api: Api, method: str, path: str, body: bytes, status: int, code: str | None
):
    answer = send(api, method, path, body)
    refused(answer, status, code or answer.code)


@pytest.mark.parametrize(("method", "path"), WITH_BODIES)
@pytest.mark.parametrize("media_type", ["text/plain", "application/x-www-form-urlencoded", "x"])
def test_another_media_type_is_a_415(api: Api, method: str, path: str, media_type: str):
    answer = send(api, method, path, b"{}", Content_Type=media_type)
    refused(answer, 415, "unsupported_media_type")


CARDS: list[Any] = [5, "3C", {"0": "3C"}, [3], [None], [["3C"]], ["3C"] * 21, ["x" * 21]]
WHOLE: list[Any] = ["1", 1.5, True, [1], {}, 10**30, -(10**30)]
TRUTH: list[Any] = ["true", 1, [True], {}]
TEXT: list[Any] = [1, True, ["x"], {}, "a\u0000b"]
CHOICE: list[Any] = [1, True, ["x"], {}, "", "zzz", "a\u0000b"]
WRONG_TYPES: list[tuple[str, str, dict[str, Any], str, list[Any]]] = [
    ("POST", "sessions/", {}, "game", CHOICE),
    ("POST", "sessions/", {"game": "big-two-tw"}, "options", [1, "x", []]),
    ("POST", "sessions/", {"game": "big-two-tw"}, "seats", [1, "x", {}, [1], [None], ["bot"]]),
    ("POST", "sessions/", {"game": "big-two-tw"}, "start", TRUTH),
    ("POST", "sessions/", {"game": "big-two-tw"}, "visibility", CHOICE),
    ("POST", "start/", {}, "client_seed", [*TEXT, "x" * 65]),
    ("POST", "rounds/", {}, "client_seed", [*TEXT, "x" * 65]),
    ("POST", "moves/", {}, "type", CHOICE),
    ("POST", "moves/", {"type": "pass"}, "turn", [*WHOLE, -1]),
    ("POST", "moves/", {"type": "play"}, "cards", CARDS),
    ("POST", "moves/", {"type": "play", "cards": ["3C"]}, "pattern", [*TEXT, "x" * 31]),
    ("POST", "moves/", {"type": "bid"}, "bid", [*WHOLE, -1, 4]),
    ("POST", "moves/", {"type": "answer_redeal"}, "accept", TRUTH),
    ("POST", "moves/", {"type": "cut"}, "position", WHOLE),
    ("POST", "moves/", {"type": "arrange"}, "front", CARDS),
    ("POST", "moves/", {"type": "arrange"}, "middle", CARDS),
    ("POST", "moves/", {"type": "arrange"}, "back", CARDS),
    ("POST", "moves/", {"type": "arrange"}, "accept_foul", TRUTH),
    ("PATCH", "players/me/", {}, "display_name", TEXT),
    ("PATCH", "players/me/", {}, "language", CHOICE),
    ("POST", "players/guest/", {}, "device_secret", [*TEXT, "x" * 31]),
    ("POST", "players/register/", {"password": "seven dragons"}, "username", TEXT),
    ("POST", "players/me/claim/", {"username": "mei_lin"}, "password", TEXT),
    ("POST", "auth/login/", {"username": "mei_lin"}, "password", TEXT),
]


@pytest.mark.parametrize(
    ("method", "path", "rest", "field", "value"),
    [
        pytest.param(method, path, rest, field, value, id=f"{path}{field}={str(value)[:20]!r}")
        for method, path, rest, field, values in WRONG_TYPES
        for value in values
    ],
)
def test_a_field_of_the_wrong_type_is_named(
    api: Api, method: str, path: str, rest: dict[str, Any], field: str, value: Any
):
    body = refused(send(api, method, path, {**rest, field: value}), 400, "invalid_input")
    assert field in {error["field"].split(".")[0] for error in body["errors"]}
    assert all(re.fullmatch("[a-z_]+", error["code"]) for error in body["errors"])


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"zzz": 1}, "options.zzz"),
        ({"rounds": 0}, "options.rounds"),
        ({"rounds": "1"}, "options.rounds"),
        ({"rounds": 1e400}, "options.rounds"),
        ({"bot_delay_ms": 5001}, "options.bot_delay_ms"),
        ({"bot_delay_ms": True}, "options.bot_delay_ms"),
        ({"bot_level": "genius"}, "options.bot_level"),
        ({"client_seed": "x" * 65}, "options.client_seed"),
    ],
)
def test_a_wrong_option_is_named_by_its_path(api: Api, options: dict[str, Any], field: str):
    text = json.dumps({"game": "big-two-tw", "options": options}).replace("Infinity", "1e400")
    body = refused(send(api, "POST", "sessions/", text.encode()), 400, "invalid_input")
    assert [error["field"] for error in body["errors"]] == [field]


def test_a_wrong_seat_is_named_by_its_path(api: Api):
    seats = [{"kind": "bot"}, {"kind": "bot", "level": "genius"}, {"kind": "bot", "x": 1}]
    answer = send(api, "POST", "sessions/", {"game": "big-two-tw", "seats": seats})
    body = refused(answer, 400, "invalid_input")
    assert [error["field"] for error in body["errors"]] == ["seats.1.level", "seats.2.x"]


# --- queries ---


def cursor(text: str) -> str:
    """One that nobody was given."""
    return base64.b64encode(text.encode()).decode()


@pytest.mark.parametrize(
    "path",
    [
        *("sessions/", "players/me/ledger/", "players/me/devices/", "players/me/rounds/"),
        *("rounds/", "leaderboards/dou-dizhu/"),
    ],
)
@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("limit=x", "limit"),
        ("limit=", "limit"),
        ("cursor=", "cursor"),
        ("cursor=%ff", "cursor"),
        ("cursor=%00", "cursor"),
        ("cursor=zzz", "cursor"),
        ("cursor=..", "cursor"),
        pytest.param(f"cursor={'A' * 5000}", "cursor", id="5000 letters"),
        (f"cursor={cursor('p=2026-03-01')}", "cursor"),
        (f"cursor={cursor('p=zzz')}", "cursor"),
        (f"cursor={cursor('p=2026-13-45')}", "cursor"),
        (f"cursor={cursor('p=%00')}", "cursor"),
        (f"cursor={cursor('o=-1')}", "cursor"),
        (f"cursor={cursor('o=x')}", "cursor"),
    ],
)
def test_a_wrong_page_is_refused_by_its_field(api: Api, path: str, query: str, field: str):
    path = api.open_table().path(path) if path == "rounds/" else path
    body = refused(api.get(f"{path}?{query}"), 400, "invalid_input")
    assert [error["field"] for error in body["errors"]] == [field]


@pytest.mark.parametrize("number", ["0", "99", "2147483648", "9" * 30])
def test_a_round_that_is_not_there_is_a_404(api: Api, number: str):
    refused(api.open_table().get(f"rounds/{number}/"), 404, "not_found")


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("game=zzz", "game"),
        ("game=%00", "game"),
        ("status=open", "status"),
        ("since=yesterday", "since"),
        ("until=0001-01-01T00:00:00%2B23:59", "until"),
        ("zzz=1", "zzz"),
    ],
)
def test_a_wrong_filter_is_refused_by_its_field(api: Api, query: str, field: str):
    body = refused(api.get(f"sessions/?{query}"), 400, "invalid_input")
    assert [error["field"] for error in body["errors"]] == [field]


@pytest.mark.parametrize("path", ["players/me/devices/", "players/me/ledger/"])
def test_a_list_without_filters_takes_none(api: Api, path: str):
    refused(api.get(f"{path}?limit=5&since=2026"), 400, "invalid_input")
    assert api.get(f"{path}?limit=5").status == 200
