"""What several tests begin with: made once, and put back as it was before each of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar, cast

import pytest
from django.db import connection, transaction

from games.selectors.live import live_rounds_forget
from players.models import Player
from tests.deals import deals_follow_from
from tests.emptying import KEPT

T = TypeVar("T")

Rows = dict[str, bytes]
"""Those of each table that has some, as PostgreSQL writes them down."""

# Their triggers note the very rows that are put back beside them.
NOTING: Final = ("scoring_standing",)

_made: dict[tuple[Any, ...], tuple[Any, Rows]] = {}


def once(make: Callable[..., T], *args: Any) -> T:
    """What `make` gives and stores, in an empty database.

    It is called in the first test of this process that asks; the deals follow from its name.
    """
    assert not Player.objects.exists(), "there is something before it"
    key = (make, *args)
    if key in _made:
        made, rows = _made[key]
        _rows_write(rows)
    else:
        with pytest.MonkeyPatch.context() as monkeypatch:
            deals_follow_from(monkeypatch, f"{make.__module__} {make.__qualname__} {args}")
            made = make(*args)
        _made[key] = made, _rows_read()
        live_rounds_forget()
    return cast(T, made)


def _rows_read() -> Rows:
    rows = {}
    with connection.cursor() as cursor:
        for table in set(connection.introspection.django_table_names(only_existing=True)) - KEPT:
            with cursor.copy(f"COPY {connection.ops.quote_name(table)} TO STDOUT") as copy:
                rows[table] = b"".join(copy)
    return {table: written for table, written in rows.items() if written}


def _rows_write(rows: Rows) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        for table in NOTING:
            cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        for table, written in rows.items():
            with cursor.copy(f"COPY {connection.ops.quote_name(table)} FROM STDIN") as copy:
                copy.write(written)
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for table in NOTING:
            cursor.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")
