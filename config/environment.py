"""Reading variables of the environment: the right kind of value, or a word about which is not.

The word never repeats the value, which may be a secret. All raise ImproperlyConfigured.
"""

from __future__ import annotations

import os
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured
from limits import RateLimitItem, parse_many

ON = ("1", "on", "true", "yes")
OFF = ("0", "off", "false", "no")


def text(name: str, default: str) -> str:
    """The value as it is."""
    return os.environ.get(name, default)


def flag(name: str, *, default: bool) -> bool:
    """On or off."""
    value = os.environ.get(name, "").lower()
    if value not in ("", *ON, *OFF):
        raise ImproperlyConfigured(f"{name} must be on or off.")
    return value in ON if value else default


def choice(name: str, choices: tuple[str, ...], *, default: str) -> str:
    """One of some words."""
    value = os.environ.get(name, default)
    if value not in choices:
        raise ImproperlyConfigured(f"{name} must be one of {', '.join(choices)}.")
    return value


def number(name: str, *, default: float) -> float:
    """A number that is not negative."""
    try:
        value = float(os.environ.get(name, default))
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise ImproperlyConfigured(f"{name} must be a number, 0 or more.")
    return value


def count(name: str, *, default: int) -> int:
    """A whole number that is not negative."""
    value = os.environ.get(name, str(default))
    if not (value.isascii() and value.isdigit()):
        raise ImproperlyConfigured(f"{name} must be a whole number, 0 or more.")
    return int(value)


def rate(name: str, *, default: str) -> RateLimitItem:
    """How often in which time."""
    try:
        (value,) = parse_many(os.environ.get(name, default))
    except ValueError:
        raise ImproperlyConfigured(f"{name} must be like 100/minute or 30/10 minutes.") from None
    return value


def words(name: str, *, default: list[str]) -> list[str]:
    """Words between commas."""
    value = os.environ.get(name)
    if value is None:
        return default
    return [word for part in value.split(",") if (word := part.strip())]


def url(name: str, schemes: tuple[str, ...], *, default: str = "") -> str:
    """A URL of one of these schemes; empty if there is none."""
    value = os.environ.get(name, default)
    try:
        parts = urlsplit(value)
        fits = parts.scheme in schemes and parts.port != 0
    except ValueError:
        fits = False
    if value and not fits:
        raise ImproperlyConfigured(
            f"{name} must be a URL that begins with {schemes[0]}://, with special characters in "
            "its parts percent-encoded."
        )
    return value
