"""Bodies and addresses in other spellings than the usual one."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pytest

from games.models import Session
from tests.clients import Api, Table

JSON = "application/json"


@pytest.mark.parametrize(
    ("charset", "body"),
    [
        ("utf-7", b'{"game":"+2AA-"}'),
        ("utf-16", '{"game":"big-two-tw"}'.encode("utf-16")),
        ("utf-16", '{"game":"\ud800"}'.encode("utf-16", "surrogatepass")),
        *((name, b'{"game":"big-two-tw"}') for name in ("hex", "rot13", "idna", "nope", "latin-1")),
    ],
)
def test_a_body_in_another_charset_than_utf_8_is_refused(api: Api, charset: str, body: bytes):
    refused = api.post("sessions/", body, Content_Type=f"{JSON}; charset={charset}")
    assert (refused.status, refused.code) == (415, "unsupported_media_type")
    assert not Session.objects.exists()


@pytest.mark.parametrize("charset", ["utf-8", "UTF-8", "utf8", '"utf-8"'])
def test_utf_8_may_be_said(api: Api, charset: str):
    body = b'{"game": "big-two-tw"}'
    assert api.post("sessions/", body, Content_Type=f"{JSON}; charset={charset}").status == 201


@pytest.mark.parametrize(
    "body",
    [
        b'{"game": "big-two-tw", "game": "thirteen"}',
        b'{"game": "big-two-tw", "options": {"turn_seconds": 0, "turn_seconds": 30}}',
    ],
    ids=["in the body", "in an object of it"],
)
def test_a_field_that_is_named_twice_is_refused(api: Api, body: bytes):
    refused = api.post("sessions/", body)
    assert (refused.status, refused.code) == (400, "malformed_json")
    assert not Session.objects.exists()


def test_an_id_may_be_written_in_upper_case(api: Api):
    table = api.open_table(game="big-two-tw")
    shouted = Table(api, table.id.upper())
    assert shouted.id != table.id
    assert shouted.get().json["id"] == table.id
    assert shouted.state() == table.state()
    own: Any = api.player["id"]
    assert api.get(f"players/{own.upper()}/").json["id"] == own


@pytest.mark.parametrize("media_type", ["*/*", "application/*", "text/json", "application/jsonp"])
def test_json_is_said_to_be_json(api: Api, media_type: str):
    refused = api.post("sessions/", b'{"game": "big-two-tw"}', Content_Type=media_type)
    assert (refused.status, refused.code) == (415, "unsupported_media_type")


# --- queries ---

NO_TIMES = [
    *("2026-01-01", "2026-01-01T00:00:00", "٢026-01-01T00:00:00Z", "2026-W01-1T00:00:00Z"),
    *("20260101T000000Z", "2026-1-1T0:0:0Z", "2026-01-01T00:00Z", "2026-01-01T00:00:00,5Z"),
    *("2026-01-01T00:00:00+0800", "2026-01-01 00:00:00Z", "2026-13-01T00:00:00Z"),
]
NO_NUMBERS = ["+1", " 1", "1.0", "1_0", "01", "-0", "１", "1e0", "0x1", ""]


@pytest.mark.parametrize("path", ["sessions/", "players/me/rounds/"])
def test_a_time_is_written_as_the_document_says(api: Api, path: str):
    for sent in NO_TIMES:
        refused = api.get(f"{path}?{urlencode({'since': sent})}")
        assert (refused.status, refused.json["errors"][0]["field"]) == (400, "since"), sent
    for sent in ("2026-01-01t00:00:00z", "2026-01-01T00:00:00.25+08:00"):
        assert api.get(f"{path}?{urlencode({'since': sent})}").status == 200, sent


@pytest.mark.parametrize(("path", "name"), [("state/wait/", "since"), ("moves/", "after")])
def test_a_number_is_written_as_json_writes_it(api: Api, path: str, name: str):
    table = api.open_table(start=False)
    for sent in NO_NUMBERS:
        refused = table.get(f"{path}?{urlencode({name: sent})}")
        assert (refused.status, refused.json["errors"][0]["field"]) == (400, name), sent


@pytest.mark.parametrize(
    "path",
    ["sessions/?game=thirteen&game=thirteen", "sessions/?limit=5&limit=6"],
)
def test_what_is_asked_for_twice_is_refused(api: Api, path: str):
    refused = api.get(path)
    assert (refused.status, refused.code) == (400, "invalid_input")
    assert [error["code"] for error in refused.json["errors"]] == ["repeated"]
