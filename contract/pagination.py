"""Lists in pages, by a cursor that neither skips nor repeats while rows are added.

A cursor is signed for its list: what another list gave, or nobody, is refused. So what is read from
one needs no check.
"""

from __future__ import annotations

from typing import Any

from django.core.signing import BadSignature, Signer
from django.utils.translation import gettext as _
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request
from rest_framework.utils.urls import replace_query_param


class NewestFirst(CursorPagination):
    """`{"next", "previous", "results"}`; `limit` 1-100, 20 if not given."""

    page_size = 20
    max_page_size = 100
    page_size_query_param = "limit"
    ordering: tuple[str, ...] = ("-created_at", "-id")
    # Set for each page, which the stubs of the framework do not know.
    request: Request
    base_url: str

    def get_page_size(self, request: Request) -> int:
        """The asked-for size. Raises ValidationError (field `limit`) out of 1-100."""
        text = request.query_params.get("limit")
        if text is None:
            return self.page_size
        if not (text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= self.max_page_size):
            raise ValidationError(
                {"limit": _("A whole number from 1 to %(limit)s.") % {"limit": self.max_page_size}}
            )
        return int(text)

    def decode_cursor(self, request: Request) -> Cursor | None:
        """Where the page starts. Raises ValidationError."""
        place = self.place(request, of=request.path)
        return None if place is None else Cursor(*place)

    def encode_cursor(self, cursor: Cursor) -> str:
        """The address of a page. A moment means the same under every filter of the list."""
        return self.link(self.base_url, list(cursor), of=self.request.path)

    def place(self, request: Request, *, of: str) -> list[Any] | None:
        """What the cursor holds, None without one.

        Raises ValidationError (field `cursor`) for one that no page of this list has given.
        """
        text = request.query_params.get(self.cursor_query_param)
        if text is None:
            return None
        try:
            place: list[Any] = _signer(of).unsign_object(text)
        except BadSignature as error:
            detail = ErrorDetail(_("Not a cursor of this list."), code="invalid_cursor")
            raise ValidationError({self.cursor_query_param: detail}) from error
        return place

    def link(self, url: str, place: list[Any], *, of: str) -> str:
        """The address with a cursor that holds this place of the list named."""
        return replace_query_param(url, self.cursor_query_param, _signer(of).sign_object(place))

    def refuse_unknown(self, request: Request) -> None:
        """For a list without filters. Raises ValidationError for any other word in the query."""
        known = (self.cursor_query_param, self.page_size_query_param)
        unknown = [name for name in request.query_params if name not in known]
        if unknown:
            detail = ErrorDetail(_("This field is not known."), code="unknown_field")
            raise ValidationError({name[:100]: detail for name in unknown[:20]})

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        """`cursor` and `limit`, with their bounds."""
        return [
            {
                "name": "cursor",
                "in": "query",
                "required": False,
                "description": "Where the page starts: from `next` or `previous`.",
                "schema": {"type": "string"},
            },
            {
                "name": "limit",
                "in": "query",
                "required": False,
                "description": "How many results a page has.",
                "schema": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": self.max_page_size,
                    "default": self.page_size,
                },
            },
        ]

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """The page: all three fields are always there. The top layer knows the addresses."""
        link = {"type": "string", "format": "uri", "nullable": True, "example": None}
        return {
            "type": "object",
            "required": ["next", "previous", "results"],
            "properties": {"next": link, "previous": link, "results": schema},
        }


def _signer(of: str) -> Signer:
    return Signer(salt=f"cursor of {of}", sep=".")
