"""The OpenAPI document: committed, valid, plain enough for generators, with true examples."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings
from django.core.management import call_command
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import translation

from config.documents import schema_text
from config.problems import PROBLEMS
from tests.openapi import document, faults

COMMITTED = Path(settings.BASE_DIR) / "openapi.yaml"
PROBLEM = {"schema": {"$ref": "#/components/schemas/Problem"}}
ENUMS = {
    "Actor": {"person", "bot", "clock", "autoplay"},
    "Direction": {"clockwise", "counter_clockwise"},
    "GameKind": {"climbing", "arranging"},
    "Language": {"en", "zh-Hant"},
    "LedgerKind": {"settlement", "top_up"},
    "Phase": {"cutting", "bidding", "redeal", "playing", "arranging", "settled"},
    "Role": {"landlord", "farmer"},
    "SeatKind": {"human", "bot", "open"},
    "SessionStatus": {"lobby", "playing", "between_rounds", "finished"},
    "ScoreScope": {"session", "round", "wallet"},
    "Spring": {"spring", "anti_spring"},
    "Visibility": {"private", "public"},
    "Wind": {"east", "south", "west", "north"},
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


def test_there_is_no_union_and_allof_only_says_more_about_one_reference():
    for where, node in nodes(document()):
        assert not {"oneOf", "anyOf", "not", "discriminator"} & set(node), where
        if "allOf" in node:
            assert [list(part) for part in node["allOf"]] == [["$ref"]], where
            assert set(node) - {"allOf"} <= {"nullable", "description", "default"}, where
            assert len(node) > 1, where
        if "$ref" in node:
            assert len(node) == 1, where


def test_every_set_of_choices_is_a_named_enum():
    schemas = document()["components"]["schemas"]
    inline = [
        where
        for where, node in nodes(document())
        if "enum" in node and not re.fullmatch(r"/components/schemas/\w+", where)
    ]
    assert inline == []
    enums = {name: set(schema["enum"]) for name, schema in schemas.items() if "enum" in schema}
    assert {name: enums.get(name) for name in ENUMS} == ENUMS
    assert {"GameSlug", "BotLevel"} <= set(enums)
    assert all(None not in choices and "" not in choices for choices in enums.values())


def test_no_component_is_empty_or_numbered_or_doubly_named():
    for name, schema in document()["components"]["schemas"].items():
        assert schema.get("properties") or schema.get("enum"), name
        assert not re.search(r"\d|RequestRequest|Patched|Enum$|Serializer", name), name


def test_a_problem_names_every_code_and_carries_the_state():
    schemas = document()["components"]["schemas"]
    assert set(schemas["ErrorCode"]["enum"]) == set(PROBLEMS)
    properties = schemas["Problem"]["properties"]
    for name, target in (("code", "ErrorCode"), ("state", "State")):
        assert properties[name]["allOf"] == [{"$ref": f"#/components/schemas/{target}"}]
        assert "nullable" not in properties[name]
    assert set(schemas["Problem"]["required"]) == set(properties) - {"state"}


def test_what_is_always_there_is_required_also_when_it_may_be_null():
    schemas = document()["components"]["schemas"]
    for name in ("State", "StateSeat", "OwnSeat", "Trick", "Settlement", "Session", "Move"):
        assert set(schemas[name]["required"]) == set(schemas[name]["properties"]), name


def test_operation_ids_are_unique_and_begin_with_a_verb():
    names = [operation["operationId"] for _, _, operation in operations()]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z]+(_[a-z]+)*", name) for name in names)


def test_tags_are_described():
    tags = {tag["name"]: tag["description"] for tag in document()["tags"]}
    assert {tag for _, _, operation in operations() for tag in operation["tags"]} == set(tags)
    assert all(tags.values())


@pytest.mark.parametrize(("path", "operation"), OPERATIONS)
def test_an_operation_says_what_it_is(path: str, operation: dict[str, Any]):
    assert len(operation["tags"]) == 1
    assert operation["summary"]
    assert list(examples(operation)) or "204" in operation["responses"]


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
