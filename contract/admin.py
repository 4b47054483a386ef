"""What every list of the admin shares: pages of a table that nobody counts."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib import admin
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.functional import cached_property

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


class RecordAdmin(LookOnly, admin.ModelAdmin):
    """Records of what has happened, in a table of any size: found and looked at."""

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
