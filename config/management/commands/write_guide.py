"""`manage.py write_guide`: after a change of an error code, write the guide's table of them."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils.translation import override

from config.error_codes import error_codes_list

GUIDE = Path(settings.BASE_DIR) / "docs/guide.md"
BEGIN = "<!-- error codes: written by manage.py write_guide -->\n"
END = "<!-- end of error codes -->\n"


class Command(BaseCommand):
    """Tables of the guide that follow from the code."""

    help = "Write the table of error codes in docs/guide.md anew."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        """Write it."""
        GUIDE.write_text(guide_with_codes(GUIDE.read_text(encoding="utf-8")), encoding="utf-8")
        self.stdout.write(f"wrote {GUIDE.relative_to(settings.BASE_DIR)}")


def guide_with_codes(guide: str) -> str:
    """The guide with the table of now. Raises ValueError where its marks are missing."""
    before, begin, rest = guide.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError("the guide has lost the marks around its table of error codes")
    return f"{before}{begin}\n{_table()}\n{end}{after}"


def _table() -> str:
    with override("en"):
        rows = sorted(error_codes_list(), key=lambda row: row["status"])
    lines = [
        f"| {row['status']} | `{row['code']}` | {escape(row['detail'], quote=False)} |"
        for row in rows
    ]
    return "\n".join(("| status | code | detail |", "| --- | --- | --- |", *lines, ""))
