"""The texts for people: complete in both languages, and compiled."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polib
import pytest
from django.conf import settings
from django.utils import translation
from rest_framework import serializers

from config.problems import PROBLEMS
from contract.serializers import StrictSerializer
from games.api.waiting import WaitQuerySerializer

ROOT = Path(settings.BASE_DIR)
CATALOGUE = ROOT / "config/locale/zh_Hant/LC_MESSAGES/django.po"
PACKAGES = ("config", "contract", "players", "scoring", "games", "bots")
MARKERS = {"_", "gettext", "gettext_lazy"}
CHINESE = re.compile("[\u4e00-\u9fff]")
PLACEHOLDER = re.compile(r"%\(\w+\)s|\{[^}]*\}")


def catalogue() -> polib.POFile:
    return polib.pofile(str(CATALOGUE))


def texts_in_code() -> Iterator[tuple[str, str]]:
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if (
                    isinstance(node, ast.Call)
                    and isinstance(node.func, ast.Name)
                    and node.func.id in MARKERS
                ):
                    text = ast.literal_eval(node.args[0])
                    yield text, f"{path.relative_to(ROOT)}:{node.lineno}"


def test_every_text_of_the_code_is_in_the_catalogue():
    known = {entry.msgid for entry in catalogue()}
    found = list(texts_in_code())
    assert len(found) > 100
    assert {text: where for text, where in found if text not in known} == {}


def test_the_catalogue_has_no_text_that_nobody_shows():
    used = {text for text, _ in texts_in_code()}
    own = {entry.msgid for entry in catalogue() if not entry.comment}
    assert own - used == set()


def test_the_compiled_catalogue_is_the_written_one():
    compiled = polib.mofile(str(CATALOGUE.with_suffix(".mo")))
    assert {e.msgid: e.msgstr for e in compiled} == {e.msgid: e.msgstr for e in catalogue()}


@pytest.mark.parametrize("entry", catalogue(), ids=lambda entry: entry.msgid[:40])
def test_a_translation_is_chinese_with_the_same_facts(entry):
    assert not entry.fuzzy
    assert CHINESE.search(entry.msgstr)
    assert sorted(PLACEHOLDER.findall(entry.msgid)) == sorted(PLACEHOLDER.findall(entry.msgstr))


@pytest.mark.parametrize("code", PROBLEMS)
def test_every_error_code_has_both_languages(code):
    kind = PROBLEMS[code]
    for text in (kind.title, kind.detail):
        with translation.override("en"):
            english = str(text)
        with translation.override("zh-hant"):
            chinese = str(text)
        assert english
        assert not CHINESE.search(english)
        assert CHINESE.search(chinese)


def subclasses(of: type[Any]) -> Iterator[type[Any]]:
    for cls in of.__subclasses__():
        yield cls
        yield from subclasses(cls)


def fields_within(field: Any) -> Iterator[Any]:
    yield field
    for inner in getattr(field, "fields", {}).values():
        yield from fields_within(inner)
    if getattr(field, "child", None) is not None:
        yield from fields_within(field.child)


INPUTS = [*subclasses(StrictSerializer), WaitQuerySerializer]


@pytest.mark.parametrize("serializer", INPUTS, ids=lambda cls: cls.__name__)
def test_every_error_of_every_field_is_said_in_chinese(serializer: type[serializers.Serializer]):
    with translation.override("zh-hant"):
        for field in fields_within(serializer()):
            for code, message in field.error_messages.items():
                assert CHINESE.search(str(message)), (type(field).__name__, code, str(message))
            for validator in field.validators:
                message = str(getattr(validator, "message", "一"))
                assert CHINESE.search(message), (type(validator).__name__, message)
