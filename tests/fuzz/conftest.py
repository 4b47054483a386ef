"""One service and one caller for all of the calls; the tables are emptied once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import override_settings

from bots.signals import move_wanted
from sandbox import receivers
from tests.fuzz.caller import Caller, tables_empty


@pytest.fixture(scope="module")
def transactional_db(django_db_setup: Any, django_db_blocker: Any) -> Iterator[None]:
    """In place of pytest-django's own, which empties the tables after each test.

    The sandbox is on: otherwise its calls are not there.
    """
    with django_db_blocker.unblock(), override_settings(SANDBOX=True):
        receivers.listen()
        yield
        move_wanted.disconnect(dispatch_uid="sandbox.follow_script")
        tables_empty()


@pytest.fixture(scope="module")
def caller(transactional_db: None) -> Iterator[Caller]:
    """Whoever calls; `pytest -rP` shows what was answered."""
    caller = Caller()
    yield caller
    print(caller.told())
