"""JSON in, JSON out, whatever a client says it accepts."""

from __future__ import annotations

import codecs
from collections.abc import Iterable
from typing import Any

from rest_framework.exceptions import ParseError, UnsupportedMediaType
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.parsers import JSONParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.utils import json


class StrictJsonParser(JSONParser):
    """JSON that can also be written down and sent back.

    Nested without end, with a field named twice, or with half of a surrogate pair (which JSON can
    spell and UTF-8 cannot), it is an error of the sender.
    """

    def parse(
        self, stream: Any, media_type: str | None = None, parser_context: Any = None
    ) -> dict[str, Any]:
        """The parsed body. Raises ParseError, and UnsupportedMediaType for another charset."""
        sent: Any = parser_context["request"]._request
        if not _is_utf_8((sent.content_params or {}).get("charset", "utf-8")):
            raise UnsupportedMediaType(media_type or "")
        text = stream.read()
        try:
            parsed: dict[str, Any] = json.loads(text.decode(), object_pairs_hook=_each_name_once)
            if b"\\u" in text:
                json.dumps(parsed, ensure_ascii=False).encode()
        except RecursionError as error:
            raise ParseError("JSON is nested too deeply.") from error
        except UnicodeEncodeError as error:
            raise ParseError("JSON holds half of a surrogate pair.") from error
        except ValueError as error:
            raise ParseError(str(error)) from error
        return parsed


def _is_utf_8(charset: str) -> bool:
    try:
        return codecs.lookup(charset).name == "utf-8"
    except (LookupError, ValueError):
        return False


def _each_name_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object. Which of two equal names a reader takes is left open (RFC 8259, 4): none here."""
    named = dict(pairs)
    if len(named) < len(pairs):
        raise ValueError("JSON names a field of an object more than once.")
    return named


class AlwaysJson(DefaultContentNegotiation):
    """The one renderer for every `Accept`: a client that asks for HTML is told in JSON too."""

    def select_parser(self, request: Request, parsers: Iterable[Any]) -> Any:
        """The parser of exactly this media type; a body that is of any is of none."""
        named = (request.content_type or "").partition(";")[0].strip().lower()
        return next((parser for parser in parsers if parser.media_type == named), None)

    def select_renderer(
        self,
        request: Request,
        renderers: Iterable[BaseRenderer],
        format_suffix: str | None = None,
    ) -> tuple[BaseRenderer, str]:
        """JSON."""
        renderer = next(iter(renderers))
        return renderer, str(renderer.media_type)
