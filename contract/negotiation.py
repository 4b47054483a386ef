"""JSON in, JSON out, whatever a client says it accepts."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable
from typing import Any

from rest_framework.exceptions import ParseError
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.parsers import JSONParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request


class StrictJsonParser(JSONParser):
    """JSON that can also be written down and sent back.

    Nested without end, or with half of a surrogate pair (which JSON can spell and UTF-8 cannot),
    it is an error of the sender.
    """

    def parse(
        self, stream: Any, media_type: str | None = None, parser_context: Any = None
    ) -> dict[str, Any]:
        """The parsed body. Raises ParseError."""
        text = stream.read()
        try:
            parsed: dict[str, Any] = super().parse(io.BytesIO(text), media_type, parser_context)
            if b"\\u" in text:
                json.dumps(parsed, ensure_ascii=False).encode()
        except RecursionError as error:
            raise ParseError("JSON is nested too deeply.") from error
        except UnicodeEncodeError as error:
            raise ParseError("JSON holds half of a surrogate pair.") from error
        return parsed


class AlwaysJson(DefaultContentNegotiation):
    """The one renderer for every `Accept`: a client that asks for HTML is told in JSON too."""

    def select_renderer(
        self,
        request: Request,
        renderers: Iterable[BaseRenderer],
        format_suffix: str | None = None,
    ) -> tuple[BaseRenderer, str]:
        """JSON."""
        renderer = next(iter(renderers))
        return renderer, str(renderer.media_type)
