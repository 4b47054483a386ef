"""All changes of players and their devices."""

from __future__ import annotations

import hashlib
import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.hashers import check_password, make_password
from django.db import IntegrityError, transaction
from django.utils import timezone
from knox.settings import knox_settings

from contract.transactions import atomic_retried
from players.errors import (
    AlreadyRegistered,
    InvalidCredentials,
    NoSuchDevice,
    NotBanned,
    PlayerBanned,
    PlayerBlocked,
    UsernameTaken,
)
from players.languages import Language
from players.models import Ban, Device, Player
from players.names import DELETED_DISPLAY_NAME, display_name_generated
from players.selectors import ban_in_force, log_about, player_find_by_username
from players.signals import player_banning, player_deleting


@dataclass(frozen=True, slots=True)
class Login:
    """A player on a device, with the token. This is the only place where it is in clear."""

    player: Player
    device: Device
    token: str
    player_is_new: bool = False


# --- becoming a player --------------------------------------------------------------------------


@atomic_retried
def guest_create(
    *,
    device_secret: str | None = None,
    display_name: str | None = None,
    language: str = Language.EN,
    device_name: str = "",
) -> Login:
    """A new guest, or the player whom a device with this secret made before.

    Raises PlayerBanned.
    """
    values: dict[str, Any] = {
        "display_name": display_name or display_name_generated(language=language),
        "language": language,
        "password": make_password(None),
    }
    if device_secret is None:
        player, is_new = Player.objects.create(**values), True
    else:
        # Of two at once the second waits for the first one's row, and gets it.
        player, is_new = Player.objects.get_or_create(
            device_secret_hash=hashlib.sha256(device_secret.encode()).hexdigest(),
            defaults=values,
        )
    _check_active(player)
    return _logged_in(player, device_name, player_is_new=is_new)


@atomic_retried
def player_register(
    *,
    username: str,
    password: str,
    display_name: str | None = None,
    language: str = Language.EN,
    device_name: str = "",
) -> Login:
    """A new player with a username. Raises UsernameTaken."""
    player = Player(display_name=display_name or username, language=language)
    _give_credentials(player, username, password)
    return _logged_in(player, device_name, player_is_new=True)


@atomic_retried
def player_claim(*, player: Player, username: str, password: str) -> Player:
    """The guest, registered from now on: the same row, with all that refers to it.

    Raises AlreadyRegistered, UsernameTaken, PlayerBanned or PlayerBlocked.
    """
    locked = _locked(player)
    if not locked.is_guest:
        raise AlreadyRegistered
    _give_credentials(locked, username, password)
    return locked


def _give_credentials(player: Player, username: str, password: str) -> None:
    if player_find_by_username(username=username) is not None:
        raise UsernameTaken
    player.username = username
    player.set_password(password)
    try:
        with transaction.atomic():
            player.save()
    except IntegrityError as error:  # somebody was faster
        if player_find_by_username(username=username) is None:
            raise
        raise UsernameTaken from error


# --- being one ----------------------------------------------------------------------------------


@atomic_retried
def player_update(
    *, player: Player, display_name: str | None = None, language: str | None = None
) -> Player:
    """Set what is given. Raises PlayerBanned or PlayerBlocked."""
    locked = _locked(player)
    locked.display_name = display_name or locked.display_name
    locked.language = language or locked.language
    locked.save(update_fields=["display_name", "language"])
    return locked


@atomic_retried
def player_delete(*, player: Player) -> None:
    """Forget who the player was and end all tokens. The row stays: matches refer to it.

    Raises PlayerBanned, and PlayerBlocked if it was deleted before.
    """
    player_deleting.send(sender=Player, player_id=player.pk)
    locked = _locked(player)
    locked.username = None
    locked.device_secret_hash = None
    locked.display_name = DELETED_DISPLAY_NAME
    locked.language = Language.EN
    locked.set_unusable_password()
    locked.last_login = None
    locked.is_active = locked.is_staff = locked.is_superuser = False
    locked.deleted_at = timezone.now()
    locked.save()
    locked.groups.clear()
    locked.user_permissions.clear()
    locked.bans.all().delete()
    log_about(player=locked).update(object_repr=DELETED_DISPLAY_NAME, change_message="")
    device_end_all(player=locked)


def _locked(player: Player) -> Player:
    locked = Player.objects.select_for_update().get(pk=player.pk)
    _check_active(locked)  # may be banned or deleted since the request began
    return locked


def _check_active(player: Player) -> None:
    if player.is_active:
        return
    ban = ban_in_force(player=player)
    raise PlayerBanned(reason=ban.reason) if ban else PlayerBlocked


# --- being kept out -----------------------------------------------------------------------------


@atomic_retried
def player_ban(*, player: Player, reason: str, by: Player) -> Ban:
    """Keep the player out until the ban is lifted: no token is good, bots take over the seats.

    The tokens stay until it is, so that who sends one learns why. `reason` is shown to the player.
    Raises PlayerBanned, or PlayerBlocked if it is deleted.
    """
    player_banning.send(sender=Player, player_id=player.pk)
    locked = _locked(player)
    locked.is_active = False
    locked.save(update_fields=["is_active"])
    return Ban.objects.create(player=locked, reason=reason, banned_by=by)


@atomic_retried
def player_unban(*, player: Player, reason: str, by: Player) -> Ban:
    """Let the player in again, who logs in anew. Raises NotBanned."""
    locked = Player.objects.select_for_update().get(pk=player.pk)
    ban = ban_in_force(player=locked)
    if ban is None:
        raise NotBanned
    ban.lifted_by, ban.lifted_at, ban.lift_reason = by, timezone.now(), reason
    ban.save(update_fields=["lifted_by", "lifted_at", "lift_reason"])
    locked.is_active = True
    locked.save(update_fields=["is_active"])
    device_end_all(player=locked)
    return ban


# --- devices ------------------------------------------------------------------------------------


def player_login(*, username: str, password: str, device_name: str = "") -> Login:
    """The player on one more device.

    Raises InvalidCredentials, after as much hashing for an unknown username as for a known one,
    and PlayerBanned.
    """
    player = player_find_by_username(username=username)
    if player is None:
        check_password(password, make_password(None))
        raise InvalidCredentials
    if not player.check_password(password):
        raise InvalidCredentials
    _check_active(player)
    return _logged_in(player, device_name)


def device_keep_alive(*, device: Device, now: datetime) -> None:
    """Move the expiry ahead and note the use, at most once per refresh interval."""
    expiry = now + knox_settings.TOKEN_TTL
    written_at_most_every = timedelta(seconds=knox_settings.MIN_REFRESH_INTERVAL)
    if knox_settings.AUTO_REFRESH and expiry - device.expiry > written_at_most_every:
        device.expiry, device.last_used_at = expiry, now
        # Not `save`: a device that was ended meanwhile stays ended, and that is no error.
        Device.objects.filter(pk=device.pk).update(expiry=expiry, last_used_at=now)


def device_end(*, player: Player, device_id: uuid.UUID) -> None:
    """End the token of one of the player's devices. Raises NoSuchDevice."""
    ended, _ = Device.objects.filter(user=player, public_id=device_id).delete()
    if not ended:
        raise NoSuchDevice


def device_end_all(*, player: Player) -> None:
    """End all tokens of the player."""
    Device.objects.filter(user=player).delete()


def device_forget_expired() -> int:
    """Delete the devices whose tokens have expired; how many went."""
    deleted, _ = Device.objects.filter(expiry__lte=timezone.now()).delete()
    return deleted


def _logged_in(player: Player, device_name: str, *, player_is_new: bool = False) -> Login:
    device, token = Device.objects.create(user=player, name=device_name)
    return Login(player, device, token, player_is_new)
