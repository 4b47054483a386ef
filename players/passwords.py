"""What a password must be."""

from __future__ import annotations

from django.contrib.auth.password_validation import validate_password

from players.models import Player

# The least is that of Django's MinimumLengthValidator (AUTH_PASSWORD_VALIDATORS).
MIN_PASSWORD_LENGTH = 8
MAX_PASSWORD_LENGTH = 128


def password_validate(*, password: str, username: str, display_name: str = "") -> None:
    """Raise Django's ValidationError for a weak password, or one like the username."""
    validate_password(password, user=Player(username=username, display_name=display_name))
