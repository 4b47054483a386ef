"""The OpenAPI document: committed, valid, plain enough for generators, with true examples."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import yaml
from django.conf import settings
from django.core.management import call_command
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import translation

from config.documents import schema_text
from config.problems import PROBLEMS
from tests.openapi import document, faults, template_of

COMMITTED = Path(settings.BASE_DIR) / "openapi.yaml"
PROBLEM = {"schema": {"$ref": "#/components/schemas/Problem"}}
VERBS = {
    *("advance", "change", "claim", "classify", "count", "create", "deal", "delete", "end"),
    *("evaluate", "export", "finish", "get", "join", "leave", "list", "log", "make", "preview"),
    *("quick", "recompute", "register", "rematch", "set", "settle", "start", "stream", "update"),
    "wait",
}
ENUMS = {
    "Actor": {"person", "bot", "clock", "autoplay"},
    "Direction": {"clockwise", "counter_clockwise"},
    "GameKind": {"climbing", "arranging"},
    "Language": {"en", "zh-Hant", "zh-Hans"},
    "ListLeaderboardMetric": {"best", "positions", "wins", "balance"},
    "ListLeaderboardPeriod": {"all", "month", "week", "day"},
    "ListLeaderboardPool": {"all", "humans"},
    "LedgerKind": {"settlement", "top_up", "correction"},
    "Phase": {"cutting", "bidding", "redeal", "playing", "arranging", "settled"},
    "Role": {"landlord", "farmer"},
    "SeatKind": {"human", "bot", "open"},
    "SessionStatus": {"lobby", "playing", "between_rounds", "finished"},
    "ScoreScope": {"session", "round", "wallet"},
    "Spring": {"spring", "anti_spring"},
    "Visibility": {"private", "public"},
    "Wind": {"east", "south", "west", "north"},
    "Special": {"dragon", "three_flushes", "three_straights", "six_pairs"},
    "MoveType": {
        *("play", "pass", "bid", "call_redeal", "answer_redeal", "cut", "arrange"),
        *("declare", "extend"),
    },
}


def operations() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in document()["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


OPERATIONS = [
    pytest.param(path, operation, id=operation["operationId"])
    for path, _, operation in operations()
]


def nodes(part: Any, where: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every object of the document with its place, examples left out."""
    if isinstance(part, dict):
        yield where, part
        for name, inner in part.items():
            if name not in ("example", "examples"):
                yield from nodes(inner, f"{where}/{name}")
    elif isinstance(part, list):
        for number, inner in enumerate(part):
            yield from nodes(inner, f"{where}/{number}")


def test_the_committed_document_is_what_the_service_serves():
    """After a change: manage.py spectacular --validate --fail-on-warn --file openapi.yaml"""
    assert COMMITTED.read_bytes() == schema_text()
    answer = Client().get("/api/schema/", headers={"Accept-Language": "zh-TW"})
    assert answer.status_code == 200
    assert answer.content == schema_text()
    assert answer["Content-Type"] == "application/vnd.oai.openapi; charset=utf-8"


def test_it_is_the_same_whatever_language_is_asked_for_first():
    with translation.override("zh-hant"):
        assert schema_text.__wrapped__() == schema_text()


def test_it_is_valid_without_a_warning(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    file = tmp_path / "openapi.yaml"
    with translation.override("en"):
        call_command("spectacular", validate=True, fail_on_warn=True, file=str(file))
    assert capfd.readouterr().err == ""
    assert file.read_bytes() == schema_text()


def test_it_is_openapi_3_0_3():
    assert document()["openapi"] == "3.0.3"
    assert document()["components"]["securitySchemes"]["bearerAuth"]["scheme"] == "bearer"


def test_every_address_of_the_api_is_documented():
    def paths(patterns: Any, prefix: str = "/") -> Iterator[str]:
        for pattern in patterns:
            address = prefix + str(pattern.pattern)
            if isinstance(pattern, URLResolver):
                yield from paths(pattern.url_patterns, address)
            elif isinstance(pattern, URLPattern):
                yield re.sub(r"<\w+:(\w+)>", r"{\1}", address)

    served = {p for p in paths(get_resolver().url_patterns) if p.startswith("/api/v1/")}
    assert served == set(document()["paths"])


def test_there_is_no_union_and_a_reference_stands_alone():
    for where, node in nodes(document()):
        assert not {"oneOf", "anyOf", "allOf", "not", "discriminator"} & set(node), where
        if "$ref" in node:
            assert len(node) == 1, where


def test_what_may_be_null_says_so_beside_its_type():
    """Elsewhere OpenAPI 3.0 ignores it; without a title generators number a component's class."""
    for where, node in nodes(document()):
        if "nullable" in node:
            assert node["nullable"] is True, where
            assert "type" in node, where
            if component := re.fullmatch(r"/components/schemas/(\w+)", where):
                assert node["title"] == component[1]
    schemas = document()["components"]["schemas"]
    assert schemas["State"]["properties"]["trick"] == {"$ref": "#/components/schemas/Trick"}
    assert faults({"$ref": "#/components/schemas/Trick"}, None) == []
    assert faults({"$ref": "#/components/schemas/Play"}, None) != []


def test_a_component_that_is_null_in_some_places_only_has_a_twin_for_them():
    schemas = document()["components"]["schemas"]
    twins = {name for name in schemas if name.startswith("Nullable")}
    assert twins == {
        *("NullableBotLevel", "NullableErrorCode", "NullablePattern", "NullablePlay"),
        "NullableSettlement",
    }
    for name in twins:
        plain = schemas[name.removeprefix("Nullable")]
        assert "nullable" not in plain
        twin = {
            key: part for key, part in schemas[name].items() if key not in ("title", "nullable")
        }
        if "enum" in plain:
            twin["enum"] = [choice for choice in twin["enum"] if choice is not None]
        assert twin == plain


def test_what_is_said_of_a_reference_is_said_by_the_component_that_holds_it():
    schemas = document()["components"]["schemas"]
    assert "`code`: Stable machine word" in schemas["Problem"]["description"]
    assert "`visibility`: Default: `private`." in schemas["SessionCreateRequest"]["description"]
    assert schemas["ListLeaderboardMetric"]["default"] == "best"


def test_a_request_has_no_fields_but_those_named():
    for name, schema in document()["components"]["schemas"].items():
        closed = name.endswith("Request") and "properties" in schema
        assert schema.get("additionalProperties", True) is not closed, name


def test_every_object_with_fields_has_a_name():
    nameless = [
        where
        for where, node in nodes(document())
        if isinstance(node.get("properties"), dict)
        and not re.fullmatch(r"/components/schemas/\w+", where)
    ]
    assert nameless == []


def test_every_set_of_choices_is_a_named_enum():
    schemas = document()["components"]["schemas"]
    inline = [
        where
        for where, node in nodes(document())
        if "enum" in node and not re.fullmatch(r"/components/schemas/\w+", where)
    ]
    assert inline == []
    enums = {
        name: set(schema["enum"]) - {None} for name, schema in schemas.items() if "enum" in schema
    }
    assert {name: enums.get(name) for name in ENUMS} == ENUMS
    assert {"GameSlug", "BotLevel", "Pattern", "ReasonCode", "DealtFact"} <= set(enums)
    assert all("" not in choices for choices in enums.values())


def test_an_enum_names_null_where_it_may_be_null_and_never_alone():
    for where, node in nodes(document()):
        if "enum" in node:
            assert (None in node["enum"]) is node.get("nullable", False), where
            assert [choice for choice in node["enum"] if choice is not None], where


def test_no_component_is_empty_or_numbered_or_doubly_named():
    for name, schema in document()["components"]["schemas"].items():
        assert schema.get("properties") or schema.get("enum"), name
        assert not re.search(r"\d|RequestRequest|Patched|Enum$|Serializer", name), name


def test_a_problem_names_every_code_and_carries_the_state():
    schemas = document()["components"]["schemas"]
    assert set(schemas["ErrorCode"]["enum"]) == set(PROBLEMS)
    properties = schemas["Problem"]["properties"]
    for name, target in (("code", "ErrorCode"), ("state", "State")):
        assert properties[name] == {"$ref": f"#/components/schemas/{target}"}
    assert set(schemas["Problem"]["required"]) == set(properties) - {"state"}


def test_what_is_always_there_is_required_also_when_it_may_be_null():
    schemas = document()["components"]["schemas"]
    for name in ("State", "StateSeat", "OwnSeat", "Trick", "Settlement", "Session", "Move"):
        assert set(schemas[name]["required"]) == set(schemas[name]["properties"]), name


def test_operation_ids_are_unique_and_a_verb_with_a_noun():
    names = [operation["operationId"] for _, _, operation in operations()]
    assert len(set(names)) == len(names)
    for name in names:
        assert re.fullmatch(r"[a-z]+(_[a-z]+)+", name)
        assert name.split("_")[0] in VERBS, name


def test_tags_are_described():
    tags = {tag["name"]: tag["description"] for tag in document()["tags"]}
    assert {tag for _, _, operation in operations() for tag in operation["tags"]} == set(tags)
    assert all(tags.values())


@pytest.mark.parametrize(("path", "operation"), OPERATIONS)
def test_an_operation_says_what_it_is(path: str, operation: dict[str, Any]):
    assert len(operation["tags"]) == 1
    assert operation["summary"]
    shown = {where for where, _, _ in examples(operation)}
    bodies = {status for status, answer in operation["responses"].items() if "content" in answer}
    assert shown >= {status for status in bodies if status < "400"}
    assert ("request" in shown) is ("requestBody" in operation)


@pytest.mark.parametrize(("path", "operation"), OPERATIONS)
def test_an_operation_lists_its_refusals(path: str, operation: dict[str, Any]):
    answers = operation["responses"]
    failures = {status: answer for status, answer in answers.items() if status >= "400"}
    assert all(a["content"] == {"application/problem+json": PROBLEM} for a in failures.values())
    for status, answer in failures.items():
        codes = re.findall(r"`(\w+)`", answer["description"])
        assert codes
        assert {PROBLEMS[code].status for code in codes} == {int(status)}
    assert {"500", "503"} <= set(failures)
    if operation.get("security"):
        assert "not_authenticated" in answers["401"]["description"]
    if "{" in path:
        assert "404" in answers
    if "requestBody" in operation:
        assert {"400", "413", "415"} <= set(answers)
        assert list(operation["requestBody"]["content"]) == ["application/json"]


def examples(operation: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any], Any]]:
    bodies = {"request": operation.get("requestBody", {})} | operation["responses"]
    for where, body in bodies.items():
        for media in body.get("content", {}).values():
            for example in media.get("examples", {}).values():
                yield where, media["schema"], example["value"]


@pytest.mark.parametrize(("path", "operation"), OPERATIONS)
def test_examples_are_what_the_operation_takes_and_gives(path: str, operation: dict[str, Any]):
    for where, schema, value in examples(operation):
        assert faults(schema, value) == [], where


# --- links ---


def links() -> Iterator[Any]:
    """Each link, with the address and the example of the answer that it stands under."""
    shared = document()["components"]["links"]
    for path, _, operation in operations():
        for answer in operation["responses"].values():
            shown = [
                example["value"]
                for media in answer.get("content", {}).values()
                for example in media.get("examples", {}).values()
            ]
            for name, link in answer.get("links", {}).items():
                found = shared[link["$ref"].rpartition("/")[2]] if "$ref" in link else link
                yield pytest.param(path, shown, found, id=f"{operation['operationId']}-{name}")


LINKS = list(links())


@pytest.mark.parametrize(("path", "shown", "link"), LINKS)
def test_a_link_leads_from_the_example_to_a_call_with_all_that_its_path_needs(
    path: str, shown: list[Any], link: dict[str, Any]
):
    target = {operation["operationId"]: to for to, _, operation in operations()}
    assert set(link["parameters"]) == set(re.findall(r"{(\w+)}", target[link["operationId"]]))
    for taken in link["parameters"].values():
        if taken.startswith("$request.path."):
            assert f"{{{taken.removeprefix('$request.path.')}}}" in path
            continue
        value = shown[0]
        for step in taken.removeprefix("$response.body#/").split("/"):
            value = value[int(step) if isinstance(value, list) else step]
        assert isinstance(value, str | int)


def test_whoever_gets_a_table_is_led_to_every_call_at_it():
    at_a_table = {
        operation["operationId"]
        for path, _, operation in operations()
        if path.startswith("/api/v1/sessions/{session_id}/")
    }
    assert set(document()["components"]["links"]) == at_a_table - {"get_round"}
    led = {link.id for link in LINKS}
    for name in ("create_session", "join_session_by_code", "quick_join_session"):
        assert {f"{name}-{target}" for target in at_a_table - {"get_round"}} <= led


# --- lists in pages ---


def lists() -> Iterator[Any]:
    """The operations that answer with a page, and the component that it is."""
    schemas = document()["components"]["schemas"]
    for path, _, operation in operations():
        for media in operation["responses"].get("200", {}).get("content", {}).values():
            page = schemas.get(media["schema"].get("$ref", "").rpartition("/")[2], {})
            if {"next", "previous"} & set(page.get("properties", {})):
                yield pytest.param(path, operation, page, id=operation["operationId"])


LISTS = list(lists())


def test_these_lists_are_in_pages():
    assert {found.id for found in LISTS} == {
        *("list_devices", "list_leaderboard", "list_ledger", "list_own_rounds", "list_rounds"),
        "list_sessions",
    }


@pytest.mark.parametrize(("path", "operation", "page"), LISTS)
def test_a_page_can_be_asked_for(path: str, operation: dict[str, Any], page: dict[str, Any]):
    assert set(page["required"]) == set(page["properties"]) == {"next", "previous", "results"}
    named = [p for p in operation["parameters"] if p["name"] in ("cursor", "limit")]
    assert [(p["name"], p["in"], p.get("required", False)) for p in named] == [
        ("cursor", "query", False),
        ("limit", "query", False),
    ]
    assert [p["schema"] for p in named] == [
        {"type": "string"},
        {"type": "integer", "minimum": 1, "maximum": 100, "default": 20},
    ]
    assert "invalid_input" in operation["responses"]["400"]["description"]


@pytest.mark.parametrize(("path", "operation", "page"), LISTS)
def test_the_next_page_of_an_example_is_one_of_its_own_list(
    path: str, operation: dict[str, Any], page: dict[str, Any]
):
    shown = [value["next"] for where, _, value in examples(operation) if where == "200"]
    told = page["properties"]["next"].get("example")
    assert shown
    for link in [*shown, *([told] if told else [])]:
        parts = urlsplit(link)
        assert (parts.scheme, template_of(parts.path)) == ("https", path)
        assert "{" not in parts.path
        assert list(parse_qs(parts.query)) == ["cursor"]


# --- the pages that show it ---


@pytest.mark.parametrize("path", ["/api/docs/", "/api/redoc/"])
def test_the_pages_load_everything_from_here(path: str):
    answer = Client().get(path)
    assert answer.status_code == 200
    page = answer.content.decode()
    assert "//" not in re.sub(r'"\^?=?https://redocly\.com"|^\s*//.*$', "", page, flags=re.M)
    sources = re.findall(r'(?:src|href)="([^"]+)"', re.sub(r"a\[href[^{]*", "", page))
    assert sources
    for source in sources:
        assert source.startswith("/static/drf_spectacular_sidecar/")
        assert Client().get(source).status_code == 200, source
    assert "/api/schema/" in page


@pytest.mark.parametrize("path", ["/api/docs/", "/api/redoc/"])
def test_the_browser_is_told_to_load_nothing_from_elsewhere(path: str):
    policy = Client().get(path)["Content-Security-Policy"]
    assert policy.startswith("default-src 'self';")
    assert "http" not in policy
    assert "*" not in policy


def test_swagger_asks_no_validator():
    assert '"validatorUrl": null' in Client().get("/api/docs/").content.decode()


def test_the_document_loads_as_plain_yaml():
    assert yaml.safe_load(COMMITTED.read_text())["info"]["title"] == "Five Chinese card games"
