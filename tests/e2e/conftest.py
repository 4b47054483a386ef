"""The service in real processes, on the test run's servers: once for all tests of this folder."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.e2e.http_player import HttpPlayer
from tests.e2e.service_processes import (
    HEARTBEAT_SECONDS,
    SWEEP_SECONDS,
    ServiceProcesses,
    own_database,
)
from tests.serve.serve_process import clean_environment, free_port

# Redis numbers up to 15 exist, six for the test run's processes of each kind; `tests/serve` uses 9.
FIRST_REDIS_NUMBER = 10
FIRST_REDIS_NUMBER_OF_THE_SANDBOX = 3


@contextmanager
def own_servers_from(first_number: int) -> Generator[dict[str, str]]:
    """A new database and a Redis number of one's own, as URLs."""
    xdist_worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
    number = first_number + int(xdist_worker) % 6
    redis_server, _, _ = os.environ["REDIS_URL"].rpartition("/")
    with own_database() as database:
        yield {"DATABASE_URL": database, "REDIS_URL": f"{redis_server}/{number}"}


@contextmanager
def running(folder: Path, **variables: str) -> Generator[ServiceProcesses]:
    """The service on servers of its own; no process of it is left afterwards."""
    environment = clean_environment(
        **variables,
        ENVIRONMENT="test",
        RATE_LIMITS="off",
        SWEEP_SECONDS=str(SWEEP_SECONDS),
        STREAM_HEARTBEAT_SECONDS=str(HEARTBEAT_SECONDS),
        PYTHONUNBUFFERED="1",
    )
    processes = ServiceProcesses(environment, free_port(), folder)
    processes.redis.flushdb()
    migrated = processes.manage("migrate", "-v0", "--no-input")
    assert migrated.returncode == 0, migrated.stderr
    try:
        processes.start_all()
        yield processes
    finally:
        left = processes.stop_all()
    assert left == []


@pytest.fixture(scope="session")
def own_servers() -> Generator[dict[str, str]]:
    """Those of the processes, as URLs."""
    with own_servers_from(FIRST_REDIS_NUMBER) as urls:
        yield urls


@pytest.fixture(scope="session")
def service(
    own_servers: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Generator[ServiceProcesses]:
    """The running service."""
    with running(tmp_path_factory.mktemp("e2e"), **own_servers) as processes:
        yield processes


@pytest.fixture(scope="module")
def rehearsing_service(tmp_path_factory: pytest.TempPathFactory) -> Generator[ServiceProcesses]:
    """Another, whose sandbox is on."""
    with (
        own_servers_from(FIRST_REDIS_NUMBER_OF_THE_SANDBOX) as urls,
        running(tmp_path_factory.mktemp("sandbox"), **urls, SANDBOX="1") as processes,
    ):
        yield processes


@pytest.fixture
def player(service: ServiceProcesses) -> Generator[HttpPlayer]:
    """A new guest."""
    player = HttpPlayer(service.url)
    yield player
    player.http.close()
