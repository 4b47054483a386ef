"""Input that is refused when it holds more, or something else, than was asked for.

What a field takes, the OpenAPI document says by its own words: also which texts. The texts of the
errors are ours where those of the framework name types of Python, which players do not know.
"""

from __future__ import annotations

import re
from typing import Any, Final

from django.core.validators import ProhibitNullCharactersValidator, RegexValidator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers
from rest_framework.fields import empty
from rest_framework.validators import ProhibitSurrogateCharactersValidator

NOT_A_LIST: Final = gettext_lazy("This must be a list.")
NOT_AN_OBJECT: Final = gettext_lazy("This must be an object with fields.")
# PostgreSQL stores no NUL in a text. The first pattern is for what is trimmed and must not be blank
# then; both are plain for every language that clients are made in.
SOMETHING: Final = r"^\s*[^\s\u0000][^\u0000]*$"
ANYTHING: Final = r"^[^\u0000]*$"
RFC_3339: Final = re.compile(
    r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)", re.ASCII
)
INTEGER: Final = re.compile(r"0|-?[1-9][0-9]*")


class StrictListSerializer(serializers.ListSerializer[Any]):
    """A list of such bodies."""

    default_error_messages = {"not_a_list": NOT_A_LIST}


class StrictSerializer(serializers.Serializer[Any]):
    """A request body. An unknown field is an error of that field, not silence."""

    default_error_messages = {"invalid": NOT_AN_OBJECT}

    class Meta:
        list_serializer_class = StrictListSerializer

    def run_validation(self, data: Any = empty) -> Any:
        """The validated values. Raises ValidationError, for null as the whole body too."""
        if data is None and self.root is self:
            detail = serializers.ErrorDetail(str(self.error_messages["invalid"]), "invalid")
            raise serializers.ValidationError({"non_field_errors": [detail]})
        return super().run_validation(data)

    def to_internal_value(self, data: Any) -> Any:
        """The validated values. Raises ValidationError, unknown fields included."""
        if isinstance(data, dict):
            unknown = [name for name in data if name not in self.fields]
            if unknown:
                raise serializers.ValidationError(
                    {
                        str(name)[:100]: serializers.ErrorDetail(
                            _("This field is not known."), code="unknown_field"
                        )
                        for name in unknown[:20]
                    }
                )
        return super().to_internal_value(data)


class StrictCharField(serializers.CharField):
    """Text that was sent as text: a number or a boolean is not turned into one."""

    default_error_messages = {"invalid": gettext_lazy("This must be a text.")}

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        framework = (ProhibitNullCharactersValidator, ProhibitSurrogateCharactersValidator)
        pattern = SOMETHING if self.trim_whitespace and not self.allow_blank else ANYTHING
        # The framework's own say the same, but not to the document.
        self.validators = [
            *(one for one in self.validators if not isinstance(one, framework)),
            RegexValidator(
                pattern,
                gettext_lazy("Null characters are not allowed."),
                "null_characters_not_allowed",
            ),
        ]

    def to_internal_value(self, data: Any) -> str:
        """The text. Raises ValidationError for anything but a string."""
        if not isinstance(data, str):
            self.fail("invalid")
        try:
            data.encode()
        except UnicodeEncodeError:  # half of a surrogate pair, which JSON can spell
            self.fail("invalid")
        if self.max_length is not None and len(data) > self.max_length:
            self.fail("max_length", max_length=self.max_length)  # as sent, before it is trimmed
        return super().to_internal_value(data)


class StrictChoiceField(serializers.ChoiceField):
    """One of some words."""

    default_error_messages = {"not_a_text": StrictCharField.default_error_messages["invalid"]}

    def to_internal_value(self, data: Any) -> Any:
        """The word. Raises ValidationError for any other, and for what is no word."""
        if not isinstance(data, str):
            raise serializers.ValidationError(
                self.error_messages["not_a_text"], code="invalid_choice"
            )
        return super().to_internal_value(data)


class StrictListField(serializers.ListField):
    """A list of values."""

    default_error_messages = {"not_a_list": NOT_A_LIST}


class StrictDateTimeField(serializers.DateTimeField):
    """A moment, as RFC 3339 writes it."""

    default_error_messages = {
        "invalid": gettext_lazy("This must be a time like 2026-03-01T09:45:00Z.")
    }

    def to_internal_value(self, value: Any) -> Any:
        """The moment. Raises ValidationError for what only ISO 8601 or Python knows."""
        if not isinstance(value, str) or not RFC_3339.fullmatch(value):
            self.fail("invalid")
        return super().to_internal_value(value.upper())


class StrictIntegerField(serializers.IntegerField):
    """A whole number that was sent as a number."""

    def to_internal_value(self, data: Any) -> int:
        """The number. Raises ValidationError for strings, booleans and fractions."""
        if isinstance(data, bool) or not isinstance(data, int):
            self.fail("invalid")
        return super().to_internal_value(data)


class QueryIntegerField(serializers.IntegerField):
    """A whole number in a query, as JSON writes it."""

    def to_internal_value(self, data: Any) -> int:
        """The number. Raises ValidationError for what only Python takes for one."""
        if not INTEGER.fullmatch(str(data)):
            self.fail("invalid")
        return super().to_internal_value(data)


class StrictBooleanField(serializers.BooleanField):
    """true or false."""

    def to_internal_value(self, data: Any) -> bool:
        """The truth value. Raises ValidationError for strings and numbers."""
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data
