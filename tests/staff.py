"""Operators in the tests: staff with some permissions, and what the log says of them."""

from __future__ import annotations

from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.test import Client

from players.models import Player
from tests.factories import PlayerFactory

VIEW = (
    "players.view_player",
    "games.view_session",
    "games.view_round",
    "scoring.view_ledgerentry",
)


def operator(*permissions: str, name: str = "operator") -> tuple[Client, Player]:
    """A member of the staff who may look at everything that the acts are for, and do these."""
    player = PlayerFactory(registered=True, username=name, is_staff=True)
    for permission in (*VIEW, *permissions):
        app, _, codename = permission.partition(".")
        player.user_permissions.add(
            Permission.objects.get(content_type__app_label=app, codename=codename)
        )
    client = Client()
    client.force_login(player)
    return client, player


def page_of(row: Any, act: str = "change") -> str:
    """The address of a row's page, or of an act on it."""
    model = type(row)
    return f"/admin/{model._meta.app_label}/{model._meta.model_name}/{row.pk}/{act}/"


def logged() -> list[tuple[str, str, str]]:
    """Who did it, to which row, and what the log says, in order."""
    return [
        (entry.user.username, entry.object_id, entry.get_change_message())
        for entry in LogEntry.objects.select_related("user").order_by("pk")
    ]
