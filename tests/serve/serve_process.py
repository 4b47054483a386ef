"""A real `manage.py serve` in a child process, and what it leaves behind."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path

import psutil

from config.embedded.data_directory import PROJECT_DIR
from config.embedded.leftovers import OWNER_VARIABLE

STARTS_WITHIN = 60.0
STOPS_WITHIN = 20.0


def free_port() -> int:
    """Return a TCP port that is free at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def clean_environment(**extra: str) -> dict[str, str]:
    """Return the environment of a fresh shell: nothing of the test run's own settings in it."""
    own = {"DATABASE_URL", "REDIS_URL", "ENVIRONMENT", "SECRET_KEY", "ALLOWED_HOSTS", "DATA_DIR"}
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in own and not name.startswith(("PYTEST_", "COV_"))
    }
    return {**kept, **extra}


def lives(process: psutil.Process) -> bool:
    """Tell whether a process runs; one that only waits to be reaped does not."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def belongs_to(data_dir: Path) -> list[psutil.Process]:
    """Return the processes that belong to a data folder, by environment or command line."""
    found = []
    for process in psutil.process_iter():
        if process.pid == os.getpid():
            continue
        try:
            words = [process.environ().get(OWNER_VARIABLE, ""), *process.cmdline()]
        except psutil.Error:
            try:
                words = process.cmdline()
            except psutil.Error:
                continue
        if any(word == str(data_dir) or word.startswith(f"{data_dir}/") for word in words):
            found.append(process)
    return found


def run_serve(*arguments: str, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a `serve` that is expected to end by itself, and return what it said."""
    return subprocess.run(
        [sys.executable, "manage.py", "serve", *arguments],
        cwd=PROJECT_DIR,
        env=dict(environment),
        capture_output=True,
        text=True,
        timeout=STARTS_WITHIN,
    )


class ServeProcess:
    """One `manage.py serve`."""

    def __init__(
        self, data_dir: Path, port: int, log: Path, environment: Mapping[str, str]
    ) -> None:
        """Start it; its output goes to `log`."""
        self.data_dir = data_dir
        self.port = port
        self._log = log
        with log.open("ab") as out:
            self.process = subprocess.Popen(
                [
                    *(sys.executable, "manage.py", "serve"),
                    *("--port", str(self.port), "--data", str(data_dir)),
                ],
                cwd=PROJECT_DIR,
                env=dict(environment),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    @property
    def output(self) -> str:
        """All that has been printed so far."""
        return self._log.read_text()

    def status_of(self, path: str) -> int:
        """Return the HTTP status of a path, or 0 if nobody answers."""
        try:
            with urllib.request.urlopen(
                f"http://127.0.0.1:{self.port}{path}", timeout=10
            ) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return error.code
        except OSError:
            return 0

    def wait_until_ready(self) -> float:
        """Wait for the greeting, which must be true; return the seconds it took."""
        began = time.monotonic()
        self.wait_for(lambda: "Ctrl-C stops it" in self.output, "no greeting")
        assert self.status_of("/readyz") == 200, self.output
        return time.monotonic() - began

    def wait_for(self, condition: object, complaint: str) -> None:
        """Wait until `condition()` holds; fail with the output if it does not in time."""
        assert callable(condition)
        deadline = time.monotonic() + STARTS_WITHIN
        while not condition():
            assert self.process.poll() is None, f"serve ended:\n{self.output}"
            assert time.monotonic() < deadline, f"{complaint}:\n{self.output}"
            time.sleep(0.05)

    def child(self, pattern: str) -> psutil.Process:
        """Return the direct child whose command line matches."""
        for process in psutil.Process(self.process.pid).children():
            if re.search(pattern, " ".join(process.cmdline())):
                return process
        raise AssertionError(f"no child matches {pattern}:\n{self.output}")

    def stop(self, how: signal.Signals = signal.SIGINT) -> int:
        """Send a signal and return the exit status."""
        self.process.send_signal(how)
        return self.process.wait(STOPS_WITHIN)
