"""Null and a value, in the clients for Python and TypeScript."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.openapi import document
from tests.sdk.conftest import SDK, run

pytestmark = pytest.mark.sdk


def references() -> list[tuple[str, str, str, bool]]:
    """Component, field, what it refers to, and whether that may be null."""
    schemas = document()["components"]["schemas"]
    found = [
        (name, field, inner["$ref"].rpartition("/")[2])
        for name, schema in schemas.items()
        for field, inner in schema.get("properties", {}).items()
        if "$ref" in inner
    ]
    return [(*one, schemas[one[2]].get("nullable", False)) for one in found]


@pytest.fixture
def models(clients: Mapping[str, Path], monkeypatch: pytest.MonkeyPatch) -> Any:
    """The models of the Python client."""
    monkeypatch.syspath_prepend(str(clients["python"]))
    yield importlib.import_module("five_card_games_client.models")
    for name in [name for name in sys.modules if name.startswith("five_card_games_client")]:
        del sys.modules[name]


def test_typescript_knows_what_may_be_null(clients: Mapping[str, Path]):
    fields = references()
    assert ("State", "phase", "Phase", True) in fields
    assert ("State", "status", "SessionStatus", False) in fields
    lines = [
        "import type * as api from '../typescript/index.js';",
        "type Null<T> = 0 extends 1 & T ? 'any' : null extends T ? true : false;",
        "export const mayBeNull: [",
        *(f"  Null<NonNullable<api.{name}>['{field}']>," for name, field, _, _ in fields),
        "] = [",
        *(f"  {str(nullable).lower()}," for *_, nullable in fields),
        "];",
    ]
    folder = SDK / "out" / "checks"
    folder.mkdir(exist_ok=True)
    (folder / "null_choices.ts").write_text("\n".join(lines))
    strict = ("--strict", "--noEmit", "--skipLibCheck", "--module", "nodenext")
    run("node_modules/.bin/tsc", *strict, folder / "null_choices.ts", within=200.0)


def test_python_decodes_null_and_a_value(models: Any):
    example = response_example("get_state")
    nullable = {
        field: target for name, field, target, null in references() if name == "State" and null
    }
    assert {"phase", "you", "trick", "settlement"} <= set(nullable)
    for field, target in nullable.items():
        state = models.State.from_dict({**example, field: None})
        assert getattr(state, field) is None
        if isinstance(example[field], dict):
            decoded = getattr(models.State.from_dict(example), field)
            assert isinstance(decoded, getattr(models, target))
    bidding = models.State.from_dict({**example, "phase": "bidding"})
    assert bidding.phase is models.Phase.BIDDING


def test_python_reads_every_example_and_writes_it_the_same(models: Any):
    read = 0
    for operation in operations():
        for schema, value in examples(operation):
            name = schema.get("$ref", "").rpartition("/")[2]
            if name:
                again = json.dumps(getattr(models, name).from_dict(value).to_dict())
                assert json.loads(again.replace("+00:00", "Z")) == value, name
                read += 1
    assert read > 40


def operations() -> Iterator[dict[str, Any]]:
    for methods in document()["paths"].values():
        yield from methods.values()


def examples(operation: dict[str, Any]) -> Iterator[tuple[dict[str, Any], Any]]:
    for body in (operation.get("requestBody", {}), *operation["responses"].values()):
        for media in body.get("content", {}).values():
            for example in media.get("examples", {}).values():
                yield media["schema"], example["value"]


def response_example(name: str) -> dict[str, Any]:
    operation = next(o for o in operations() if o["operationId"] == name)
    value: dict[str, Any] = next(value for _, value in examples(operation))
    return value
