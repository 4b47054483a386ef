"""The players app."""

from __future__ import annotations

from django.apps import AppConfig


class PlayersConfig(AppConfig):
    """Who someone is; knows nothing of games."""

    name = "players"
