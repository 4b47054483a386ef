#!/usr/bin/env python
"""Django's command line for this project."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run a management command with the project's settings."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if sys.argv[1:2] == ["serve"]:
        # `serve` is the embedded default, also when it is pointed at servers that run already.
        os.environ.setdefault("ENVIRONMENT", "embedded")

    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        # Django's sentence asks for a setting that is made of a variable here.
        if str(error).startswith("settings.DATABASES is improperly configured"):
            sys.exit(
                "no database: set DATABASE_URL, or start `manage.py serve` (and set DATA_DIR to "
                "its --data)"
            )
        sys.exit(f"The settings do not allow this: {error}")
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
