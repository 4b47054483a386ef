"""Bodies and addresses in other spellings than the usual one."""

from __future__ import annotations

from typing import Any

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
