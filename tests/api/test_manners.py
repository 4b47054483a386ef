"""What every answer says to browsers, caches and proxies, and HEAD and OPTIONS everywhere."""

from __future__ import annotations

import gzip
import json
from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.urls import path as address
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from rest_framework.response import Response
from rest_framework.views import APIView

from contract.deprecation import deprecated
from contract.schema import problems
from tests.clients import Api, Table
from tests.once import once
from tests.openapi import document

ORIGIN = "https://cards.example"
# Everything else belongs to one player, or passes with the moment.
PRIVATE = ("private, no-store", False)
CACHING = {
    "list_games": ("public, max-age=300", True),
    "get_game": ("public, max-age=300", True),
    "list_error_codes": ("public, max-age=300", True),
    "get_state": ("private, no-cache", True),
    "wait_for_state": ("private, no-store", True),
    "stream_events": ("no-store, no-transform", False),
}
BESIDE_THE_API = {
    "/api/schema/": ("public, max-age=300", True),
    "/api/docs/": PRIVATE,
    "/api/redoc/": PRIVATE,
    "/healthz": PRIVATE,
    "/readyz": PRIVATE,
    "/": PRIVATE,
}


def gets() -> dict[str, str]:
    """The path of every GET of the document, by operation; the sandbox is off here."""
    return {
        methods["get"]["operationId"]: path
        for path, methods in document()["paths"].items()
        if "get" in methods and "/sandbox/" not in path
    }


def real(path: str, table: Table | None = None) -> str:
    """The path with ids that there are, if a table is given, and the query that it needs."""
    values = {
        "{session_id}": table.id if table else "0" * 8 + "-0000-4000-8000-" + "0" * 12,
        "{number}": "1",
        "{game}": "dou-dizhu",
        "{id}": table.api.player["id"] if table else "0" * 8 + "-0000-4000-8000-" + "0" * 12,
    }
    for name, value in values.items():
        path = path.replace(name, value)
    return path + ("?since=0" if path.endswith("/wait/") else "")


def second_round() -> Table:
    """A table with a settled round and another one begun."""
    table = Api.guest().open_table(game="big-two-tw")
    table.play_round()
    assert table.post("rounds/").status == 201
    table.bots_play()
    return table


@pytest.fixture
def played(transactional_db: Any) -> Table:
    return once(second_round)


def test_every_get_says_who_may_keep_it_and_how_to_ask_again(played: Table):
    assert set(CACHING) <= set(gets())
    for name, path in gets().items():
        answer = played.api.get(real(path, played))
        assert answer.status == 200, name
        caching, tagged = CACHING.get(name, PRIVATE)
        assert answer.headers["Cache-Control"] == caching, name
        assert ("ETag" in answer.headers) is tagged, name
        varies = answer.headers["Vary"].lower().split(", ")
        assert "accept-language" in varies, name
        assert "cookie" not in varies, name
        assert ("authorization" in varies) is ("public" not in caching), name
        if tagged and name != "wait_for_state":
            again = played.api.get(real(path, played), If_None_Match=answer.headers["ETag"])
            assert (again.status, again.bytes) == (304, b""), name
            assert again.headers["ETag"] == answer.headers["ETag"]
            assert again.headers["Cache-Control"] == caching
            assert played.api.get(real(path, played), If_None_Match="*").status == 304, name


@pytest.mark.parametrize("path", ["games/", "games/thirteen/", "meta/error-codes/", "/api/schema/"])
@pytest.mark.parametrize(
    "condition",
    [
        {"If_Match": '"x"'},
        {"If_Unmodified_Since": "Sat, 01 Jan 2000 00:00:00 GMT"},
        {"If_None_Match": 'nonsense, "x"'},
    ],
    ids=lambda condition: next(iter(condition)),
)
def test_a_condition_that_is_of_no_use_here_is_passed_over(path: str, condition: dict[str, str]):
    assert Api().get(path, **condition).status == 200


@pytest.mark.parametrize("cookie", ["django_language=zh-hant", "zh-hant", ";=zh-hant", "=zh-hant"])
def test_no_cookie_changes_what_a_cache_keeps_for_everybody(cookie: str):
    answer = Api().get("games/big-two-tw/", Cookie=cookie, Accept_Language="en")
    assert answer.headers["Content-Language"] == "en"
    assert answer.json["name"] == "Big Two (Taiwan)"


@pytest.mark.parametrize("path", BESIDE_THE_API)
@pytest.mark.django_db
def test_so_does_what_is_beside_the_api(path: str):
    caching, tagged = BESIDE_THE_API[path]
    answer = Client().get(path)
    assert answer["Cache-Control"] == caching
    assert ("ETag" in answer) is tagged
    if tagged:
        assert Client().get(path, headers={"If-None-Match": answer["ETag"]}).status_code == 304


def test_a_refusal_is_never_kept(anonymous: Api):
    for path in ("games/no-game/", "players/me/", "nowhere/"):
        answer = anonymous.get(path)
        assert answer.status in (401, 404)
        assert answer.headers["Cache-Control"] == "private, no-store"


# --- HEAD and OPTIONS ---


def test_head_is_a_get_without_its_body(played: Table):
    for name, path in gets().items():
        get, head = (played.api.call(method, real(path, played)) for method in ("GET", "HEAD"))
        assert (head.status, head.bytes) == (200, b""), name
        passing = ("X-Request-ID", "Content-Length")
        told = [
            {header: value for header, value in answer.headers.items() if header not in passing}
            for answer in (get, head)
        ]
        assert told[0] == told[1], name


@pytest.mark.parametrize("path", [path for path in document()["paths"] if "/sandbox/" not in path])
def test_options_names_the_methods_to_anybody(path: str):
    answer = Client().options(real(path))
    assert (answer.status_code, answer.content) == (204, b"")
    methods = {method.upper() for method in document()["paths"][path]}
    head = {"HEAD"} if "GET" in methods else set()
    assert set(answer["Allow"].split(", ")) == methods | head | {"OPTIONS"}


@pytest.mark.parametrize("path", BESIDE_THE_API)
def test_options_is_answered_beside_the_api(path: str):
    answer = Client().options(path)
    assert (answer.status_code, answer["Allow"]) == (204, "GET, HEAD, OPTIONS")


def test_options_of_an_unknown_address_is_a_404():
    assert Client().options("/api/v1/nowhere/").status_code == 404


# --- CORS ---


@pytest.fixture
def allowed_origin(settings: Any) -> None:
    settings.CORS_ALLOWED_ORIGINS = [ORIGIN]


def preflight(path: str, origin: str, method: str, headers: str = "") -> Any:
    return Client().options(
        path,
        headers={
            "Origin": origin,
            "Access-Control-Request-Method": method,
            "Access-Control-Request-Headers": headers,
        },
    )


@pytest.mark.parametrize(
    "sent",
    [
        *("authorization", "idempotency-key", "if-none-match", "last-event-id"),
        *("accept-language", "content-type", "x-request-id", "cache-control"),
    ],
)
@pytest.mark.usefixtures("allowed_origin")
def test_a_browser_may_send_what_apps_send(sent: str):
    for path, methods in document()["paths"].items():
        for method in methods:
            answer = preflight(real(path), ORIGIN, method.upper(), sent)
            assert answer.status_code == 200
            assert answer["Access-Control-Allow-Origin"] == ORIGIN
            assert sent in answer["Access-Control-Allow-Headers"].split(", ")
            assert method.upper() in answer["Access-Control-Allow-Methods"].split(", ")
            assert "Access-Control-Allow-Credentials" not in answer


@pytest.mark.usefixtures("allowed_origin")
def test_another_origin_may_not():
    for origin in ("https://evil.example", "http://cards.example", "null"):
        answer = preflight("/api/v1/sessions/", origin, "POST", "authorization")
        assert "Access-Control-Allow-Origin" not in answer


def test_nobody_may_unless_it_is_set():
    answer = preflight("/api/v1/sessions/", ORIGIN, "POST")
    assert "Access-Control-Allow-Origin" not in answer


@pytest.mark.usefixtures("allowed_origin", "transactional_db")
@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("GET", "/api/v1/games/", b"", 200),
        ("GET", "/api/v1/players/me/", b"", 401),
        ("GET", "/api/v1/nowhere/", b"", 404),
        ("POST", "/api/v1/players/guest/", b"x" * 70_000, 413),
        ("PUT", "/api/v1/players/guest/", b"", 405),
    ],
)
def test_a_script_may_read_every_answer(method: str, path: str, body: bytes, status: int):
    answer = Client().generic(
        method, path, body, content_type="application/json", headers={"Origin": ORIGIN}
    )
    assert answer.status_code == status
    assert answer["Access-Control-Allow-Origin"] == ORIGIN
    exposed = set(answer["Access-Control-Expose-Headers"].split(", "))
    assert exposed == {
        *("Content-Language", "Deprecation", "ETag", "Retry-After", "Sunset", "X-Request-ID"),
        "Content-Disposition",
    }
    assert "origin" in answer["Vary"].lower()


@pytest.mark.usefixtures("allowed_origin")
def test_the_admin_is_for_no_other_origin():
    assert "Access-Control-Allow-Origin" not in preflight("/admin/login/", ORIGIN, "POST")


# --- gzip ---


def zipped(path: str, token: str | None = None, **headers: str) -> Any:
    sent = {"Accept-Encoding": "gzip, br", **headers}
    if token:
        sent["Authorization"] = f"Bearer {token}"
    return Client().get(path, headers=sent)


def test_answers_are_compressed_and_their_etags_still_fit(played: Table):
    token = played.api.token
    for name in ("get_game", "get_state"):
        path = real(gets()[name], played)
        plain = played.api.get(path)
        answer = zipped(path, token)
        assert answer["Content-Encoding"] == "gzip"
        assert "accept-encoding" in answer["Vary"].lower()
        assert len(answer.content) < len(plain.bytes)
        assert json.loads(gzip.decompress(answer.content)).keys() == plain.json.keys()
        assert answer["ETag"] == f"W/{plain.headers['ETag']}"
        again = zipped(path, token, **{"If-None-Match": answer["ETag"]})
        assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    "refusal",
    ["gzip;q=0", "br, gzip; q=0.000, *", "identity", "gzip ;Q = 0", "gzip;q=0;a=b", "gzip-x"],
)
def test_who_refuses_gzip_gets_none(refusal: str):
    def encoding(accepted: str) -> str | None:
        path, headers = "/api/v1/games/dou-dizhu/", {"Accept-Encoding": accepted}
        return Client().get(path, headers=headers).headers.get("Content-Encoding")

    assert encoding(refusal) is None
    assert encoding("br;q=1.0, gzip;q=0.5") == "gzip"


def test_streams_and_the_admin_are_not(played: Table):
    for name in ("stream_events", "export_own_rounds"):
        answer = zipped(real(gets()[name], played), played.api.token)
        assert answer.status_code == 200
        assert len(b"".join(answer)) > 1000
        assert "Content-Encoding" not in answer
    page = zipped("/admin/login/")
    assert len(page.content) > 1000
    assert "Content-Encoding" not in page


# --- deprecation ---


class OldView(APIView):
    """A view of a test, one of whose methods will go."""

    @extend_schema(operation_id="get_old", responses={200: dict[str, str]} | problems(401))
    @deprecated(since=date(2026, 3, 1), sunset=date(2026, 9, 1))
    def get(self, request: Any) -> Response:
        return Response({})

    @extend_schema(operation_id="make_old", request=None, responses={200: dict[str, str]})
    def post(self, request: Any) -> Response:
        return Response({})


urlpatterns = [address("api/v1/old/", OldView.as_view())]


def test_what_will_go_says_so_in_the_document_and_in_every_answer(
    api: Api, settings: Any, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("tests.openapi.check_answer", lambda *_: None)  # it is in no document
    operations = SchemaGenerator(patterns=urlpatterns).get_schema(public=True)["paths"]
    assert operations["/api/v1/old/"]["get"]["deprecated"] is True
    assert operations["/api/v1/old/"]["get"]["operationId"] == "get_old"
    assert "deprecated" not in operations["/api/v1/old/"]["post"]
    settings.ROOT_URLCONF = __name__
    token = {"Authorization": f"Bearer {api.token}"}
    for method in ("get", "head"):
        for headers, status in ((token, 200), ({}, 401)):
            answer = getattr(Client(), method)("/api/v1/old/", headers=headers)
            assert answer.status_code == status
            assert answer["Deprecation"] == "@1772323200"
            assert answer["Sunset"] == "Tue, 01 Sep 2026 00:00:00 GMT"
    stays = Client().post("/api/v1/old/", headers=token)
    assert stays.status_code == 200
    assert "Deprecation" not in stays
    assert "Sunset" not in stays


# --- security headers ---


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/api/v1/games/", None, 200),
        ("/api/v1/nowhere/", None, 404),
        ("/api/v1/players/guest/", b"x" * 70_000, 413),
        ("/api/docs/", None, 200),
        ("/healthz", None, 200),
    ],
)
def test_every_answer_tells_browsers_to_be_careful(path: str, body: bytes | None, status: int):
    client = Client()
    answer = (
        client.get(path)
        if body is None
        else client.post(path, body, content_type="application/json")
    )
    assert answer.status_code == status
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["Referrer-Policy"] == "same-origin"
    # The pages' own views say `unsafe-none`: Swagger's log-in opens windows.
    assert answer["Cross-Origin-Opener-Policy"] == (
        "unsafe-none" if "docs" in path else "same-origin"
    )
    assert answer["Content-Security-Policy"].startswith("default-src 'self';") or (
        answer["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'"
    )
    assert answer["X-Request-ID"]


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/", "/api/schema/", "/api/docs/"])
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
@pytest.mark.django_db
def test_what_only_shows_something_says_so_to_other_methods(path: str, method: str):
    answer = Client(enforce_csrf_checks=True).generic(method, path)
    assert answer.status_code == 405
    assert {name.strip() for name in answer["Allow"].split(",")} >= {"GET", "HEAD"}
