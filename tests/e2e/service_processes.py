"""The service as it runs: web, worker and beat as processes, on a database of their own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import psutil
import psycopg
import redis

from config.embedded.data_directory import PROJECT_DIR

SWEEP_SECONDS = 1.0
HEARTBEAT_SECONDS = 2.0
STARTS_WITHIN = 60.0
STOPS_WITHIN = 10.0

CELERY = ("-W", "ignore", "-m", "celery", "--quiet", "-A")
WORKER = ("worker", "--without-gossip", "--without-mingle")


def eventually(condition: Callable[[], Any], *, within: float, complaint: str) -> Any:
    """Wait until `condition()` is true, and return what it said."""
    deadline = time.monotonic() + within
    while not (value := condition()):
        assert time.monotonic() < deadline, complaint
        time.sleep(0.02)
    return value


@contextmanager
def own_database() -> Generator[str]:
    """The URL of a new database beside that of the test run."""
    server, _, _ = os.environ["DATABASE_URL"].rpartition("/")
    name = f"e2e_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        yield f"{server}/{name}"
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


class ServiceProcesses:
    """Web, worker and beat, each a process group of its own."""

    def __init__(self, environment: dict[str, str], port: int, folder: Path) -> None:
        self.environment = environment
        self.url = f"http://127.0.0.1:{port}"
        self.redis = redis.Redis.from_url(environment["REDIS_URL"])
        self._folder = folder
        asgi = ("--interface", "asginl", "--no-ws", "config.asgi:application")
        schedule = str(folder / "beat-schedule")
        self._commands: dict[str, tuple[str, ...]] = {
            "web": ("-m", "granian", "--port", str(port), *asgi),
            "worker": (*CELERY, "config", *WORKER, "-c", "2"),
            "beat": (*CELERY, "config", "beat", "--schedule", schedule, "--pidfile", ""),
        }
        self._processes: dict[str, subprocess.Popen[bytes]] = {}

    def manage(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run a management command to its end."""
        return subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=PROJECT_DIR,
            env={**self.environment, **variables},
            capture_output=True,
            text=True,
            timeout=STARTS_WITHIN,
        )

    def start(self, name: str) -> None:
        """Start one of them."""
        with (self._folder / f"{name}.log").open("ab") as log:
            self._processes[name] = subprocess.Popen(
                [sys.executable, *self._commands[name]],
                cwd=PROJECT_DIR,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def start_worker(self, name: str, application: str) -> None:
        """Start one more worker, of another Celery application, that says when it is ready."""
        says = ("--loglevel", "INFO", "--hostname", f"{name}@%h")
        self._commands[name] = (*CELERY, application, *WORKER, "-c", "1", *says)
        self.start(name)

    def running(self) -> set[str]:
        """Which of them have been started and not killed."""
        return set(self._processes)

    def kill(self, name: str) -> None:
        """Kill -9 it and all that it has started, as a machine that loses power."""
        process = self._processes.pop(name)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(STOPS_WITHIN)

    def start_all(self) -> None:
        """Start everything, and wait until it is ready as a load balancer would see it."""
        for name in self._commands:
            self.start(name)
        self.wait_until_ready()

    def wait_until_ready(self) -> None:
        """Until a load balancer would send calls."""
        eventually(self._is_ready, within=STARTS_WITHIN, complaint=self.log())

    def _is_ready(self) -> bool:
        with suppress(httpx.TransportError):
            return httpx.get(f"{self.url}/readyz").status_code == 200
        return False

    def stop_all(self) -> list[psutil.Process]:
        """Ask all of them to stop; return what is left of them then, after killing it."""
        family = [
            member
            for process in self._processes.values()
            for member in (
                psutil.Process(process.pid),
                *psutil.Process(process.pid).children(recursive=True),
            )
        ]
        for process in self._processes.values():
            process.terminate()
        for process in self._processes.values():
            with suppress(subprocess.TimeoutExpired):
                process.wait(STOPS_WITHIN)
        _, left = psutil.wait_procs(family, timeout=1.0)
        for process in left:
            process.kill()
        self.redis.close()
        return left

    def log(self) -> str:
        """All that they have printed."""
        return "\n".join(path.read_text() for path in sorted(self._folder.glob("*.log")))
