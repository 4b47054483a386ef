"""The Django app."""

from __future__ import annotations

from django.apps import AppConfig


class BotsConfig(AppConfig):
    """Connects the bots to the games' signals."""

    name = "bots"

    def ready(self) -> None:
        """Listen to the games."""
        from bots import receivers  # noqa: F401 - importing connects it
