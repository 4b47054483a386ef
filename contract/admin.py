"""What every list of the admin shares: pages of a table that nobody counts."""

from __future__ import annotations

import json
from typing import Any, ClassVar

from django.contrib import admin
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.functional import cached_property
from django.utils.html import format_html

from contract.acts import ActsAdmin
from contract.csv_export import CsvExportAdmin

MOST_ROWS_COUNTED = 2000


class CappedPaginator(Paginator):
    """Pages of the first rows only: what lies further back is found by search and filters."""

    @cached_property
    def count(self) -> int:
        """How many rows there are, at most the cap: reads no more rows than that."""
        rows: Any = self.object_list
        return len(rows.values_list("pk")[:MOST_ROWS_COUNTED])


class LookOnly:
    """For an admin or an inline: staff look, nobody adds, changes or deletes."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never."""
        return False


class LookOnlyInline(LookOnly, admin.TabularInline):
    """Rows on the page of the row that they belong to, for who may see that one."""

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Always: it is the page's permission that counts."""
        return True


class RecordAdmin(LookOnly, CsvExportAdmin, ActsAdmin):
    """Records of what has happened, in a table of any size: found, looked at and exported.

    What an operator may do beyond that is an act of its own.
    """

    show_facets = admin.ShowFacets.NEVER
    show_full_result_count = False
    paginator = CappedPaginator
    sortable_by = ()
    ordering: ClassVar[tuple[str, ...]] = ("-pk",)
    actions = None
    # Shows the search box; `find` does the search.
    search_fields = ("pk",)

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        """Those rows that the term means, by an index."""
        raise NotImplementedError  # abstract: each admin names its own indexes

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """`find` instead of Django's search, which reads the table."""
        term = search_term.strip().replace("\0", "")
        return (self.find(queryset, term) if term else queryset), False


def as_code(value: Any) -> str:
    """A JSON value as a page shows it."""
    return format_html("<code>{}</code>", json.dumps(value, ensure_ascii=False))
