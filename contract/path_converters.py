"""Ids in addresses."""

from __future__ import annotations

from uuid import UUID

from django.urls.converters import UUIDConverter


class AnyCaseUUID(UUIDConverter):
    """A UUID in either case: RFC 9562 takes both, and Swift writes upper case."""

    regex = "[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"

    def to_python(self, value: str) -> UUID:
        """The id."""
        return UUID(value)
