"""Players, the devices on which they are logged in, and what they were banned for."""

from __future__ import annotations

import uuid
from typing import Any, ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.validators import MinLengthValidator
from django.db import models
from django.db.models.functions import Lower
from knox.models import AbstractAuthToken, AuthTokenManager

from players import names
from players.languages import Language

MAX_REASON_LENGTH = 500


class PlayerManager(BaseUserManager["Player"]):
    """Finds players by username in any case, and makes superusers for `createsuperuser`."""

    def get_by_natural_key(self, username: str | None) -> Player:
        """The player of that name. Raises Player.DoesNotExist."""
        return self.get(username__lower=Lower(models.Value(username)))

    def create_superuser(self, username: str, password: str | None = None) -> Player:
        """A player who may do everything in the admin."""
        username = names.username_normalize(username)
        player = Player(username=username, display_name=username, is_staff=True, is_superuser=True)
        player.set_password(password)
        player.save(using=self._db)
        return player


class Player(AbstractBaseUser, PermissionsMixin):  # type: ignore[django-manager-missing]
    """Someone who plays: a guest, or registered with a username and a password.

    A deleted player's row stays, without anything personal, since matches refer to it.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    username = models.CharField(
        max_length=names.MAX_USERNAME_LENGTH,
        unique=True,
        null=True,
        blank=True,
        validators=[MinLengthValidator(names.MIN_USERNAME_LENGTH), UnicodeUsernameValidator()],
    )
    display_name = models.CharField(
        max_length=names.MAX_DISPLAY_NAME_LENGTH, validators=[names.display_name_validate]
    )
    language = models.CharField(max_length=10, choices=Language.choices, default=Language.EN)
    device_secret_hash = models.CharField(
        max_length=64, unique=True, null=True, blank=True, editable=False
    )
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)
    deleted_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar[PlayerManager] = PlayerManager()

    USERNAME_FIELD = "username"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        permissions = (("ban_player", "Can ban and unban players"),)
        constraints = (
            models.UniqueConstraint(Lower("username"), name="one_player_per_username_in_any_case"),
            models.CheckConstraint(
                condition=models.Q(language__in=Language.values), name="player_language_known"
            ),
        )
        indexes = (
            models.Index(fields=("-created_at", "-id"), name="player_newest"),
            models.Index(
                fields=("-created_at", "-id"),
                name="player_newest_staff",
                condition=models.Q(is_staff=True),
            ),
            models.Index(
                fields=("-created_at", "-id"),
                name="player_newest_inactive",
                condition=models.Q(is_active=False),
            ),
            models.Index(
                fields=("display_name",),
                name="player_display_name_prefix",
                opclasses=("varchar_pattern_ops",),
            ),
        )

    def __str__(self) -> str:
        return self.display_name

    @property
    def is_guest(self) -> bool:
        """True for a player without a username to log in with."""
        return self.username is None


class Device(AbstractAuthToken):
    """One device on which a player is logged in: its token (hashed) and when it was last used."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    name = models.CharField(max_length=100, blank=True)
    last_used_at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar[Any] = AuthTokenManager()

    def __str__(self) -> str:
        return self.name or str(self.public_id)


class Ban(models.Model):
    """A player kept out by the staff, from `banned_at` until it is lifted; kept as a history.

    `reason` is shown to the player. A banned player is not active.
    """

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="bans")
    reason = models.TextField(max_length=MAX_REASON_LENGTH)
    banned_by = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    banned_at = models.DateTimeField(auto_now_add=True)
    lifted_by = models.ForeignKey(Player, on_delete=models.PROTECT, null=True, related_name="+")
    lifted_at = models.DateTimeField(null=True)
    lift_reason = models.TextField(max_length=MAX_REASON_LENGTH, blank=True, default="")

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("player",),
                condition=models.Q(lifted_at__isnull=True),
                name="one_ban_in_force_per_player",
            ),
            models.CheckConstraint(
                condition=models.Q(lifted_at__isnull=True, lifted_by__isnull=True, lift_reason="")
                | models.Q(lifted_at__isnull=False, lifted_by__isnull=False)
                & ~models.Q(lift_reason=""),
                name="ban_lifted_by_somebody_for_a_reason",
            ),
            models.CheckConstraint(condition=~models.Q(reason=""), name="ban_has_reason"),
        )

    def __str__(self) -> str:
        return f"ban of {self.player_id}"


models.CharField.register_lookup(Lower)
