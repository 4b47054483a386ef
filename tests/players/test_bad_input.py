"""What a client may not send, on every call that takes a body."""

from __future__ import annotations

import json

import pytest

from tests.factories import PASSWORD, PlayerFactory, client_of
from tests.players.rows import nothing_changes

pytestmark = pytest.mark.django_db
GUEST = ("post", "/api/v1/players/guest/")
REGISTER = ("post", "/api/v1/players/register/")
LOGIN = ("post", "/api/v1/auth/login/")
CLAIM = ("post", "/api/v1/players/me/claim/")
UPDATE = ("patch", "/api/v1/players/me/")
WHO = {"username": "mei_lin", "password": PASSWORD}


@pytest.mark.parametrize(
    ("call", "body", "field", "code"),
    [
        pytest.param(GUEST, {"name": "x"}, "name", "unknown_field", id="guest: unknown"),
        pytest.param(REGISTER, WHO | {"is_staff": True}, "is_staff", "unknown_field", id="staff"),
        pytest.param(LOGIN, WHO | {"x": 1}, "x", "unknown_field", id="login: unknown"),
        pytest.param(UPDATE, {"username": "x"}, "username", "unknown_field", id="me: username"),
        pytest.param(UPDATE, {"is_guest": False}, "is_guest", "unknown_field", id="me: is_guest"),
        pytest.param(GUEST, {"display_name": 5}, "display_name", "invalid", id="number"),
        pytest.param(GUEST, {"display_name": True}, "display_name", "invalid", id="boolean"),
        pytest.param(GUEST, {"display_name": ["x"]}, "display_name", "invalid", id="list"),
        pytest.param(GUEST, {"display_name": None}, "display_name", "null", id="null"),
        pytest.param(GUEST, {"display_name": ""}, "display_name", "blank", id="empty"),
        pytest.param(GUEST, {"display_name": "  "}, "display_name", "blank", id="spaces"),
        pytest.param(UPDATE, {"display_name": "\u200b"}, "display_name", "invisible", id="unseen"),
        pytest.param(GUEST, {"display_name": "x" * 31}, "display_name", "max_length", id="31"),
        pytest.param(
            UPDATE, {"display_name": "a\nb"}, "display_name", "control_characters", id="newline"
        ),
        pytest.param(
            UPDATE, {"display_name": "a\u202eb"}, "display_name", "control_characters", id="bidi"
        ),
        pytest.param(GUEST, {"language": "zh"}, "language", "invalid_choice", id="language"),
        pytest.param(GUEST, {"language": ["en"]}, "language", "invalid_choice", id="languages"),
        pytest.param(UPDATE, {"language": "zh-hant"}, "language", "invalid_choice", id="case"),
        pytest.param(GUEST, {"device_secret": "x" * 31}, "device_secret", "min_length", id="31s"),
        pytest.param(GUEST, {"device_secret": "x" * 129}, "device_secret", "max_length", id="129"),
        pytest.param(REGISTER, WHO | {"username": "me"}, "username", "min_length", id="2"),
        pytest.param(REGISTER, WHO | {"username": "m" * 31}, "username", "max_length", id="31u"),
        pytest.param(REGISTER, WHO | {"username": "mei lin"}, "username", "invalid", id="space"),
        pytest.param(CLAIM, WHO | {"username": "mei\u202e"}, "username", "invalid", id="u bidi"),
        pytest.param(CLAIM, WHO | {"password": 12345678}, "password", "invalid", id="p number"),
        pytest.param(CLAIM, {"username": "mei_lin"}, "password", "required", id="no password"),
        pytest.param(LOGIN, {}, "username", "required", id="nothing"),
        pytest.param(LOGIN, WHO | {"password": "x" * 129}, "password", "max_length", id="p 129"),
    ],
)
def test_refused_by_field(call, body, field, code):
    client = client_of(PlayerFactory())
    with nothing_changes():
        answer = getattr(client, call[0])(call[1], body, format="json")
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_input")
    assert (field, code) in {(e["field"], e["code"]) for e in answer.json()["errors"]}


@pytest.mark.parametrize("call", [GUEST, REGISTER, LOGIN, CLAIM, UPDATE])
@pytest.mark.parametrize(
    ("text", "status"),
    [
        pytest.param('{"display_name": "a\\u0000b", "username": "a\\u0000b"}', 400, id="NUL"),
        pytest.param('{"username": "\\ud800", "display_name": "\\ud800"}', 400, id="surrogate"),
        pytest.param('{"\\udfff": 1}', 400, id="surrogate as a field"),
        pytest.param('{"language": "\\ud800"}', 400, id="surrogate as a choice"),
        pytest.param('{"device_secret": "' + "\\ud800" * 40 + '"}', 400, id="surrogate secret"),
        pytest.param('{"username": ', 400, id="cut off"),
        pytest.param("[]", 400, id="a list"),
        pytest.param('"x"', 400, id="a string"),
        pytest.param("null", 400, id="null"),
        pytest.param('{"username": NaN}', 400, id="NaN"),
        pytest.param("[" * 50_000, 400, id="deep"),
        pytest.param('{"display_name": "' + "x" * 1_000_000 + '"}', 413, id="1 MB"),
    ],
)
def test_refused_as_a_whole(call, text, status):
    client = client_of(PlayerFactory())
    with nothing_changes():
        answer = getattr(client, call[0])(call[1], text, content_type="application/json")
    assert answer.status_code == status
    assert answer["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("call", [GUEST, REGISTER, LOGIN, CLAIM, UPDATE])
def test_forms_are_an_unsupported_media_type(call):
    client = client_of(PlayerFactory())
    with nothing_changes():
        answer = getattr(client, call[0])(
            call[1], "username=mei", content_type="application/x-www-form-urlencoded"
        )
    assert (answer.status_code, answer.json()["code"]) == (415, "unsupported_media_type")


@pytest.mark.parametrize("name", ["訪客 1", "Ünïcödé", "👨‍👩‍👧 family", "a" * 30, "O'Neil <b>"])
def test_names_that_are_fine(client, name):
    answer = client.post(
        GUEST[1], json.dumps({"display_name": name}), content_type="application/json"
    )
    assert answer.status_code == 201
    assert answer.json()["player"]["display_name"] == name
