"""Both embedded servers together, of which only what the environment does not name is started."""

from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from config.embedded.data_directory import DataDirectory
from config.embedded.leftovers import end_leftovers
from config.embedded.postgres import Postgres
from config.embedded.valkey import Valkey


class Server(Protocol):
    """What the two servers have in common."""

    @property
    def url(self) -> str:
        """Where it answers."""
        ...

    def start(self) -> None:
        """Start it and wait until it answers."""
        ...

    def alive(self) -> bool:
        """Tell whether it runs."""
        ...

    def stop(self) -> None:
        """Stop it."""
        ...


class EmbeddedServers:
    """A locked data folder with the servers that run in it."""

    def __init__(self, data_dir: Path, *, database_url: str | None, redis_url: str | None) -> None:
        """Prepare servers in `data_dir` for whichever URL is not given."""
        self.directory = DataDirectory(data_dir)
        self.leftovers: list[str] = []
        self._given = {"DATABASE_URL": database_url, "REDIS_URL": redis_url}
        self._servers: dict[str, Server] = {}

    @property
    def environment(self) -> dict[str, str]:
        """DATABASE_URL and REDIS_URL, given or started."""
        given = {name: url for name, url in self._given.items() if url}
        return {**given, **{name: server.url for name, server in self._servers.items()}}

    def described(self) -> str:
        """Say in a few words which servers are started here and which are given."""
        names = {"DATABASE_URL": "PostgreSQL", "REDIS_URL": "Valkey"}
        started = [names[name] for name, url in self._given.items() if not url]
        given = [name for name, url in self._given.items() if url]
        parts = [f"its own {' and '.join(started)}"] if started else []
        return ", ".join([*parts, *([f"{' and '.join(given)} as given"] if given else [])])

    def claim(self) -> None:
        """Lock the folder and end what a killed run left in it.

        For who needs what the leftovers hold, a port say, before `start`, which else does this.
        Raises EmbeddedError if another has the folder.
        """
        self.directory.open()
        self.leftovers = end_leftovers(self.directory.path)

    def start(self) -> None:
        """Start what is needed, in the folder that is then this object's.

        Raises EmbeddedError, with nothing left running, if any of it fails.
        """
        try:
            if not self.directory.locked:
                self.claim()
            path = self.directory.path
            if not self._given["DATABASE_URL"]:
                password = self.directory.secret("POSTGRES_PASSWORD")
                self._start("DATABASE_URL", Postgres(path / "postgres", password, path))
            if not self._given["REDIS_URL"]:
                password = self.directory.secret("VALKEY_PASSWORD")
                self._start("REDIS_URL", Valkey(path / "valkey", password, path))
        except BaseException:
            self.stop()
            raise

    def revive(self) -> list[str]:
        """Start servers that ended again, at their old URLs; return the names of their URLs.

        Raises EmbeddedError if one does not start any more.
        """
        dead = [name for name, server in self._servers.items() if not server.alive()]
        for name in dead:
            self._servers[name].start()
        return dead

    def stop(self) -> None:
        """Stop what was started and release the folder."""
        for server in reversed(self._servers.values()):
            server.stop()
        self._servers.clear()
        self.directory.close()

    def _start(self, name: str, server: Server) -> None:
        self._servers[name] = server
        server.start()

    def __enter__(self) -> Self:
        """Start, for a `with` block."""
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Stop, at the end of a `with` block."""
        self.stop()
