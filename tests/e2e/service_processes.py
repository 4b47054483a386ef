"""The service as it runs: web, worker and beat as processes, on a database of their own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import psutil
import redis

from config.embedded.data_directory import PROJECT_DIR

SWEEP_SECONDS = 1.0
STARTS_WITHIN = 60.0
STOPS_WITHIN = 10.0


def eventually(condition: Callable[[], Any], *, within: float, complaint: str) -> Any:
    """Wait until `condition()` is true, and return what it said."""
    deadline = time.monotonic() + within
    while not (value := condition()):
        assert time.monotonic() < deadline, complaint
        time.sleep(0.02)
    return value


class ServiceProcesses:
    """Web, worker and beat, each a process group of its own."""

    def __init__(self, environment: dict[str, str], port: int, folder: Path) -> None:
        self.environment = environment
        self.url = f"http://127.0.0.1:{port}"
        self.redis = redis.Redis.from_url(environment["REDIS_URL"])
        self._folder = folder
        celery = ("-W", "ignore", "-m", "celery", "--quiet", "-A", "config")
        asgi = ("--interface", "asginl", "--no-ws", "config.asgi:application")
        schedule = str(folder / "beat-schedule")
        self._commands: dict[str, tuple[str, ...]] = {
            "web": ("-m", "granian", "--port", str(port), *asgi),
            "worker": (*celery, "worker", "-c", "2", "--without-gossip", "--without-mingle"),
            "beat": (*celery, "beat", "--schedule", schedule, "--pidfile", ""),
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
