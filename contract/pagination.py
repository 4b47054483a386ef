"""Lists in pages, by a cursor that neither skips nor repeats while rows are added."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError as DjangoValidationError
from django.utils.translation import gettext as _
from rest_framework.exceptions import ErrorDetail, NotFound, ValidationError
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request


class NewestFirst(CursorPagination):
    """`{"next", "previous", "results"}`; `limit` 1-100, 20 if not given."""

    page_size = 20
    max_page_size = 100
    page_size_query_param = "limit"
    ordering: tuple[str, ...] = ("-created_at", "-id")

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

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> Any:
        """The page. Raises ValidationError for a `limit` or a `cursor` that is none."""
        try:
            return super().paginate_queryset(queryset, request, view)
        except (NotFound, DjangoValidationError, ValueError) as error:
            if self.cursor_query_param not in request.query_params:
                raise
            detail = ErrorDetail(_("Not a cursor of this list."), code="invalid_cursor")
            raise ValidationError({self.cursor_query_param: detail}) from error

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
                "schema": {"type": "integer", "minimum": 1, "maximum": 100, "default": 20},
            },
        ]

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """The page: all three fields are always there."""
        link = {"type": "string", "format": "uri", "nullable": True}
        page = "https://cards.example/api/v1/players/me/devices/?cursor=cD0yMDI2"
        return {
            "type": "object",
            "required": ["next", "previous", "results"],
            "properties": {
                "next": link | {"example": page},
                "previous": link | {"example": None},
                "results": schema,
            },
        }
