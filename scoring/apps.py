"""The Django app."""

from __future__ import annotations

from django.apps import AppConfig


class ScoringConfig(AppConfig):
    """Names the app."""

    name = "scoring"
