"""Rows as they are stored, for who asks what is stored about them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from django.db.models import QuerySet

ROWS_AT_ONCE: Final = 500


def rows_stored(rows: QuerySet[Any], *, without: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """Each row by the names of its columns, read a few at a time.

    All columns but those of `without`: one that is added later is in it by itself.
    """
    columns = [field.attname for field in rows.model._meta.concrete_fields]
    shown = [name for name in columns if name not in without]
    return rows.order_by("pk").values(*shown).iterator(chunk_size=ROWS_AT_ONCE)
