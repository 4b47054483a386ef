"""The Django app."""

from __future__ import annotations

from django.apps import AppConfig


class GamesConfig(AppConfig):
    """Connects the clock to the games' signals."""

    name = "games"

    def ready(self) -> None:
        """Listen."""
        from games import receivers  # noqa: F401 - importing connects it
