"""Lists of the admin as CSV files for a spreadsheet, of any length."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, ClassVar, Final

from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, StreamingHttpResponse
from django.urls import URLPattern, path
from django.utils import timezone

# A spreadsheet takes a text that begins so for a formula (OWASP: CSV injection).
FORMULA_STARTS: Final = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")
# By this a spreadsheet knows that the file is UTF-8.
BYTE_ORDER_MARK: Final = "\ufeff"
ROWS_AT_ONCE: Final = 2000


class CsvExportAdmin(admin.ModelAdmin):
    """An admin whose list can be had as a file, as it is filtered and searched.

    `export_fields` name the columns: fields and lookups of the model.
    """

    export_fields: ClassVar[tuple[str, ...]]
    change_list_template = "operator/change_list.html"

    def get_urls(self) -> list[URLPattern]:
        """The file's address, before Django's, one of which takes anything."""
        name = f"{self.opts.app_label}_{self.opts.model_name}_export"
        own = path("export/", self.admin_site.admin_view(self._export), name=name)
        return [own, *super().get_urls()]

    def _export(self, request: HttpRequest) -> HttpResponse | StreamingHttpResponse:
        if not self.has_view_or_change_permission(request):
            raise PermissionDenied
        try:
            rows = self.get_changelist_instance(request).queryset
        except IncorrectLookupParameters:
            return HttpResponseRedirect("../?e=1")
        values = rows.values_list(*self.export_fields).iterator(chunk_size=ROWS_AT_ONCE)
        header = [name.replace("__", "_") for name in self.export_fields]
        day = timezone.now().strftime("%Y-%m-%d")
        return StreamingHttpResponse(
            csv_lines(header, values),
            content_type="text/csv; charset=utf-8",
            headers={
                "Content-Disposition": f'attachment; filename="{self.opts.model_name}-{day}.csv"'
            },
        )


def csv_lines(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    """The lines of the file, one at a time."""
    writer = csv.writer(_Line())
    yield BYTE_ORDER_MARK + writer.writerow(header)
    for row in rows:
        yield writer.writerow([_cell(value) for value in row])


def _cell(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%dT%H:%M:%SZ")
    if isinstance(value, list | dict):
        value = json.dumps(value, ensure_ascii=False, default=str)
    if isinstance(value, str) and value.lstrip(" ").startswith(FORMULA_STARTS):
        return f"'{value}"
    return value


class _Line:
    """A file for the csv module that gives back what is written instead of keeping it."""

    def write(self, line: str) -> str:
        return line
