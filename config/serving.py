"""The service of `manage.py serve`: embedded servers below, web, worker and beat on top."""

import http.client
import ipaddress
import json
import os
import socket
import sys
import threading
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import psutil
from django.db import DatabaseError
from django.db.utils import ConnectionHandler
from environ import Env

from config.embedded import EmbeddedServers
from config.embedded.data_directory import PROJECT_DIR
from config.embedded.leftovers import OWNER_VARIABLE
from config.models import WorkerHeartbeat
from config.supervisor import OWN_NAME, Output, PrefixedLog, Program, Supervisor

EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104
READY_PATH = "/readyz"
SAY_NOT_READY_AFTER = 30.0
STARTS_BEFORE_GIVING_UP = 3
ACCESS_LINE = "%(method)s %(path)s %(status)d %(dt_ms).0f ms"  # without the query string
AS_ROOT_TOO = ("-W", "ignore:You're running the worker with superuser")
NAMES = ("web", "worker", "beat", "migrate", OWN_NAME)


class ServiceError(Exception):
    """The service cannot run; the message is meant for the person who started it."""


@dataclass(frozen=True)
class Address:
    """Where the service listens."""

    host: str
    port: int

    @property
    def everywhere(self) -> bool:
        """Whether this stands for every address of the machine."""
        return self.host in EVERYWHERE

    @property
    def reachable_host(self) -> str:
        """A host under which this machine itself reaches the service."""
        return EVERYWHERE.get(self.host, self.host)

    @property
    def url(self) -> str:
        """The service's URL for a person at this machine, without a slash at the end."""
        return f"http://{_bracketed(self.reachable_host)}:{self.port}"

    def require_free(self) -> None:
        """Raise ServiceError if nobody could listen here now."""
        try:
            found = socket.getaddrinfo(
                self.host, self.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
            )
            family, kind, protocol, _, address = found[0]
            with socket.socket(family, kind, protocol) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind(address)
        except PermissionError:
            raise ServiceError(
                f"Port {self.port} may not be opened by this user: ports below 1024 are for root. "
                "Choose another with --port."
            ) from None
        except socket.gaierror:
            raise ServiceError(f"--host {self.host} is not an address of this machine.") from None
        except OSError as error:
            raise ServiceError(
                f"Cannot listen on {self.host}:{self.port}: {error.strerror}.\n"
                "Stop what listens there, or choose another --port (or --host)."
            ) from error

    def allowed_hosts(self) -> list[str]:
        """Return the names under which requests are accepted."""
        names = ["localhost", "127.0.0.1", "[::1]", socket.gethostname().lower()]
        if self.everywhere:
            names += [f"{socket.gethostname().lower()}.local", *_addresses_of_this_machine()]
        else:
            names.append(_bracketed(self.host.lower()))
        return list(dict.fromkeys(names))


class Service:
    """Everything that one `serve` runs."""

    def __init__(self, address: Address, data_dir: Path, out: Output) -> None:
        """Prepare a service on `address` that keeps its data in `data_dir` and logs to `out`."""
        self._address = address
        self.log = PrefixedLog(out, NAMES)
        self._stop = threading.Event()
        self._hurry = threading.Event()
        self._supervisor: Supervisor | None = None
        self._servers = EmbeddedServers(
            data_dir,
            database_url=os.environ.get("DATABASE_URL"),
            redis_url=os.environ.get("REDIS_URL"),
        )

    @property
    def stopping(self) -> bool:
        """Whether a stop has been asked for."""
        return self._stop.is_set()

    def stop_requested(self) -> None:
        """Ask for a stop (from a signal handler); asked twice, it does not wait for anything."""
        if self.stopping:
            self._hurry.set()
        self._stop.set()

    def start(self) -> None:
        """Start everything and return when it is ready, or when a stop was asked for.

        Raises EmbeddedError or ServiceError if something does not start.
        """
        began = time.monotonic()
        directory = self._servers.directory
        self._say(f"Data in {directory.path}; {self._servers.described()}")
        self._servers.claim()
        for leftover in self._servers.leftovers:
            self._say(f"Ended {leftover}, left behind by a killed serve")
        self._address.require_free()
        self._servers.start()
        environment = self._environment()
        directory.publish(environment)
        self._supervisor = Supervisor({**os.environ, **environment}, PROJECT_DIR, self.log)
        migrate = Program("migrate", (sys.executable, "manage.py", "migrate", "-v0", "--no-input"))
        if not self.stopping:
            self._say("Bringing the database up to date")
            if self._supervisor.run(migrate, self._stop):
                raise ServiceError("`manage.py migrate` failed; its lines above say why.")
        if not self.stopping:
            _forget_heartbeat(environment["DATABASE_URL"])
            self._supervisor.start(self._programs(directory.path))
            self._wait_until_ready(self._supervisor)
        if not self.stopping:
            self._say(f"Ready after {time.monotonic() - began:.1f} s")

    def tend(self) -> None:
        """Keep everything running until a stop is asked for; EmbeddedError if that fails."""
        while not self._stop.wait(0.25):
            self._revive()
            if self._supervisor is not None:
                self._supervisor.tend()

    def stop(self) -> None:
        """Stop everything, the servers last. A second call does nothing."""
        self._stop.set()
        if self._supervisor is not None:
            self._say("Stopping")
            self._supervisor.stop(self._hurry)
            self._supervisor = None
        self._servers.stop()

    def _say(self, line: str) -> None:
        self.log.write(OWN_NAME, line)

    def _revive(self) -> None:
        for name in self._servers.revive():
            self._say(f"the server of {name} had ended and runs again")

    def _environment(self) -> dict[str, str]:
        """Return what the processes need to know; what the user has set himself stays."""
        directory = self._servers.directory
        own = {
            "ENVIRONMENT": "embedded",
            "ALLOWED_HOSTS": ",".join(self._address.allowed_hosts()),
            "SECRET_KEY": os.environ.get("SECRET_KEY") or directory.secret("SECRET_KEY"),
        }
        return {
            **{name: os.environ.get(name, value) for name, value in own.items()},
            **self._servers.environment,
            "DATA_DIR": str(directory.path),
            "PYTHONUNBUFFERED": "1",
            OWNER_VARIABLE: str(directory.path),
        }

    def _programs(self, data_dir: Path) -> list[Program]:
        web = (
            *("granian", "--interface", "asginl", "--host", self._address.host),
            *("--port", str(self._address.port), "--workers", "1", "--no-ws"),
            *("--respawn-failed-workers", "--workers-kill-timeout", "3"),
            *("--access-log", "--access-log-fmt", ACCESS_LINE),
            "config.asgi:application",
        )
        celery = ("celery", "--quiet", "-A", "config")
        worker = (
            *("worker", "--loglevel", "INFO", "--concurrency", "2"),
            *("--without-gossip", "--without-mingle"),
        )
        beat = (
            *("beat", "--loglevel", "WARNING", "--pidfile", ""),
            *("--schedule", str(data_dir / "beat-schedule")),
        )
        # Beat would say twice in three seconds that it sends what is due.
        return [
            Program("web", (sys.executable, "-m", *web)),
            Program("worker", (sys.executable, *AS_ROOT_TOO, "-m", *celery, *worker)),
            Program("beat", (sys.executable, "-m", *celery, *beat)),
        ]

    def _wait_until_ready(self, supervisor: Supervisor) -> None:
        next_word = time.monotonic() + SAY_NOT_READY_AFTER
        ask_every = 0.1
        self.log.hide(READY_PATH)  # a worker takes longer to start: many answers would be 503
        while not self._stop.wait(ask_every):
            self._revive()
            supervisor.tend()
            missing = self._missing()
            if not missing:
                break
            if supervisor.starts("web") > STARTS_BEFORE_GIVING_UP:
                raise ServiceError("The web server keeps ending; its lines above say why.")
            if time.monotonic() > next_word:
                parts = ", ".join(f"{part}: {state}" for part, state in missing.items())
                self._say(f"Not ready yet: {parts}; see the lines above")
                next_word = time.monotonic() + SAY_NOT_READY_AFTER
                ask_every = 2.0
        self.log.hide(None)

    def _missing(self) -> Mapping[str, str]:
        """Return the parts that are not at work, each with its state."""
        host = self._address.reachable_host
        connection = http.client.HTTPConnection(host, self._address.port, timeout=5)
        try:
            connection.request("GET", READY_PATH, headers={"Host": _allowed_host()})
            answer = connection.getresponse()
            if answer.status not in (200, 503):
                return {"web": f"{READY_PATH} answers {answer.status}"}
            parts: dict[str, str] = json.load(answer)["parts"]
            return {part: state for part, state in parts.items() if state != "ok"}
        except (OSError, http.client.HTTPException, ValueError, KeyError):
            return {"web": "no answer"}
        finally:
            connection.close()


def _forget_heartbeat(database_url: str) -> None:
    """Delete what a worker of an earlier run has noted, which may look like one of this run.

    This process has no database in its settings: it may have made the database just now.
    """
    connection = ConnectionHandler({"default": Env.db_url_config(database_url)})["default"]
    try:
        with connection.cursor() as cursor:
            cursor.execute(f"DELETE FROM {WorkerHeartbeat._meta.db_table}")  # noqa: S608
    except DatabaseError as error:
        raise ServiceError(f"The database does not answer after its migration: {error}") from error
    finally:
        connection.close()


def _allowed_host() -> str:
    """Return a host name that the settings accept, also when the user has set them himself."""
    first = os.environ.get("ALLOWED_HOSTS", "").split(",")[0].strip().lstrip(".")
    return first if first not in ("", "*") else "localhost"


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _addresses_of_this_machine() -> Iterable[str]:
    for interface in psutil.net_if_addrs().values():
        for entry in interface:
            if entry.family in (socket.AF_INET, socket.AF_INET6):
                address = ipaddress.ip_address(entry.address.split("%")[0])
                yield _bracketed(str(address))
