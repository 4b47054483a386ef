"""`config.wsgi` with the addresses of the benchmark."""

from __future__ import annotations

import os

from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
settings.ROOT_URLCONF = "tests.benchmarks.urls"

from config.wsgi import application  # noqa: E402 - the addresses first

__all__ = ["application"]
