"""Reads on the path of every move, whose SQL is written once.

For a read of a few rows, the ORM spends several times as long on writing its SQL as PostgreSQL on
answering it. The SQL is still the ORM's own, so it follows the models.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any, Generic, TypeVar

from django.db import connection
from django.db.models import Model, QuerySet
from django.db.models.sql.compiler import SQLCompiler

M = TypeVar("M", bound=Model)
N = TypeVar("N", bound=Model)

LOCKED = " FOR NO KEY UPDATE"


class PreparedRead(Generic[M]):
    """A queryset of a few parameters, such as `filter(id=id)`, to be read again and again."""

    def __init__(self, queryset: Callable[..., QuerySet[M, Any]], *example: Any) -> None:
        """`example` are any values of the parameters' types; the SQL is written with them."""
        self._queryset, self._example = queryset, example

    @cached_property
    def _compiler(self) -> SQLCompiler:
        return self._queryset(*self._example).query.get_compiler(connection=connection)

    @cached_property
    def sql(self) -> str:
        """The SQL, with a place for each parameter."""
        sql, parameters = self._compiler.as_sql()
        assert tuple(parameters) == self._example, "the parameters, each once and in their order"
        return sql

    @cached_property
    def _converters(self) -> dict[int, Any]:
        return self._compiler.get_converters([column for column, _, _ in self._compiler.select])

    @cached_property
    def _names(self) -> list[str]:
        """The fields of an instance, in the order of the columns; annotations come after them."""
        return [column.target.attname for column, _, name in self._compiler.select if not name]

    @cached_property
    def _annotations(self) -> dict[str, int]:
        return dict(self._compiler.annotation_col_map or {})

    @cached_property
    def _model(self) -> type[M]:
        return self._queryset(*self._example).model

    def instances(self, rows: Iterable[Sequence[Any]]) -> list[M]:
        """The instances that these rows of the SQL are."""
        if self._converters:
            rows = self._compiler.apply_converters(rows, self._converters)
        return [self._instance(row) for row in rows]

    def _instance(self, row: Sequence[Any]) -> M:
        instance = self._model.from_db(connection.alias, self._names, row[: len(self._names)])
        for name, column in self._annotations.items():
            setattr(instance, name, row[column])
        return instance

    def rows(self, *parameters: Any) -> list[tuple[Any, ...]]:
        """The rows as they are."""
        with connection.cursor() as cursor:
            cursor.execute(self.sql, parameters)
            return cursor.fetchall()


def read_together(
    first: PreparedRead[M], second: PreparedRead[N], *parameters: Any, lock: bool = False
) -> tuple[list[M], list[N]]:
    """Two reads of the same parameters in one round trip.

    With `lock`, the first's rows are held until the transaction ends.

    Each statement sees what is committed when it begins: the second begins once the first has its
    lock, so what it reads is as fresh as what is locked.
    """
    sql = f"{first.sql}{LOCKED if lock else ''}; {second.sql}"
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters * 2)
        found = first.instances(cursor.fetchall())
        cursor.nextset()
        return found, second.instances(cursor.fetchall())
