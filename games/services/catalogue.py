"""The catalogue: what a client needs to know of each game before it opens a table."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final

from django.utils.translation import gettext, override

from games.rules.registry import VARIANTS
from games.rules.variant import VariantInfo
from games.selectors.calculators import game_get
from games.services.options import BOT_LEVELS, OPTIONS, Option
from games.services.words import names_of
from players.languages import language_shown

RULES_PAGES: Final = Path(__file__).parents[1] / "rules_pages"
JSON_TYPES: Final = {int: "integer", str: "string"}
BOUNDS: Final = {int: ("minimum", "maximum"), str: ("minLength", "maxLength")}


def games_list() -> list[dict[str, Any]]:
    """Every game, in the active language."""
    return [_card(slug, language_shown()) for slug in VARIANTS]


def game_describe(*, game: str) -> dict[str, Any]:
    """One game with its rules as Markdown, in the active language. Raises GameNotFound."""
    slug, language = game_get(game).info.slug, language_shown()
    return _page(slug, language)


@cache
def _card(slug: str, language: str) -> dict[str, Any]:
    with override(language):
        return _card_now(VARIANTS[slug].info)


def _card_now(info: VariantInfo) -> dict[str, Any]:
    """In the active language."""
    return {
        "slug": info.slug,
        "name": gettext(info.name),
        "summary": gettext(info.summary),
        "seats": info.seats,
        "deck_size": info.deck_size,
        "direction": info.direction.value,
        "kind": info.kind.value,
        "score_scope": info.score_scope.value,
        "bot_levels": list(BOT_LEVELS),
        "patterns": _named(info, "patterns"),
        "specials": _named(info, "specials"),
        "options": _options_schema(info),
    }


@cache
def _page(slug: str, language: str) -> dict[str, Any]:
    info = VARIANTS[slug].info
    with override(language):
        named = {part: _named(info, part) for part in ("phases", "move_types", "reasons")}
    rules = (RULES_PAGES / language / f"{slug}.md").read_text(encoding="utf-8")
    return {**_card(slug, language), **named, "rules": rules}


def _named(info: VariantInfo, part: str) -> list[dict[str, str]]:
    return [{"word": word, "name": name} for word, name in names_of(info, part).items()]


def _options_schema(info: VariantInfo) -> dict[str, Any]:
    """The JSON Schema of the options that a table of this game can be opened with."""
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            option.name: _option_schema(option, info)
            for option in OPTIONS
            if option.belongs_to(info)
        },
    }


def _option_schema(option: Option, info: VariantInfo) -> dict[str, Any]:
    kind = JSON_TYPES[option.type]
    least, most = BOUNDS[option.type]
    schema: dict[str, Any] = {
        "type": [kind, "null"] if option.nullable else kind,
        "description": str(option.description),
        "default": option.default_for(info),
    }
    if option.choices:
        schema["enum"] = list(option.choices)
    elif option.minimum or option.type is int:
        schema[least] = option.minimum
    if option.maximum is not None:
        schema[most] = option.maximum
    return schema
