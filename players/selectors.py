"""All reads of players and their devices."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Collection
from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import Q, QuerySet, Value
from django.db.models.functions import Lower
from django.utils import timezone

from contract.stored_rows import rows_stored
from players.errors import NoSuchPlayer
from players.models import Ban, Device, Player

Caller = tuple[Player, Device]


def player_get(*, player_id: uuid.UUID) -> Player:
    """The player, also a deleted one: old matches name it. Raises NoSuchPlayer."""
    player = Player.objects.filter(pk=player_id).first()
    if player is None:
        raise NoSuchPlayer
    return player


def player_active(*, player_id: uuid.UUID) -> Player:
    """The player, who is neither deleted nor banned. Raises NoSuchPlayer."""
    player = player_get(player_id=player_id)
    if not player.is_active:
        raise NoSuchPlayer
    return player


def players_hold(*, player_ids: Collection[uuid.UUID]) -> dict[uuid.UUID, bool]:
    """Lock these players' rows to the transaction's end, in the order of their ids; who is active.

    Who refers to them does not wait, who holds or changes them does.
    """
    held = Player.objects.select_for_update(no_key=True).filter(pk__in=player_ids).order_by("pk")
    return dict(held.values_list("pk", "is_active"))


def player_find_by_username(*, username: str) -> Player | None:
    """The player with that username, in whatever case."""
    return Player.objects.filter(username__lower=Lower(Value(username))).first()


def player_search(*, players: QuerySet[Player], term: str) -> QuerySet[Player]:
    """Those with that id or username, or whose names begin so. Every branch has its index."""
    term = term.strip().replace("\0", "")
    found = (
        Q(username__lower=Lower(Value(term)))
        | Q(username__startswith=term)
        | Q(display_name__startswith=term)
    )
    with contextlib.suppress(ValueError):
        found |= Q(pk=uuid.UUID(term))
    return players.filter(found)


def player_ids_found(*, term: str, limit: int = 100) -> list[uuid.UUID]:
    """The ids of the players that `player_search` finds, for searching what they own."""
    found = player_search(players=Player.objects.all(), term=term)
    return list(found.values_list("pk", flat=True)[:limit])


def ban_in_force(*, player: Player) -> Ban | None:
    """The ban that keeps the player out now."""
    return Ban.objects.filter(player=player, lifted_at__isnull=True).first()


def device_list(*, player: Player) -> QuerySet[Device]:
    """Where the player is logged in now."""
    return Device.objects.filter(user=player, expiry__gt=timezone.now())


def devices_alive(*, digests: Collection[str]) -> set[str]:
    """Those of these token digests that still let their player in."""
    alive = Device.objects.filter(pk__in=digests, expiry__gt=timezone.now(), user__is_active=True)
    return set(alive.values_list("pk", flat=True))


def device_find(*, digest: str) -> Device | None:
    """The device with that token digest, with its player, in one query. It may have expired."""
    return Device.objects.select_related("user").filter(pk=digest).first()


def display_names(*, player_ids: Collection[uuid.UUID]) -> dict[uuid.UUID, str]:
    """What these players are called, in one query."""
    return dict(Player.objects.filter(pk__in=player_ids).values_list("pk", "display_name"))


def player_stored(*, player: Player) -> dict[str, Any]:
    """Everything that is stored about the player here, by section; all but secrets.

    `operator_log` is what the staff did to the player, not who of them.
    """
    (row,) = rows_stored(
        Player.objects.filter(pk=player.pk), without=("password", "device_secret_hash")
    )
    return {
        "player": row,
        "devices": rows_stored(
            Device.objects.filter(user=player), without=("digest", "token_key", "user_id")
        ),
        "bans": rows_stored(
            Ban.objects.filter(player=player),
            without=("id", "player_id", "banned_by_id", "lifted_by_id"),
        ),
        "operator_log": rows_stored(
            log_about(player=player),
            without=("id", "user_id", "content_type_id", "object_id"),
        ),
    }


def log_about(*, player: Player) -> QuerySet[LogEntry]:
    """What the admin's log says of the player."""
    kind = ContentType.objects.get_for_model(Player)
    return LogEntry.objects.filter(content_type=kind, object_id=str(player.pk))
