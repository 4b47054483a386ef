"""One server that runs as a child process: started, looked after, stopped."""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from config.embedded.errors import EmbeddedError

LOG_LIMIT = 5_000_000
READY_WITHIN = 60.0


def free_port() -> int:
    """Return a TCP port of 127.0.0.1 that is free at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class ServerProcess:
    """A server's process in a session of its own, so that Ctrl-C does not reach it."""

    def __init__(self, name: str, log: Path, stop_signal: signal.Signals) -> None:
        """Prepare a server that logs to `log` and stops on `stop_signal`."""
        self.name = name
        self.log = log
        self._stop_signal = stop_signal
        self._process: subprocess.Popen[bytes] | None = None

    def start(
        self,
        command: list[str],
        environment: Mapping[str, str],
        ready: Callable[[], bool],
        **popen: Any,
    ) -> None:
        """Start the server and wait until `ready()`.

        Raises EmbeddedError with the end of its log if it ends or does not get ready.
        """
        if self.log.exists() and self.log.stat().st_size > LOG_LIMIT:
            self.log.replace(self.log.with_suffix(".old.log"))
        with self.log.open("ab") as log:
            began = log.tell()
            self._process = subprocess.Popen(  # noqa: S603
                command,
                env=dict(environment),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                **popen,
            )
        deadline = time.monotonic() + READY_WITHIN
        while not ready():
            if not self.alive():
                raise self._failed("ended while it started", began)
            if time.monotonic() > deadline:
                self.stop()
                raise self._failed(f"did not answer within {READY_WITHIN:.0f} s", began)
            time.sleep(0.05)

    def alive(self) -> bool:
        """Tell whether the process runs."""
        return self._process is not None and self._process.poll() is None

    def stop(self, patience: float = 20.0) -> None:
        """Stop the process; kill it, and all that it started, if it takes too long."""
        process, self._process = self._process, None
        if process is None:
            return
        if process.poll() is None:
            process.send_signal(self._stop_signal)
            try:
                process.wait(patience)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def _failed(self, what: str, began: int) -> EmbeddedError:
        with self.log.open("rb") as log:
            log.seek(began)
            lines = log.read().decode(errors="replace").splitlines()
        tail = "\n".join(f"    {line}" for line in lines[-12:])
        return EmbeddedError(f"{self.name} {what}. Its log ({self.log}) says:\n{tail}")
