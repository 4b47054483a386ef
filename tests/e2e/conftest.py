"""The service in real processes, on the test run's servers: once for all tests of this folder."""

from __future__ import annotations

import os
from collections.abc import Generator

import pytest

from tests.e2e.http_player import HttpPlayer
from tests.e2e.service_processes import SWEEP_SECONDS, ServiceProcesses, own_database
from tests.serve.serve_process import clean_environment, free_port

# Redis numbers up to 15 exist; `tests/serve` uses 9.
FIRST_REDIS_NUMBER = 10


@pytest.fixture(scope="session")
def own_servers() -> Generator[dict[str, str]]:
    """A new database and an empty Redis number for the processes, as URLs."""
    xdist_worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
    number = FIRST_REDIS_NUMBER + int(xdist_worker) % 6
    redis_server, _, _ = os.environ["REDIS_URL"].rpartition("/")
    with own_database() as database:
        yield {"DATABASE_URL": database, "REDIS_URL": f"{redis_server}/{number}"}


@pytest.fixture(scope="session")
def service(
    own_servers: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Generator[ServiceProcesses]:
    """The running service; no process of it is left afterwards."""
    environment = clean_environment(
        **own_servers,
        ENVIRONMENT="test",
        RATE_LIMITS="off",
        SWEEP_SECONDS=str(SWEEP_SECONDS),
        PYTHONUNBUFFERED="1",
    )
    processes = ServiceProcesses(environment, free_port(), tmp_path_factory.mktemp("e2e"))
    processes.redis.flushdb()
    migrated = processes.manage("migrate", "-v0", "--no-input")
    assert migrated.returncode == 0, migrated.stderr
    try:
        processes.start_all()
        yield processes
    finally:
        left = processes.stop_all()
    assert left == []


@pytest.fixture
def player(service: ServiceProcesses) -> Generator[HttpPlayer]:
    """A new guest."""
    player = HttpPlayer(service.url)
    yield player
    player.http.close()
