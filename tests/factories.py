"""Rows for tests."""

from __future__ import annotations

from typing import Any

import factory
from django.contrib.auth.hashers import make_password
from factory.django import DjangoModelFactory
from rest_framework.test import APIClient

from players.models import Device, Player

PASSWORD = "seven little dragons"


class PlayerFactory(DjangoModelFactory[Player]):
    """A guest; `PlayerFactory(registered=True)` logs in with PASSWORD."""

    class Meta:
        model = Player

    class Params:
        registered = factory.Trait(
            username=factory.Sequence(lambda number: f"player_{number}"),
            password=factory.LazyFunction(lambda: make_password(PASSWORD)),
        )

    display_name = factory.Sequence(lambda number: f"Player {number}")
    password = factory.LazyFunction(lambda: make_password(None))


def token_for(player: Player, name: str = "") -> tuple[Device, str]:
    """One more device of the player, and its token."""
    device, token = Device.objects.create(user=player, name=name)
    return device, token


def client_of(player: Player, **headers: Any) -> APIClient:
    """A client with a token of the player."""
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {token_for(player)[1]}", **headers)
    return client
