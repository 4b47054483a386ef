"""What every test may use: a client that speaks JSON, and a table that plays on by itself."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.core.management.commands import flush
from django.db import connection, connections
from django.test import RequestFactory
from django.utils import translation
from whitenoise.middleware import WhiteNoiseMiddleware

from games.selectors.live import live_rounds_forget
from games.streams.threads import database_threads
from tests.clients import Api
from tests.commands import Manage
from tests.deals import deals_follow_from
from tests.emptying import rows_delete, tables_truncate
from tests.openapi import checked


@pytest.fixture(scope="session", autouse=True)
def _every_answer_is_as_documented() -> Iterator[None]:
    """Whichever test client made the call."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RequestFactory, "generic", checked(RequestFactory.generic))
        yield


@pytest.fixture(autouse=True)
def _no_memory_between_tests() -> Iterator[None]:
    yield
    live_rounds_forget()
    translation.deactivate()  # a request leaves its language to the thread


@pytest.fixture(autouse=True)
def _every_run_deals_the_same(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seeds that follow from the test's name: no test passes or fails by the luck of its deal."""
    deals_follow_from(monkeypatch, request.node.nodeid)


@pytest.fixture(scope="session", autouse=True)
def _tables_are_emptied(django_db_setup: Any, django_db_blocker: Any) -> None:
    """After each test, by the fastest way that the role may go."""
    with django_db_blocker.unblock(), connection.cursor() as cursor:
        cursor.execute("SELECT rolsuper FROM pg_roles WHERE rolname = current_user")
        is_superuser = cursor.fetchone() == (True,)
    empty = rows_delete if is_superuser else tables_truncate
    type(connection.ops).sql_flush = empty  # type: ignore[assignment]
    # Django would write again what `tests.emptying` keeps, and ask for each permission to do so.
    flush.emit_post_migrate_signal = lambda *_: None  # type: ignore[assignment]


@pytest.fixture(scope="session", autouse=True)
def _static_files_are_listed_once() -> None:
    """Not by the middleware of each client."""
    list_files = WhiteNoiseMiddleware.add_files_from_finders
    files: dict[str, Any] = {}

    def add_files(middleware: Any) -> None:
        if not files:
            list_files(middleware)
            files.update(middleware.files)
        middleware.files.update(files)

    WhiteNoiseMiddleware.add_files_from_finders = add_files


@pytest.fixture(scope="session", autouse=True)
def _waiting_threads_let_go_of_the_database(django_db_setup: Any) -> Iterator[None]:
    yield
    threads = database_threads
    all_at_once = threading.Barrier(max(1, len(threads._threads)))

    def let_go() -> None:
        all_at_once.wait(10)
        connections.close_all()

    for _ in range(all_at_once.parties if threads._threads else 0):
        threads.submit(let_go)
    threads.shutdown()


@pytest.fixture(scope="session", autouse=True)
def _passwords_are_hashed_cheaply() -> None:
    """By the hasher of production, with the least that it takes."""
    for parameter, least in {"time_cost": 1, "memory_cost": 8, "parallelism": 1}.items():
        setattr(Argon2PasswordHasher, parameter, least)


@pytest.fixture
def api(transactional_db: Any) -> Api:
    """A guest's client, on a database with real commits."""
    return Api.guest()


@pytest.fixture
def stranger(transactional_db: Any) -> Api:
    """Another guest's client."""
    return Api.guest()


@pytest.fixture
def anonymous(transactional_db: Any) -> Api:
    """A client without a token."""
    return Api()


@pytest.fixture(scope="session")
def manage() -> Iterator[Manage]:
    """`manage.py`, with an environment of the test's own."""
    runner = Manage()
    yield runner
    runner.end()
