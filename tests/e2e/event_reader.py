"""An open event stream of a player's device, read in a thread."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from typing import Any

import httpx

from tests.e2e.http_player import HttpTable
from tests.e2e.service_processes import eventually
from tests.events import ServerEvent, events_in


class EventReader:
    """What has come so far: `events` with the time of each, `heartbeats`, whether it `ended`."""

    def __init__(self, response: httpx.Response) -> None:
        self.headers = response.headers
        self.events: list[tuple[float, ServerEvent]] = []
        self.heartbeats = 0
        self.ended = threading.Event()
        self._response = response
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        try:
            for event in events_in(self._response.iter_lines()):
                if event is None:
                    self.heartbeats += 1
                else:
                    self.events.append((time.monotonic(), event))
        except (httpx.HTTPError, httpx.StreamError):
            pass
        finally:
            self.ended.set()

    @property
    def told(self) -> list[dict[str, Any]]:
        """The data of every event so far."""
        return [event.data for _, event in self.events]

    def wait_for(self, version: int, *, within: float = 15.0) -> list[dict[str, Any]]:
        """Every event so far, once this version has been told."""
        eventually(
            lambda: self.events and self.events[-1][1].data["version"] >= version,
            within=within,
            complaint=f"version {version} was not told: {self.told}",
        )
        return self.told


@contextmanager
def open_stream(table: HttpTable, since: int | None = None) -> Generator[EventReader]:
    """The stream of a table, closed at the end as by an app that is killed."""
    headers = {"Accept-Encoding": "gzip"}
    if since is not None:
        headers["Last-Event-ID"] = str(since)
    url = f"{table.path}events/"
    with table.player.http.stream("GET", url, headers=headers, timeout=60.0) as response:
        assert response.status_code == 200, response.read()
        try:
            yield EventReader(response)
        finally:
            # Closing alone would leave the connection to the thread that reads from it.
            connection = response.extensions["network_stream"].get_extra_info("socket")
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
