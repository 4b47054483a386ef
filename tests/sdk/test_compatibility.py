"""What counts as a break of a released document."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
import yaml

from config.documents import schema_text
from sdk.compatibility import RELEASED, breaks, main
from tests.openapi import document

Json = dict[str, Any]


def field(**more: Any) -> Json:
    return {"type": "string", **more}


RELEASED_ONE: Json = {
    "paths": {
        "/tables/{id}/": {
            "post": {
                "operationId": "change_table",
                "tags": ["tables"],
                "parameters": [
                    {"in": "query", "name": "limit", "schema": {"type": "integer", "maximum": 9}},
                    {"in": "query", "name": "kinds", "schema": {"type": "array", "items": field()}},
                ],
                "requestBody": {
                    "content": {
                        "application/json": {"schema": {"$ref": "#/components/schemas/Change"}}
                    }
                },
                "responses": {
                    "200": {
                        "content": {
                            "application/json": {"schema": {"$ref": "#/components/schemas/Table"}}
                        }
                    },
                    "409": {"description": "Refused"},
                    "429": {
                        "headers": {
                            "Retry-After": {"required": True, "schema": {"type": "integer"}}
                        }
                    },
                },
            },
            "delete": {
                "operationId": "end_table",
                "tags": ["tables"],
                "security": [{"bearerAuth": []}],
                "responses": {},
            },
        }
    },
    "components": {
        "securitySchemes": {
            "bearerAuth": {"type": "http", "scheme": "bearer"},
            "cookieAuth": {"type": "apiKey", "in": "cookie", "name": "sessionid"},
        },
        "schemas": {
            "Change": {
                "type": "object",
                "description": "What is changed.\n\n`kind`: Which. Default: `open`.",
                "properties": {
                    "kind": {"$ref": "#/components/schemas/Kind"},
                    "name": field(maxLength=9, nullable=True),
                    "colour": field(default="green"),
                    "bets": {"type": "array", "items": {"type": "integer"}},
                },
            },
            "Kind": field(enum=["open", "closed"]),
            "Table": {
                "type": "object",
                "required": ["id", "kind"],
                "properties": {
                    "id": field(format="uuid"),
                    "note": field(),
                    "kind": {"$ref": "#/components/schemas/Kind"},
                    "next": {"allOf": [{"$ref": "#/components/schemas/Table"}], "nullable": True},
                    "points": {"type": "array", "items": {"type": "integer"}},
                },
            },
        },
    },
}


def operation(new: Json) -> Json:
    change: Json = new["paths"]["/tables/{id}/"]["post"]
    return change


def component(new: Json, name: str) -> Json:
    schema: Json = new["components"]["schemas"][name]
    return schema


def sent(new: Json, name: str) -> Json:
    schema: Json = component(new, "Change")["properties"][name]
    return schema


def header(new: Json) -> Json:
    told: Json = operation(new)["responses"]["429"]["headers"]["Retry-After"]
    return told


def changed(change: Callable[[Json], Any]) -> Json:
    new = copy.deepcopy(RELEASED_ONE)
    change(new)
    return new


BREAKS: dict[str, tuple[Callable[[Json], Any], str]] = {
    "an operation is gone": (
        lambda new: new["paths"].clear(),
        "POST /tables/{id}/: is gone",
    ),
    "an operation is renamed": (
        lambda new: operation(new).update(operationId="alter_table"),
        "POST /tables/{id}/: is called alter_table, was change_table",
    ),
    "an operation is in another group": (
        lambda new: operation(new).update(tags=["play"]),
        "POST /tables/{id}/: has moved to ['play'] from ['tables']",
    ),
    "a token is needed": (
        lambda new: operation(new).update(security=[{"bearerAuth": []}]),
        "POST /tables/{id}/: needs a token",
    ),
    "a parameter is gone": (
        lambda new: operation(new)["parameters"].clear(),
        "POST /tables/{id}/: query parameter limit is gone",
    ),
    "a parameter is required": (
        lambda new: operation(new)["parameters"][0].update(required=True),
        "POST /tables/{id}/: query parameter limit is required",
    ),
    "a required parameter is new": (
        lambda new: operation(new)["parameters"].append(
            {"in": "query", "name": "key", "required": True, "schema": field()}
        ),
        "POST /tables/{id}/: query parameter key is new and required",
    ),
    "a limit is tighter": (
        lambda new: operation(new)["parameters"][0]["schema"].update(maximum=8),
        "POST /tables/{id}/: query parameter limit: maximum is 8, was 9",
    ),
    "a limit is new": (
        lambda new: component(new, "Change")["properties"]["name"].update(minLength=2),
        "Change.name: minLength is 2, was None",
    ),
    "a body is required": (
        lambda new: operation(new)["requestBody"].update(required=True),
        "POST /tables/{id}/: a body is required",
    ),
    "a field sent is required": (
        lambda new: component(new, "Change").update(required=["name"]),
        "Change.name: is required",
    ),
    "a field sent is no longer known": (
        lambda new: component(new, "Change")["properties"].clear(),
        "Change.name: is gone",
    ),
    "a field sent must not be null": (
        lambda new: component(new, "Change")["properties"]["name"].pop("nullable"),
        "Change.name: must not be null",
    ),
    "an answer is gone": (
        lambda new: operation(new)["responses"].pop("200"),
        "POST /tables/{id}/: answer 200 is gone",
    ),
    "a media type is gone": (
        lambda new: operation(new)["responses"]["200"]["content"].clear(),
        "POST /tables/{id}/ 200: application/json is gone",
    ),
    "a field read is gone": (
        lambda new: component(new, "Table")["properties"].pop("points"),
        "Table.points: is gone",
    ),
    "a field read may be missing": (
        lambda new: component(new, "Table").update(required=["kind"]),
        "Table.id: may be missing",
    ),
    "a field read may be null": (
        lambda new: component(new, "Table")["properties"]["id"].update(nullable=True),
        "Table.id: may be null",
    ),
    "a reference read may be null": (
        lambda new: component(new, "Table")["properties"].update(
            kind={"allOf": [{"$ref": "#/components/schemas/Kind"}], "nullable": True}
        ),
        "Table.kind: may be null",
    ),
    "another type": (
        lambda new: component(new, "Table")["properties"].update(id={"type": "integer"}),
        "Table.id: has type integer, was string",
    ),
    "another type in a list": (
        lambda new: component(new, "Table")["properties"]["points"].update(items=field()),
        "Table.points[]: has type string, was integer",
    ),
    "another format": (
        lambda new: component(new, "Table")["properties"]["id"].pop("format"),
        "Table.id: has format None, was uuid",
    ),
    "another component": (
        lambda new: component(new, "Table")["properties"].update(
            kind={"$ref": "#/components/schemas/Table"}
        ),
        "Table.kind: is Table, was Kind",
    ),
    "a choice is gone": (
        lambda new: component(new, "Kind")["enum"].remove("open"),
        "Kind: choice open is gone",
    ),
    "a text sent gets choices": (
        lambda new: sent(new, "colour").update(enum=["green", "red"]),
        "Change.colour: has choices, was free",
    ),
    "a text sent becomes a set of choices": (
        lambda new: component(new, "Change")["properties"].update(
            colour={"$ref": "#/components/schemas/Kind"}
        ),
        "Change.colour: is Kind, was inline",
    ),
    "a text read gets choices": (
        lambda new: component(new, "Table")["properties"]["note"].update(enum=["green"]),
        "Table.note: has choices, was free",
    ),
    "a text read becomes a set of choices": (
        lambda new: component(new, "Table")["properties"].update(
            note={"$ref": "#/components/schemas/Kind"}
        ),
        "Table.note: is Kind, was inline",
    ),
    "a set of choices read becomes a text": (
        lambda new: component(new, "Table")["properties"].update(kind=field()),
        "Table.kind: is inline, was Kind",
    ),
    "another default": (
        lambda new: sent(new, "colour").update(default="red"),
        "Change.colour: default is 'red', was 'green'",
    ),
    "no default": (
        lambda new: sent(new, "colour").pop("default"),
        "Change.colour: default is None, was 'green'",
    ),
    "another default of a reference": (
        lambda new: component(new, "Change").update(
            description="`kind`: Which. Default: `closed`."
        ),
        "Change: tells other defaults, [('kind', 'closed')], was [('kind', 'open')]",
    ),
    "another default of a parameter": (
        lambda new: operation(new)["parameters"][0]["schema"].update(default=3),
        "POST /tables/{id}/: query parameter limit: default is 3, was None",
    ),
    "a list sent must not repeat": (
        lambda new: sent(new, "bets").update(uniqueItems=True),
        "Change.bets: uniqueItems is new",
    ),
    "only some numbers are taken": (
        lambda new: sent(new, "bets")["items"].update(multipleOf=5),
        "Change.bets[]: multipleOf is 5, was None",
    ),
    "a bound is excluded": (
        lambda new: operation(new)["parameters"][0]["schema"].update(exclusiveMaximum=True),
        "POST /tables/{id}/: query parameter limit: exclusiveMaximum is new",
    ),
    "only some texts are taken": (
        lambda new: sent(new, "name").update(pattern="^[a-z]+$"),
        "Change.name: pattern is ^[a-z]+$, was None",
    ),
    "a text sent gets a format": (
        lambda new: sent(new, "name").update(format="uuid"),
        "Change.name: has format uuid, was None",
    ),
    "no other fields are taken": (
        lambda new: component(new, "Change").update(additionalProperties=False),
        "Change: takes no other fields",
    ),
    "a header is gone": (
        lambda new: operation(new)["responses"]["429"].pop("headers"),
        "POST /tables/{id}/ 429: header Retry-After is gone",
    ),
    "a header may be missing": (
        lambda new: header(new).pop("required"),
        "POST /tables/{id}/ 429: header Retry-After may be missing",
    ),
    "another type of a header": (
        lambda new: header(new).update(schema=field()),
        "POST /tables/{id}/ 429 header Retry-After: has type string, was integer",
    ),
    "another way to show who calls": (
        lambda new: new["paths"]["/tables/{id}/"]["delete"].update(security=[{"cookieAuth": []}]),
        "DELETE /tables/{id}/: takes cookieAuth, took bearerAuth",
    ),
    "the same name for another way": (
        lambda new: new["components"]["securitySchemes"]["bearerAuth"].update(scheme="basic"),
        "DELETE /tables/{id}/: takes bearerAuth, took bearerAuth",
    ),
    "two ways at once": (
        lambda new: new["paths"]["/tables/{id}/"]["delete"].update(
            security=[{"bearerAuth": [], "cookieAuth": []}]
        ),
        "DELETE /tables/{id}/: takes bearerAuth and cookieAuth, took bearerAuth",
    ),
    "a list in one parameter": (
        lambda new: operation(new)["parameters"][1].update(explode=False),
        "POST /tables/{id}/: query parameter kinds is written form, joined, was form, exploded",
    ),
    "another style of a parameter": (
        lambda new: operation(new)["parameters"][1].update(style="pipeDelimited"),
        "POST /tables/{id}/: query parameter kinds is written pipeDelimited, joined, "
        "was form, exploded",
    ),
}


@pytest.mark.parametrize(("change", "line"), BREAKS.values(), ids=BREAKS)
def test_a_break_is_found(change: Callable[[Json], Any], line: str):
    assert line in breaks(RELEASED_ONE, changed(change))


ADDITIONS: dict[str, Callable[[Json], Any]] = {
    "nothing": lambda new: None,
    "an operation": lambda new: new["paths"].update(
        {"/": {"get": {"operationId": "list_tables", "responses": {}}}}
    ),
    "an optional parameter": lambda new: operation(new)["parameters"].append(
        {"in": "query", "name": "key", "schema": field()}
    ),
    "a wider limit": lambda new: operation(new)["parameters"][0]["schema"].update(maximum=99),
    "no limit": lambda new: operation(new)["parameters"][0]["schema"].pop("maximum"),
    "an optional field sent": lambda new: component(new, "Change")["properties"].update(
        note=field()
    ),
    "a field read": lambda new: component(new, "Table")["properties"].update(note=field()),
    "a choice": lambda new: component(new, "Kind")["enum"].append("full"),
    "a header": lambda new: operation(new)["responses"]["200"].update(
        headers={"ETag": {"schema": field()}}
    ),
    "a free length": lambda new: sent(new, "name").pop("maxLength"),
    "a default that is only read": lambda new: component(new, "Table")["properties"]["note"].update(
        default=""
    ),
    "the usual style, said": lambda new: operation(new)["parameters"][1].update(
        style="form", explode=True
    ),
    "a second way to show who calls": lambda new: new["paths"]["/tables/{id}/"]["delete"].update(
        security=[{"cookieAuth": []}, {"bearerAuth": []}]
    ),
    "no token": lambda new: new["paths"]["/tables/{id}/"]["delete"].update(security=[]),
    "the name of a number": lambda new: (
        new["components"]["schemas"].update(Points={"type": "integer"}),
        component(new, "Table")["properties"]["points"].update(
            items={"$ref": "#/components/schemas/Points"}
        ),
    ),
    "a refusal": lambda new: operation(new)["responses"].update({"503": {}}),
    "one refusal less": lambda new: operation(new)["responses"].pop("409"),
}


@pytest.mark.parametrize("change", ADDITIONS.values(), ids=ADDITIONS)
def test_what_is_added_breaks_nobody(change: Callable[[Json], Any]):
    assert breaks(RELEASED_ONE, changed(change)) == []


def test_the_document_breaks_nobody_who_has_the_released_one():
    released = yaml.load(RELEASED.read_text(), Loader=yaml.CSafeLoader)
    assert breaks(released, document()) == []


def test_the_command_says_what_breaks(tmp_path, capsys):
    new = copy.deepcopy(document())
    new["components"]["schemas"]["State"]["properties"].pop("turn")
    files = tmp_path / "released.yaml", tmp_path / "new.yaml"
    files[0].write_bytes(schema_text())
    files[1].write_text(yaml.safe_dump(new))
    assert main([str(files[0]), str(files[0])]) == 0
    assert main(list(map(str, files))) == 1
    assert capsys.readouterr().out == "State.turn: is gone\n"


def test_the_committed_document_breaks_nothing_that_was_released():
    assert main([]) == 0
