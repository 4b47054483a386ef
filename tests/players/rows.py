"""What is stored about players, to see that a refusal changed none of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from players.models import Device, Player


def everything() -> list[Any]:
    return [
        list(Player.objects.order_by("pk").values()),
        list(Device.objects.order_by("pk").values()),
    ]


@contextmanager
def nothing_changes() -> Iterator[None]:
    before = everything()
    yield
    assert everything() == before
