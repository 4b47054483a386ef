"""The folder in which everything embedded lives, and who may use it at a time.

serve.lock     locked while a `serve` runs on this folder
secrets.json   made once: the secret key, the passwords of the servers        (mode 600)
servers.json   while `serve` runs: the environment of its processes           (mode 600)
postgres/  valkey/   what the servers store and log
"""

import fcntl
import json
import os
import secrets
import time
from pathlib import Path
from typing import IO

from config.embedded.errors import EmbeddedError

PROJECT_DIR = Path(__file__).resolve().parents[2]


def default_data_dir() -> Path:
    """Return the data folder that is used when none is named: DATA_DIR, else .data here."""
    return Path(os.environ.get("DATA_DIR") or PROJECT_DIR / ".data").expanduser().resolve()


def running_urls(data_dir: Path) -> dict[str, str] | None:
    """Return the environment of the `serve` that runs on this folder, or None if none runs.

    Among others the keys DATABASE_URL, REDIS_URL and SECRET_KEY. What a killed `serve` left
    behind does not count: its lock is gone.
    """
    try:
        environment = json.loads((data_dir / "servers.json").read_text())
        with (data_dir / "serve.lock").open() as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)  # works only if nobody serves
    except BlockingIOError:
        return {str(name): str(value) for name, value in environment.items()}
    except (OSError, ValueError):
        return None
    return None


class DataDirectory:
    """One data folder, locked for the process that holds this object."""

    def __init__(self, path: Path) -> None:
        """Take the folder at `path`, which `open` makes if it does not exist."""
        self.path = path.expanduser().resolve()
        self._lock: IO[str] | None = None

    @property
    def locked(self) -> bool:
        """Whether this object holds the folder."""
        return self._lock is not None

    def open(self) -> None:
        """Make the folder and lock it; raise EmbeddedError if that fails or another has it."""
        try:
            if not self.path.is_dir():
                self.path.mkdir(parents=True)
                # Root's PostgreSQL runs under another account, which has to pass through.
                self.path.chmod(0o711 if os.geteuid() == 0 else 0o700)
            lock = (self.path / "serve.lock").open("a+")
        except OSError as error:
            raise EmbeddedError(f"{self.path} cannot be the data folder: {error}") from error
        if not _lock_within(lock, seconds=1.0):
            lock.seek(0)
            holder = lock.read().strip() or "unknown"
            lock.close()
            raise EmbeddedError(
                f"{self.path} is in use by another `manage.py serve` (process {holder}).\n"
                "Stop that one, or choose another folder with --data."
            )
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        self._lock = lock

    def close(self) -> None:
        """Forget what runs here and let others have the folder."""
        if self._lock is not None:
            (self.path / "servers.json").unlink(missing_ok=True)
            self._lock.close()
            self._lock = None

    def secret(self, name: str) -> str:
        """Return the secret of this name, made once and kept."""
        file = self.path / "secrets.json"
        try:
            kept: dict[str, str] = json.loads(file.read_text())
        except FileNotFoundError:
            kept = {}
        except (OSError, ValueError) as error:
            raise EmbeddedError(f"{file} cannot be read: {error}") from error
        if name not in kept:
            kept[name] = secrets.token_urlsafe(48)
            _write_private(file, kept)
        return kept[name]

    def publish(self, environment: dict[str, str]) -> None:
        """Tell other processes (`running_urls`) how to reach what runs here."""
        _write_private(self.path / "servers.json", environment)


def _lock_within(lock: IO[str], seconds: float) -> bool:
    """Try for a moment: `running_urls` of another process may just be looking."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            if time.monotonic() > deadline:
                return False
            time.sleep(0.05)


def _write_private(file: Path, content: dict[str, str]) -> None:
    """Replace a file in one step, readable by its owner alone."""
    draft = file.with_suffix(".new")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
        json.dump(content, out, indent=2)
    draft.replace(file)
