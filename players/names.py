"""What a player may be called, and what one is called who did not say."""

from __future__ import annotations

import re
import secrets
import unicodedata
from typing import Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext, override
from django.utils.translation import gettext_lazy as _

MIN_USERNAME_LENGTH = 3
MAX_USERNAME_LENGTH = 30
MAX_DISPLAY_NAME_LENGTH = 30
DELETED_DISPLAY_NAME = "Deleted player"

# Control characters, line and paragraph separators, and what turns around the text that follows,
# also that of the screen around the name.
_REFUSED: Final = r"\u0000-\u001F\u007F-\u009F\u2028-\u202E\u2066-\u2069"
# White space at the ends is cut off.
DISPLAY_NAME: Final = rf"^\s*[^\s{_REFUSED}][^{_REFUSED}]*\s*$"


def username_normalize(value: str) -> str:
    """One spelling for letters that look the same (NFKC), as Django does it."""
    return unicodedata.normalize("NFKC", value)


def display_name_validate(value: str) -> None:
    """Raise ValidationError for a name that cannot be shown on one line, or not at all."""
    if re.search(f"[{_REFUSED}]", value):
        raise ValidationError(_("Control characters are not allowed."), code="control_characters")
    if not any(character.isprintable() and not character.isspace() for character in value):
        raise ValidationError(_("This name cannot be seen."), code="invisible")


def display_name_generated(*, language: str) -> str:
    """A name for a guest, like "Guest 4821", in this language."""
    with override(language):
        return f"{gettext('Guest')} {1000 + secrets.randbelow(9000)}"
