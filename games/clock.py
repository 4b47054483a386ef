"""The time: the one place where the games ask for it, so that a test can say what it is."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone


def now() -> datetime:
    """The time, in UTC."""
    return timezone.now()


def moment(time: datetime | None) -> str | None:
    """A time as the contract writes it: UTC, whole seconds, Z."""
    return None if time is None else time.strftime("%Y-%m-%dT%H:%M:%SZ")
