"""The service as a whole as a Django app: its own rows, and who is told what."""

from __future__ import annotations

from django.apps import AppConfig


class ConfigConfig(AppConfig):
    """Connects the receivers."""

    name = "config"

    def ready(self) -> None:
        """Called once all models are there."""
        from config import receivers  # noqa: F401 - importing connects it
