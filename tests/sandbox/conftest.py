"""A service whose sandbox is on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from bots.signals import move_wanted
from sandbox import receivers
from tests.clients import Api


@pytest.fixture
def sandbox(settings: Any, transactional_db: Any) -> Iterator[None]:
    """As the apps set it up where the setting is on."""
    settings.SANDBOX = True
    receivers.listen()
    yield
    assert move_wanted.disconnect(dispatch_uid="sandbox.follow_script")


@pytest.fixture
def builder(sandbox: None) -> Api:
    """Who builds a client."""
    return Api.guest()
