"""The requests of this service, for its WSGI and its ASGI handler."""

from __future__ import annotations

from django.core.handlers.asgi import ASGIRequest
from django.core.handlers.wsgi import WSGIRequest


class InUtf8:
    """Of a request class: its query is UTF-8, whatever is said of its body.

    Django would read it by the charset of `Content-Type`, and Python knows some that are none.
    """

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
