"""`manage.py compile_texts`: after a change of a django.po, write the django.mo that is read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polib
from django.conf import settings
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    """Like Django's `compilemessages`, which needs GNU gettext on the machine."""

    help = "Compile every django.po of the project to the django.mo beside it."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        """Compile."""
        for folder in settings.LOCALE_PATHS:
            for source in sorted(Path(folder).glob("*/LC_MESSAGES/django.po")):
                polib.pofile(str(source)).save_as_mofile(str(source.with_suffix(".mo")))
                self.stdout.write(f"compiled {source.relative_to(settings.BASE_DIR)}")
