"""Input that is refused when it holds more, or something else, than was asked for."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers


class StrictSerializer(serializers.Serializer[Any]):
    """A request body. An unknown field is an error of that field, not silence."""

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

    def to_internal_value(self, data: Any) -> str:
        """The text. Raises ValidationError for anything but a string."""
        if not isinstance(data, str):
            self.fail("invalid")
        try:
            data.encode()
        except UnicodeEncodeError:  # half of a surrogate pair, which JSON can spell
            self.fail("invalid")
        return super().to_internal_value(data)


class StrictIntegerField(serializers.IntegerField):
    """A whole number that was sent as a number."""

    def to_internal_value(self, data: Any) -> int:
        """The number. Raises ValidationError for strings, booleans and fractions."""
        if isinstance(data, bool) or not isinstance(data, int):
            self.fail("invalid")
        return super().to_internal_value(data)


class StrictBooleanField(serializers.BooleanField):
    """true or false."""

    def to_internal_value(self, data: Any) -> bool:
        """The truth value. Raises ValidationError for strings and numbers."""
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data
