"""Unknown addresses, other methods, nobody's tokens, sessions of others, ids of requests."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.api.refusals.answers import NOWHERE, everything, refused
from tests.clients import Api

# --- addresses and methods ---


@pytest.mark.parametrize(
    "path",
    ["/x", "/api", "/api/v1", "/api/v1/", "/api/v1/sessions", "sessions/not-a-uuid/", "/x/y.html"],
)
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_an_unknown_address_is_a_404(api: Api, method: str, path: str):
    refused(api.call(method, path, Accept="text/html"), 404, "not_found")


def test_the_bare_address_leads_to_the_documents(api: Api):
    response = api.client.get("/")
    assert (response.status_code, response["Location"]) == (302, "/api/docs/")


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PUT", "sessions/", "GET, POST"),
        ("DELETE", "sessions/", "GET, POST"),
        ("GET", "players/guest/", "POST"),
        ("TRACE", "players/me/", "GET, PATCH, DELETE"),
        ("POST", "/healthz", "GET, HEAD"),
        ("POST", "/api/schema/", "GET, HEAD"),
        ("POST", "/api/docs/", "GET"),
        ("POST", "/", "GET, HEAD"),
    ],
)
def test_another_method_is_a_405_that_names_the_right_ones(
    api: Api, method: str, path: str, allowed: str
):
    answer = api.call(method, path)
    refused(answer, 405, "method_not_allowed")
    named = set(answer.headers["Allow"].split(", ")) - {"HEAD", "OPTIONS"}
    assert named == set(allowed.split(", ")) - {"HEAD"}


def test_a_405_after_an_idempotency_key_names_the_right_methods_both_times(api: Api):
    path = f"sessions/{NOWHERE}/state/"
    for _ in range(2):
        answer = api.post(path, {}, Idempotency_Key="k")
        refused(answer, 405, "method_not_allowed")
        assert "GET" in answer.headers["Allow"]


def test_a_trailing_slash_is_not_redirected(api: Api):
    refused(api.post("sessions", {"game": "big-two-tw"}), 404, "not_found")


# --- who asks ---


@pytest.mark.parametrize(
    "header",
    [
        None,
        "",
        "Bearer",
        "Bearer x",
        "Bearer x y",
        "Token x",
        "Basic eDp5",
        "Bearer \u00e9\u00e9",
        "Bearer " + "0" * 64,
    ],
)
def test_without_a_valid_token_it_is_a_401_with_a_challenge(
    anonymous: Api, stranger: Api, header: str | None
):
    before = everything()
    headers = {} if header is None else {"Authorization": header}
    answer = anonymous.post("sessions/", {"game": "big-two-tw"}, **headers)
    refused(answer, 401, "not_authenticated")
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    assert everything() == before


def test_a_token_in_the_query_is_worth_nothing(api: Api, anonymous: Api):
    for name in ("access_token", "token", "authorization"):
        answer = anonymous.get(f"players/me/?{name}={api.token}")
        refused(answer, 401, "not_authenticated")


@pytest.mark.parametrize(
    ("method", "rest", "body"),
    [
        ("GET", "", None),
        ("GET", "state/", None),
        ("GET", "moves/", None),
        ("POST", "moves/", {"type": "pass"}),
        ("POST", "moves/preview/", {"type": "pass"}),
        ("GET", "legal-plays/", None),
        ("GET", "rounds/", None),
        ("GET", "rounds/1/", None),
        ("POST", "rounds/", {}),
        ("POST", "start/", {}),
        ("POST", "finish/", None),
    ],
)
def test_a_private_session_of_others_is_like_one_that_does_not_exist(
    api: Api, stranger: Api, method: str, rest: str, body: Any
):
    table = api.open_table()
    before = everything()
    theirs = stranger.call(method, table.path(rest), body)
    nobodys = stranger.call(method, f"sessions/{NOWHERE}/{rest}", body)
    told = refused(theirs, 404, "not_found")
    assert {**told, "request_id": ""} == {
        **refused(nobodys, 404, "not_found"),
        "request_id": "",
    }
    assert everything() == before


@pytest.mark.django_db(transaction=True)
def test_nobody_waits_for_a_private_session_of_others():
    table = Api.guest().open_table()
    for session_id in (table.id, NOWHERE):
        answer = Api.guest().get(f"sessions/{session_id}/state/wait/?since=99")
        refused(answer, 404, "not_found")


# --- the id of the request ---


@pytest.mark.parametrize("sent", ["abcdefgh", "A1._-A1._-", "x" * 64])
def test_a_request_id_is_taken_over(anonymous: Api, sent: str):
    answer = anonymous.get("players/me/", X_Request_ID=sent)
    assert answer.headers["X-Request-ID"] == answer.json["request_id"] == sent


@pytest.mark.parametrize(
    "sent", ["short", "x" * 65, "a b c d e f", "<script>alert", "abcdefgh\u00e9"]
)
def test_a_bad_request_id_is_replaced(anonymous: Api, sent: str):
    answer = anonymous.get("players/me/", X_Request_ID=sent)
    assert re.fullmatch("[0-9a-f]{32}", answer.headers["X-Request-ID"])
    assert answer.json["request_id"] == answer.headers["X-Request-ID"]
