"""Gives the test run a real PostgreSQL and a real Redis before the settings are loaded.

Named in pytest's `addopts` (`-p tests.embedded_plugin`), since conftest.py comes too late for
pytest-django. DATABASE_URL and REDIS_URL of the environment are used where given, each by itself;
for what is missing a private server is started in a temporary folder and stopped at the end. With
pytest-xdist the controller does this, and its workers inherit the URLs. There is no way to skip:
without servers the run fails.
"""

import contextlib
import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Generator
from pathlib import Path

import pytest

from config.embedded import EmbeddedError, EmbeddedServers
from config.embedded.leftovers import end_leftovers

PREFIX = "card-games-tests-"
OLD_ENOUGH = 60.0

_servers = pytest.StashKey[EmbeddedServers]()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Generator[None]:
    """Start what is missing before pytest-django, in the same hook, loads the settings."""
    os.environ["ENVIRONMENT"] = "test"
    asked = early_config.known_args_namespace
    needs = not (os.environ.get("DATABASE_URL") and os.environ.get("REDIS_URL"))
    if needs and not (asked.help or asked.version):
        try:
            servers = _start()
        except EmbeddedError as error:
            raise pytest.UsageError(
                f"The tests need a PostgreSQL and a Redis, and cannot start their own.\n{error}"
            ) from None
        early_config.stash[_servers] = servers
        early_config.add_cleanup(lambda: _stop(servers))  # runs also if the settings do not load
        os.environ.update(servers.environment)
    return (yield)


def pytest_report_header(config: pytest.Config) -> str:
    """Say which servers the tests run on."""
    servers = config.stash.get(_servers, None)
    if servers is None:
        return "servers: DATABASE_URL and REDIS_URL as given"
    return f"servers: {servers.described()}, in {servers.directory.path}"


def _start() -> EmbeddedServers:
    """Start private servers in a new temporary folder."""
    _clear_killed_runs()
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    if os.geteuid() == 0:
        folder.chmod(0o711)  # PostgreSQL then runs under another account, which passes through
    servers = EmbeddedServers(
        folder,
        database_url=os.environ.get("DATABASE_URL"),
        redis_url=os.environ.get("REDIS_URL"),
    )
    try:
        servers.start()
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return servers


def _stop(servers: EmbeddedServers) -> None:
    """Stop the servers of this run and remove their folder."""
    servers.stop()
    shutil.rmtree(servers.directory.path, ignore_errors=True)


def _clear_killed_runs() -> None:
    """End the servers of test runs that were killed, and remove their folders."""
    for folder in Path(tempfile.gettempdir()).resolve().glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):
            status = folder.lstat()
            if status.st_uid != os.geteuid() or time.time() - status.st_mtime < OLD_ENOUGH:
                continue
            with (folder / "serve.lock").open() as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # fails while a run has it
                end_leftovers(folder)
                shutil.rmtree(folder, ignore_errors=True)
