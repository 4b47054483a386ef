"""How the tables are emptied after a test: in place of the `sql_flush` of Django's operations."""

from __future__ import annotations

from typing import Any

from django.db.backends.postgresql.operations import DatabaseOperations

LEDGER = "scoring_ledgerentry"
# What the migrations wrote, and no test changes: so nobody has to write it again after each test.
KEPT = {"django_content_type", "auth_permission"}

django_flush = DatabaseOperations.sql_flush


def rows_delete(operations: Any, style: Any, tables: list[str], **_: Any) -> list[str]:
    """In a tenth of the time that TRUNCATE takes for so many small tables.

    Triggers and foreign keys are set aside for it, which only a superuser may do.
    """
    names = [operations.quote_name(table) for table in tables if table not in KEPT]
    deletes = [f"DELETE FROM {name}" for name in names]
    return ["; ".join(["SET LOCAL session_replication_role = replica", *deletes])]


def tables_truncate(operations: Any, style: Any, tables: list[str], **more: Any) -> list[str]:
    """As Django does, for any other role, with the ledger's own triggers set aside: it refuses."""
    emptied = [table for table in tables if table not in KEPT]
    truncate = django_flush(operations, style, emptied, **more)
    if LEDGER not in tables:
        return truncate
    triggers = f"ALTER TABLE {operations.quote_name(LEDGER)} {{}} TRIGGER USER"
    return [triggers.format("DISABLE"), *truncate, triggers.format("ENABLE")]
