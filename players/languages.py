"""The languages that the service speaks."""

from __future__ import annotations

from django.db import models
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _


class Language(models.TextChoices):
    """A language, spelled as in `Accept-Language`."""

    EN = "en", _("English")
    ZH_HANT = "zh-Hant", _("Traditional Chinese")
    ZH_HANS = "zh-Hans", _("Simplified Chinese")


def language_shown() -> Language:
    """The language that texts are shown in now: of `Accept-Language`, in a request.

    Django spells it in lower case.
    """
    active = (get_language() or "").lower()
    return next((one for one in Language if one.lower() == active), Language.EN)
