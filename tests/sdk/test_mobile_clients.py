"""The clients for Swift, Kotlin and Dart: parsed, searched for the known faults, compiled."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import tree_sitter_dart_orchard
import tree_sitter_swift
from tree_sitter import Language, Parser

from config.embedded.data_directory import PROJECT_DIR
from tests.openapi import document
from tests.sdk.conftest import run

pytestmark = pytest.mark.sdk

COMPILES_WITHIN = 400.0
STUBS = PROJECT_DIR / "tests" / "sdk" / "kotlin"


class Output(NamedTuple):
    """Where a generator writes, and how its language spells what is searched for."""

    models: str
    operations: str
    # A model or enum that a file declares.
    declares: str
    # A value of an enum; a property, and an answer, without a type of its own.
    choice: str
    untyped: str
    untyped_answer: str


OUTPUTS = {
    "swift": Output(
        models="Sources/FiveCardGamesClient/Models/*.swift",
        operations="Sources/FiveCardGamesClient/APIs/*.swift",
        declares=r"^public (?:struct|final class|enum) (\w+)",
        choice=r"^    case (\w+) = ",
        untyped=r"^    public var (\w+): .*\b(?:JSONValue|AnyCodable|Any)\b",
        untyped_answer=r"-> .*\b(?:JSONValue|AnyCodable|Any)\b",
    ),
    "kotlin": Output(
        models="src/main/kotlin/games/fivecard/client/models/*.kt",
        operations="src/main/kotlin/games/fivecard/client/apis/*.kt",
        declares=r"^(?:data |enum |sealed |open |abstract )*(?:class|interface|object) (\w+)",
        choice=r"^    ([A-Z_0-9]+)\(\"",
        untyped=r"^    val (\w+): .*\bkotlin\.Any\b",
        untyped_answer=r"^    fun \w+\(.*\) *: .*\bkotlin\.Any\b",
    ),
    "dart": Output(
        models="lib/model/*.dart",
        operations="lib/api/*.dart",
        declares=r"^(?:class|enum) (\w+)",
        choice=r"^  (\w+)\._\(r'",
        untyped=r"^  (?:[\w<, ]*\b(?:Object|dynamic)\b[>?]*) (\w+);",
        untyped_answer=r"^  Future<.*\b(?:Object|dynamic)\b",
    ),
}
LANGUAGES = pytest.mark.parametrize("language", OUTPUTS)

# The grammars do not know these yet; the files are the generators' own and the same for everybody.
UNKNOWN_TO_THE_GRAMMAR = {"URLSessionImplementations.swift", "http_bearer_auth.dart"}


def sources(folder: Path, pattern: str) -> dict[str, str]:
    """The text of each file."""
    found = {path.name: path.read_text() for path in sorted(folder.glob(pattern))}
    assert found, f"nothing at {pattern}"
    return found


def schemas() -> dict[str, dict[str, Any]]:
    loaded: dict[str, dict[str, Any]] = document()["components"]["schemas"]
    return loaded


def declared(output: Output, folder: Path) -> dict[str, str]:
    """The file's text of each model that is declared."""
    return {
        name: text
        for text in sources(folder, output.models).values()
        for name in re.findall(output.declares, text, re.MULTILINE)
        if not name.endswith("TypeTransformer")
    }


@LANGUAGES
def test_the_models_are_the_components_and_no_more(clients: Mapping[str, Path], language: str):
    """No wrapper for a union, no invented `Inner`, `OneOf` or `Foo1`."""
    assert set(declared(OUTPUTS[language], clients[language])) == set(schemas())


@LANGUAGES
def test_every_enum_has_its_choices_and_one_for_those_to_come(
    clients: Mapping[str, Path], language: str
):
    output = OUTPUTS[language]
    models = declared(output, clients[language])
    for name, schema in schemas().items():
        if "enum" in schema:
            choices = re.findall(output.choice, models[name], re.MULTILINE)
            assert len(set(choices)) == len(choices)
            unknown = [choice for choice in choices if "unknown" in choice.lower()]
            assert len(unknown) >= 1, name
            said = [choice for choice in schema["enum"] if choice is not None]
            assert len(choices) - 1 == len(said), name


def test_dart_reads_a_choice_that_it_does_not_know(clients: Mapping[str, Path]):
    """By the template in sdk/templates; the generator's own throws."""
    models = declared(OUTPUTS["dart"], clients["dart"])
    for name, schema in schemas().items():
        if "enum" in schema:
            assert f"orElse: () => {name}.unknownDefaultOpenApi" in models[name]


@LANGUAGES
def test_only_what_the_document_leaves_open_is_untyped(clients: Mapping[str, Path], language: str):
    output = OUTPUTS[language]
    models = declared(output, clients[language])
    free = {
        (name, field)
        for name, schema in schemas().items()
        for field, inner in schema.get("properties", {}).items()
        if is_open(inner) or is_open(inner.get("items", {}))
    }
    untyped = {
        (name, field)
        for name, text in models.items()
        for field in re.findall(output.untyped, text, re.MULTILINE)
    }
    assert untyped == {(name, camel_case(field)) for name, field in free}
    for text in sources(clients[language], output.operations).values():
        assert re.findall(output.untyped_answer, text, re.MULTILINE) == []


def is_open(schema: dict[str, Any]) -> bool:
    return schema.get("type") == "object" and "properties" not in schema


def camel_case(name: str) -> str:
    return re.sub(r"_(\w)", lambda found: found[1].upper(), name)


@LANGUAGES
def test_every_operation_is_a_method_by_its_own_name(clients: Mapping[str, Path], language: str):
    text = "".join(sources(clients[language], OUTPUTS[language].operations).values())
    for methods in document()["paths"].values():
        for operation in methods.values():
            assert re.search(rf"\b{camel_case(operation['operationId'])}\(", text)


@pytest.mark.parametrize(
    ("language", "grammar", "pattern"),
    [
        ("swift", tree_sitter_swift, "Sources/**/*.swift"),
        ("dart", tree_sitter_dart_orchard, "lib/**/*.dart"),
    ],
    ids=["swift", "dart"],
)
def test_it_can_be_parsed(clients: Mapping[str, Path], language: str, grammar: Any, pattern: str):
    parser = Parser(Language(grammar.language()))
    broken = {
        name
        for name, text in sources(clients[language], pattern).items()
        if parser.parse(text.encode()).root_node.has_error
    }
    assert broken <= UNKNOWN_TO_THE_GRAMMAR


def test_kotlin_compiles(clients: Mapping[str, Path], tmp_path: Path):
    """Against stubs of OkHttp and Moshi, which can't be had from the registries in use."""
    run(
        *("bash", "node_modules/kotlin-compiler/bin/kotlinc", "-nowarn"),
        *("-d", tmp_path, STUBS, clients["kotlin"] / "src" / "main" / "kotlin"),
        within=COMPILES_WITHIN,
        # It starts once and ends: nothing is compiled hot, which saves a third of the time.
        JAVA_OPTS="-XX:+UseSerialGC -XX:TieredStopAtLevel=1",
    )
    compiled = {path.stem for path in tmp_path.rglob("games/fivecard/client/models/*.class")}
    assert set(schemas()) <= compiled
