"""What a benchmark runs on: a migrated database, a Redis, and processes of the service."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import django

from config.embedded import EmbeddedServers
from tests.e2e.service_processes import own_database


@contextlib.contextmanager
def migrated_servers(**variables: str) -> Iterator[None]:
    """A new database and the Redis number of the server: those of DATABASE_URL and REDIS_URL where
    given, else private ones. Django is set up.

    The variables, and the addresses, are in the environment of what is started within.
    """
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)  # PostgreSQL may run under another account, which passes through
        servers = EmbeddedServers(
            Path(folder) / "data",
            database_url=os.environ.get("DATABASE_URL"),
            redis_url=os.environ.get("REDIS_URL"),
        )
        with servers:
            os.environ.update(servers.environment)
            with own_database() as database:
                os.environ.update(
                    DATABASE_URL=database,
                    ENVIRONMENT="test",
                    DJANGO_SETTINGS_MODULE="config.settings",
                    **variables,
                )
                django.setup()
                from django.core.management import call_command

                call_command("migrate", verbosity=0, skip_checks=True)
                yield


@contextlib.contextmanager
def process(*command: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run it while the block runs."""
    started = subprocess.Popen(
        command, start_new_session=True, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    )
    try:
        yield started
    finally:
        os.killpg(started.pid, signal.SIGTERM)
        started.wait(20)
