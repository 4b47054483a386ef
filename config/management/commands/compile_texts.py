"""`manage.py compile_texts`: after a change of a Chinese text, write all that follows from it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import polib
from django.conf import settings
from django.core.management.base import BaseCommand
from opencc import OpenCC

from games.services.catalogue import RULES_PAGES

LOCALES = Path(settings.BASE_DIR) / "config/locale"
TRADITIONAL = LOCALES / "zh_Hant/LC_MESSAGES/django.po"
SIMPLIFIED = LOCALES / "zh_Hans/LC_MESSAGES/django.po"
HEADER = "Simplified Chinese, made of zh_Hant by manage.py compile_texts: do not edit"


class Command(BaseCommand):
    """Simplified from Traditional Chinese, and each django.mo, without GNU gettext."""

    help = (
        "Write every Simplified Chinese text anew from the Traditional one, then compile every "
        "django.po to the django.mo beside it."
    )
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        """Write what follows from the texts."""
        for path, text in simplified_files().items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            self.stdout.write(f"wrote {path.relative_to(settings.BASE_DIR)}")
        for source in (TRADITIONAL, SIMPLIFIED):
            polib.pofile(str(source)).save_as_mofile(str(source.with_suffix(".mo")))
            self.stdout.write(f"compiled {source.relative_to(settings.BASE_DIR)}")


def simplified_files() -> dict[Path, str]:
    """Every file of Simplified Chinese, as it follows from the Traditional texts."""
    pages = sorted((RULES_PAGES / "zh-Hant").glob("*.md"))
    return {SIMPLIFIED: _simplified_catalogue()} | {
        RULES_PAGES / "zh-Hans" / page.name: simplified(page.read_text(encoding="utf-8"))
        for page in pages
    }


def _simplified_catalogue() -> str:
    catalogue = polib.pofile(str(TRADITIONAL))
    catalogue.header = HEADER
    catalogue.metadata["Language"] = "zh_Hans"
    for entry in catalogue:
        entry.msgstr = simplified(entry.msgstr)
    return f"{catalogue}\n"


def simplified(text: str) -> str:
    """The text in Simplified characters and the words of the mainland."""
    return str(_converter().convert(text))


@cache
def _converter() -> OpenCC:
    return OpenCC("tw2sp")
