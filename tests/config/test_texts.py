"""The texts for people: complete in every language, and compiled."""

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

from config.management.commands.compile_texts import (
    SIMPLIFIED,
    TRADITIONAL,
    simplified,
    simplified_files,
)
from config.problems import PROBLEMS
from contract.serializers import StrictSerializer
from games.api.waiting import WaitQuerySerializer
from games.rules.moves import MOVE_CLASS_BY_TYPE
from games.rules.registry import VARIANTS
from games.rules.variant import Phase
from games.services.catalogue import RULES_PAGES
from games.services.words import NAMES, NAMES_IN_A_GAME, names_of
from players.languages import Language
from tests.clients import Api

ROOT = Path(settings.BASE_DIR)
CATALOGUES = (TRADITIONAL, SIMPLIFIED)
CHINESE_LANGUAGES = [language for language in Language if language != Language.EN]
PACKAGES = ("config", "contract", "players", "scoring", "games", "bots", "sandbox")
MARKERS = {"_", "gettext", "gettext_lazy"}
CHINESE = re.compile("[\u4e00-\u9fff]")
IN_TEMPLATE = re.compile(r"""(?:translate |_\()["']([^"']+)["']""")
DJANGOS_OWN = {"Home"}
PLACEHOLDER = re.compile(r"%\(\w+\)s|\{[^}]*\}")


def catalogue(path: Path = TRADITIONAL) -> polib.POFile:
    return polib.pofile(str(path))


def texts_in_code() -> Iterator[tuple[str, str]]:
    for variant in VARIANTS.values():  # marked where they are shown, not where they are written
        yield variant.info.name, variant.info.slug
        yield variant.info.summary, variant.info.slug
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if (
                    isinstance(node, ast.Call)
                    and isinstance(node.func, ast.Name)
                    and node.func.id in MARKERS
                    and not isinstance(node.args[0], ast.Name | ast.Attribute)  # named above
                ):
                    text = ast.literal_eval(node.args[0])
                    yield text, f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in (ROOT / package).rglob("*.html"):
            for text in IN_TEMPLATE.findall(path.read_text()):
                if text not in DJANGOS_OWN:
                    yield text, str(path.relative_to(ROOT))


def test_every_text_of_the_code_is_in_the_catalogue():
    known = {entry.msgid for entry in catalogue()}
    found = list(texts_in_code())
    assert len(found) > 100
    assert {text: where for text, where in found if text not in known} == {}


def test_the_catalogue_has_no_text_that_nobody_shows():
    used = {text for text, _ in texts_in_code()}
    own = {entry.msgid for entry in catalogue() if not entry.comment}
    assert own - used == set()


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parts[-3])
def test_the_compiled_catalogue_is_the_written_one(path: Path):
    compiled = polib.mofile(str(path.with_suffix(".mo")))
    assert {e.msgid: e.msgstr for e in compiled} == {e.msgid: e.msgstr for e in catalogue(path)}


def test_simplified_chinese_is_what_follows_from_traditional():
    """After a change: manage.py compile_texts"""
    derived = simplified_files()
    assert len(derived) == 1 + len(VARIANTS)
    assert {path for path, text in derived.items() if path.read_text("utf-8") != text} == set()
    folders = {path.parent for path in derived}
    committed = {p for folder in folders for p in folder.iterdir() if p.suffix != ".mo"}
    assert committed == set(derived)


@pytest.mark.parametrize("language", Language)
def test_every_game_has_its_page_in_every_language(language: Language):
    pages = {page.stem for page in (RULES_PAGES / language).glob("*.md")}
    assert pages == set(VARIANTS)


def test_the_service_speaks_what_a_player_can_choose():
    assert [code for code, _ in settings.LANGUAGES] == [one.lower() for one in Language]


@pytest.mark.parametrize("part", NAMES)
@pytest.mark.parametrize("slug", VARIANTS)
def test_every_word_of_a_game_has_a_name_of_its_own_in_every_language(slug: str, part: str):
    info = VARIANTS[slug].info
    shown = {}
    for language in Language:
        with translation.override(language):
            shown[language] = names_of(info, part)
    for word in getattr(info, part):
        names = [shown[language][word] for language in Language]
        assert [bool(CHINESE.search(name)) for name in names] == [False, True, True]
        assert simplified(shown[Language.ZH_HANT][word]) == shown[Language.ZH_HANS][word]
    for names_by_word in shown.values():
        assert len(set(names_by_word.values())) == len(getattr(info, part))


def test_no_word_is_named_that_no_game_has():
    infos = {slug: variant.info for slug, variant in VARIANTS.items()}
    for part, names in NAMES.items():
        assert set(names) <= {word for info in infos.values() for word in getattr(info, part)}
    for slug, parts in NAMES_IN_A_GAME.items():
        for part, own in parts.items():
            assert set(own) <= set(getattr(infos[slug], part))


def test_every_move_and_every_phase_belongs_to_a_game():
    infos = [variant.info for variant in VARIANTS.values()]
    assert {word for info in infos for word in info.move_types} == set(MOVE_CLASS_BY_TYPE)
    assert {phase for info in infos for phase in info.phases} == set(Phase)


ENTRIES = [
    pytest.param(entry, id=f"{path.parts[-3]} {entry.msgid[:40]}")
    for path in CATALOGUES
    for entry in catalogue(path)
]


@pytest.mark.parametrize("entry", ENTRIES)
def test_a_translation_is_chinese_with_the_same_facts(entry):
    assert not entry.fuzzy
    assert CHINESE.search(entry.msgstr)
    assert sorted(PLACEHOLDER.findall(entry.msgid)) == sorted(PLACEHOLDER.findall(entry.msgstr))


@pytest.mark.parametrize("code", PROBLEMS)
def test_every_error_code_has_every_language(code):
    kind = PROBLEMS[code]
    for text in (kind.title, kind.detail):
        with translation.override("en"):
            english = str(text)
        assert english
        assert not CHINESE.search(english)
        for language in CHINESE_LANGUAGES:
            with translation.override(language):
                assert CHINESE.search(str(text)), language


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


@pytest.mark.parametrize("language", CHINESE_LANGUAGES)
@pytest.mark.parametrize("serializer", INPUTS, ids=lambda cls: cls.__name__)
def test_every_error_of_every_field_is_said_in_chinese(
    serializer: type[serializers.Serializer], language: Language
):
    with translation.override(language):
        for field in fields_within(serializer()):
            for code, message in field.error_messages.items():
                assert CHINESE.search(str(message)), (type(field).__name__, code, str(message))
            for validator in field.validators:
                assert CHINESE.search(str(validator.message)), type(validator).__name__


# Words of JSON, and an example of a time, in which a letter means the same in every language.
SAME_EVERYWHERE = re.compile(r"null|true|false|JSON|\d\d\d\d-\d\d-\d\dT[\d:]+Z")
# Without letters: details repeat a choice that there is not.
WRONG: list[Any] = [
    *(None, True, 1.5, 10**9, -1, "", "?", "\0", "?" * 999),
    *([], ["?"], [[]], {}, {"?": 1}),
]


def details(errors: Any) -> Iterator[str]:
    if isinstance(errors, dict | list):
        for inner in errors.values() if isinstance(errors, dict) else errors:
            yield from details(inner)
    else:
        yield str(errors)


@pytest.mark.parametrize("language", CHINESE_LANGUAGES)
@pytest.mark.parametrize("serializer", INPUTS, ids=lambda cls: cls.__name__)
def test_a_refusal_has_no_word_that_is_not_chinese(
    serializer: type[serializers.Serializer], language: Language
):
    """Neither English nor Python's: `list`, `True`."""
    with translation.override(language):
        bodies = [{name: wrong} for name in serializer().fields for wrong in WRONG]
        for body in (*bodies, [], "x", None, 5):
            field = serializer(data=body)
            assert not field.is_valid() or body is None or isinstance(body, dict)
            for detail in details(field.errors):
                assert CHINESE.search(detail), (body, detail)
                assert not LATIN.search(SAME_EVERYWHERE.sub("", detail)), (body, detail)


LATIN = re.compile(r"[A-Za-z]{2,}")
SENTENCE = re.compile(r"[a-z]+ [a-z]+ ")
FOR_PEOPLE = ("games/", "meta/error-codes/", *(f"games/{slug}/" for slug in VARIANTS))


def words(told: Any, path: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(told, dict):
        for name, inner in told.items():
            yield from words(inner, f"{path}.{name}")
    elif isinstance(told, list):
        for index, inner in enumerate(told):
            yield from words(inner, f"{path}.{index}")
    elif isinstance(told, str):
        yield path, told


@pytest.mark.parametrize("language", CHINESE_LANGUAGES)
@pytest.mark.parametrize("path", FOR_PEOPLE)
def test_what_is_told_of_the_service_has_no_english_sentence(path: str, language: Language):
    answer = Api().get(path, Accept_Language=language)
    assert answer.status == 200
    found = dict(words(answer.json))
    assert any(CHINESE.search(text) for text in found.values())
    assert {where: text for where, text in found.items() if SENTENCE.search(text)} == {}


# What these take is shown to people: by position, or by name.
SHOWN = {
    "ErrorDetail": (0, "string"),
    "ValidationError": (0, "message"),
    "DjangoValidationError": (0, "message"),
    "RegexValidator": (1, "message"),
    "Option": (3, "description"),
    "ProblemType": (1, "title"),
    "action": (None, "description"),
    "display": (None, "description"),
}


def unmarked(call: ast.Call) -> Iterator[str]:
    name = getattr(call.func, "id", getattr(call.func, "attr", ""))
    if name in SHOWN:
        place, keyword = SHOWN[name]
        given = [one.value for one in call.keywords if one.arg == keyword]
        given += [arg for index, arg in enumerate(call.args) if index == place]
        for value in given:
            if isinstance(value, ast.Constant | ast.JoinedStr):
                yield ast.unparse(value)


def test_no_text_for_people_is_written_without_a_mark():
    """Which the catalogue would not miss."""
    found = {
        f"{path.relative_to(ROOT)}:{node.lineno}": text
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        for text in unmarked(node)
    }
    assert found == {}
