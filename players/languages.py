"""The languages that the service speaks."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class Language(models.TextChoices):
    """A language, spelled as in `Accept-Language`."""

    EN = "en", _("English")
    ZH_HANT = "zh-Hant", _("Traditional Chinese")
