"""All reads of players and their devices."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Collection

from django.db.models import Q, QuerySet, Value
from django.db.models.functions import Lower
from django.utils import timezone

from players.errors import NoSuchPlayer
from players.models import Device, Player

Caller = tuple[Player, Device]


def player_get(*, player_id: uuid.UUID) -> Player:
    """The player, also a deleted one: old matches name it. Raises NoSuchPlayer."""
    player = Player.objects.filter(pk=player_id).first()
    if player is None:
        raise NoSuchPlayer
    return player


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
