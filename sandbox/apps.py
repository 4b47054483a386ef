"""The Django app."""

from __future__ import annotations

from django.apps import AppConfig
from django.conf import settings


class SandboxConfig(AppConfig):
    """Tells the bots what to play, where the sandbox is on."""

    name = "sandbox"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Listen to the bots."""
        if settings.SANDBOX:
            from sandbox import receivers

            receivers.listen()
