"""What the players' API takes and gives."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError as DjangoValidationError
from django.core.validators import MinLengthValidator, RegexValidator
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.fields import get_error_detail

from contract.serializers import StrictCharField, StrictChoiceField, StrictSerializer
from players.languages import Language
from players.names import (
    DISPLAY_NAME,
    MAX_DISPLAY_NAME_LENGTH,
    MAX_USERNAME_LENGTH,
    MIN_USERNAME_LENGTH,
    display_name_validate,
    username_normalize,
)
from players.passwords import MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH, password_validate


class UsernameField(StrictCharField):
    """A username, with look-alike spellings of one letter made the same (NFKC)."""

    def to_internal_value(self, data: Any) -> str:
        """The normal spelling. Raises ValidationError."""
        return username_normalize(super().to_internal_value(data))


class PasswordField(StrictCharField):
    """A password, spaces at its ends included."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            max_length=MAX_PASSWORD_LENGTH,
            trim_whitespace=False,
            style={"input_type": "password"},
            **options,
        )


class LongEnough(MinLengthValidator):
    """What a new password is, with the code that Django has for passwords."""

    code = "password_too_short"
    message = _("A password has at least %(limit_value)s characters.")


class DisplayNameValidator(RegexValidator):
    """`display_name_validate`, with the part of it that the document can say."""

    regex = DISPLAY_NAME

    def __call__(self, value: str) -> None:
        """Raise ValidationError."""
        display_name_validate(value)


class DisplayNameField(StrictCharField):
    """What others see."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            max_length=MAX_DISPLAY_NAME_LENGTH, validators=[DisplayNameValidator()], **options
        )


# --- requests -----------------------------------------------------------------------------------


class CreateGuestSerializer(StrictSerializer):
    """All of it is optional."""

    device_secret = StrictCharField(
        required=False,
        min_length=32,
        max_length=128,
        trim_whitespace=False,
        help_text="Random text that the client makes once and keeps: it finds the guest again.",
    )
    display_name = DisplayNameField(required=False, help_text="Default: like Guest 4821.")
    language = StrictChoiceField(
        choices=Language.choices, required=False, help_text="Default: that of Accept-Language."
    )


class CredentialsSerializer(StrictSerializer):
    """A username and a password that are to be had."""

    username = UsernameField(
        min_length=MIN_USERNAME_LENGTH,
        max_length=MAX_USERNAME_LENGTH,
        validators=[UnicodeUsernameValidator()],
        help_text="Letters, digits and @ . + - _; taken also if only the case differs.",
    )
    password = PasswordField(
        validators=[LongEnough(MIN_PASSWORD_LENGTH)], help_text="Not a common one."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """The values. Raises ValidationError (field `password`) for a weak one."""
        try:
            password_validate(
                password=attrs["password"],
                username=attrs["username"],
                display_name=attrs.get("display_name", ""),
            )
        except DjangoValidationError as error:
            raise serializers.ValidationError({"password": get_error_detail(error)}) from error
        return attrs


class ClaimPlayerSerializer(CredentialsSerializer):
    """What a guest adds to become registered."""


class RegisterPlayerSerializer(CredentialsSerializer):
    """A new registered player."""

    display_name = DisplayNameField(required=False, help_text="Default: the username.")


class LoginSerializer(StrictSerializer):
    """Who logs in."""

    username = UsernameField(max_length=MAX_USERNAME_LENGTH)
    password = PasswordField()


class UpdateMeSerializer(StrictSerializer):
    """What is given is changed."""

    display_name = DisplayNameField(required=False)
    language = StrictChoiceField(choices=Language.choices, required=False)


# --- answers ------------------------------------------------------------------------------------


class PlayerSerializer(serializers.Serializer[Any]):
    """A player as everybody may see them."""

    id = serializers.UUIDField()
    display_name = serializers.CharField()
    is_guest = serializers.BooleanField()
    language = serializers.ChoiceField(choices=Language.choices)
    created_at = serializers.DateTimeField()


class OwnPlayerSerializer(PlayerSerializer):
    """A player as they see themselves."""

    username = serializers.CharField(allow_null=True, help_text="null for a guest.")


class LoginResultSerializer(serializers.Serializer[Any]):
    """A player on one device, with the token for it."""

    token = serializers.CharField(help_text="For `Authorization: Bearer`. It is shown only here.")
    expires_at = serializers.DateTimeField(
        source="device.expiry", help_text="Moves ahead while the token is in use."
    )
    player = PlayerSerializer()


class DeviceSerializer(serializers.Serializer[Any]):
    """One place where the player is logged in."""

    id = serializers.UUIDField(source="public_id")
    name = serializers.CharField(help_text="What the client called itself (User-Agent).")
    current = serializers.SerializerMethodField(help_text="True for the one that asks.")
    created_at = serializers.DateTimeField(source="created")
    last_used_at = serializers.DateTimeField(help_text="Exact to the hour.")
    expires_at = serializers.DateTimeField(source="expiry")

    def get_current(self, device: Any) -> bool:
        """Whether the request was sent from it."""
        return bool(device == self.context["request"].auth)
