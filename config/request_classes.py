"""The requests of this service, for its WSGI and its ASGI handler."""

from __future__ import annotations

from typing import Any, Final

from django.core.handlers.asgi import ASGIRequest
from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpRequest

UNREADABLE: Final = "unreadable"
"""A charset that there is not, in place of what cannot be read."""


class InUtf8(HttpRequest):
    """Of a request class: its query is UTF-8, whatever is said of its body.

    Django would read it by the charset of `Content-Type`, and Python knows some that are none.
    """

    def _set_content_type_params(self, meta: dict[str, Any]) -> None:
        """In place of Django's, which stumbles over parameters that RFC 2231 lets be encoded."""
        try:
            super()._set_content_type_params(meta)  # type: ignore[misc]
        except (LookupError, ValueError):
            self.content_type = meta.get("CONTENT_TYPE", "").partition(";")[0].strip().lower()
            self.content_params = {"charset": UNREADABLE}

    @property
    def encoding(self) -> str | None:
        """Of the query."""
        return "utf-8"

    @encoding.setter
    def encoding(self, said: str | None) -> None:
        """Pass over what is said."""


class WsgiRequest(InUtf8, WSGIRequest):
    """Under WSGI."""


class AsgiRequest(InUtf8, ASGIRequest):
    """Under ASGI."""
