"""Reads on the path of every move, whose SQL is written once.

For a read of one row, the ORM spends several times as long on writing its SQL as PostgreSQL on
answering it. The SQL is still the ORM's own, so it follows the models.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, Generic, TypeVar

from django.db import connection
from django.db.models import Model, QuerySet

M = TypeVar("M", bound=Model)


class PreparedRead(Generic[M]):
    """A queryset of one parameter, such as `filter(id=parameter)`, to be read again and again."""

    def __init__(self, queryset: Callable[[Any], QuerySet[M, Any]], *, example: Any) -> None:
        """`example` is any value of the parameter's type; the SQL is written with it."""
        self._queryset, self._example = queryset, example

    @cached_property
    def _sql(self) -> str:
        """The SQL, with a place for the parameter."""
        queryset = self._queryset(self._example)
        sql, parameters = queryset.query.sql_with_params()
        assert list(parameters) == [self._example], "a prepared read has one parameter"
        return sql

    def instances(self, parameter: Any, *, lock: bool = False) -> list[M]:
        """The rows as instances; with `lock`, held until the transaction ends."""
        sql = self._sql + (" FOR NO KEY UPDATE" if lock else "")
        manager = self._queryset(self._example).model._default_manager
        return list(manager.raw(sql, [parameter]))

    def rows(self, parameter: Any) -> list[tuple[Any, ...]]:
        """The rows as they are."""
        with connection.cursor() as cursor:
            cursor.execute(self._sql, [parameter])
            return cursor.fetchall()
