"""The ways in which an app follows a table: its event stream, the long poll, plain polling."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any, Final

import httpx

from config.crowd.device import Device
from config.crowd.sitting import Sitting, State
from config.playing.answers import answer_read, retry_after
from config.playing.errors import PlayError, require

LONG_POLL_SECONDS: Final = 10
POLL_EVERY: Final = 1.0
# The service sends something every 15 seconds.
SILENCE_AFTER: Final = 45.0
RECONNECT_AFTER: Final = 0.5


class Sight:
    """What one person knows of a table: the newest state, whoever told it."""

    def __init__(self, device: Device, sitting: Sitting) -> None:
        self.device = device
        self.sitting = sitting
        self.state: State | None = None
        self.slow_reads = 0
        """So many events of the stream will be read with `slowness` seconds after each."""
        self.slowness = 0.0
        self._last_event: int | None = None
        self.streams = False
        """Whether the app holds the event stream open."""
        self._news = asyncio.Event()
        self._following: asyncio.Task[None] | None = None

    @property
    def version(self) -> int:
        """The newest version that was seen."""
        return self.state["version"] if self.state else 0

    def show(self, state: State) -> None:
        """Take note of a state, unless a newer one is known. Raises PlayError."""
        self.sitting.note(state)
        if state["version"] > self.version:
            self.state = state
            self._news.set()

    async def look(self) -> State:
        """Ask for the state. Raises PlayError, also if it is older than what is known."""
        known = self.version
        state: State = (await self.device.get(f"{self.sitting.path}state/")).body
        self._require_no_step_back(known, state)
        self.show(state)
        return state

    def _require_no_step_back(self, known: int, state: State) -> None:
        require(
            state["version"] >= known,
            f"Session {self.sitting.id} went from version {known} to {state['version']}.",
        )

    def follow(self, manner: str) -> None:
        """Let the app be open, following in this manner."""
        self.streams = manner == "stream"
        self._following = asyncio.create_task(MANNERS[manner](self))

    async def stop_following(self) -> None:
        """Close the app, whatever it was doing. Raises PlayError if it had failed."""
        if self._following is not None:
            following, self._following = self._following, None
            following.cancel()
            (ended,) = await asyncio.gather(following, return_exceptions=True)
            if isinstance(ended, Exception):
                raise ended

    async def newer(self, version: int, *, within: float) -> State:
        """The state once it is newer. Raises PlayError if the app ends or nothing is told."""
        assert self._following is not None
        deadline = time.monotonic() + within
        while self.state is None or self.version <= version:
            self._news.clear()
            news = asyncio.create_task(self._news.wait())
            left = deadline - time.monotonic()
            done, _ = await asyncio.wait(
                {news, self._following}, timeout=left, return_when=asyncio.FIRST_COMPLETED
            )
            news.cancel()
            if self._following in done:
                self._following.result()
                raise PlayError(f"Session {self.sitting.id} is followed no more.")
            if not done:
                await self._complain(version, within)
        return self.state

    async def hear_the_end(self, version: int, *, within: float) -> None:
        """Wait until the stream, if it is followed, has told this last version, too.

        Raises PlayError.
        """
        assert self._following is not None
        deadline = time.monotonic() + within
        while self.streams and (self._last_event or 0) < version:
            if self._following.done():
                self._following.result()
            require(
                time.monotonic() < deadline,
                f"The stream of session {self.sitting.id} did not tell its end, {version}.",
            )
            await asyncio.sleep(0.05)

    async def _complain(self, version: int, within: float) -> None:
        state = await self.look()
        if state["version"] > version:
            what = f"version {state['version']} was not told, {version} was the last"
        else:
            what = f"it stands still in version {version}, waiting for seat {state['to_act']}"
        raise PlayError(f"Session {self.sitting.id}: {what} for {within:.0f} s.")

    async def poll(self) -> None:
        """Ask again and again, with the `ETag` of what is known."""
        etag: str | None = None
        while True:
            headers = {"If-None-Match": etag} if etag else {}
            known = self.version
            answer = await self.device.get(f"{self.sitting.path}state/", headers=headers)
            if answer.body is not None:
                self._require_no_step_back(known, answer.body)
                etag = f'"{answer.body["version"]}"'
                self.show(answer.body)
            await asyncio.sleep(POLL_EVERY)

    async def wait(self) -> None:
        """Let the service answer as soon as there is something new."""
        while True:
            known = self.version
            answer = await self.device.get(
                f"{self.sitting.path}state/wait/",
                takes=LONG_POLL_SECONDS,
                since=known,
                timeout=LONG_POLL_SECONDS,
            )
            self._require_no_step_back(known, answer.body)
            self.show(answer.body)

    async def stream(self) -> None:
        """Hold the event stream open, and go on after the last event where it has ended."""
        while True:
            try:
                await self._read_stream()
            except (httpx.ReadTimeout, httpx.PoolTimeout) as error:
                raise PlayError(
                    f"The stream of session {self.sitting.id} was silent for {SILENCE_AFTER} s."
                ) from error
            except httpx.TransportError as error:
                self.device.tally.repeats[f"GET events/ {type(error).__name__}"] += 1
            await asyncio.sleep(RECONNECT_AFTER)

    async def _read_stream(self) -> None:
        path = f"{self.sitting.path}events/"
        headers = {} if self._last_event is None else {"Last-Event-ID": str(self._last_event)}
        timeout = httpx.Timeout(SILENCE_AFTER)
        async with self.device.http.stream("GET", path, headers=headers, timeout=timeout) as got:
            if got.status_code == httpx.codes.TOO_MANY_REQUESTS:
                self.device.tally.repeats["GET events/ 429"] += 1
                await asyncio.sleep(retry_after(got))
                return
            if got.status_code != httpx.codes.OK:
                await got.aread()
                answer_read(f"GET {path}", got)
            opened_at = time.monotonic()
            async for event in _events(got):
                self._take(event, opened_at)
                if self.slow_reads:
                    self.slow_reads -= 1
                    await asyncio.sleep(self.slowness)
                    # How late the events are that have come meanwhile says nothing.
                    opened_at = time.monotonic()

    def _take(self, event: dict[str, Any], opened_at: float) -> None:
        """One event of the stream, the next after the last one. Raises PlayError."""
        version, last = event["version"], self._last_event
        self.device.tally.counts["events"] += 1
        if event["type"] == "snapshot":
            fits = last is None or version > last
        else:
            fits = last is not None and version == last + 1
        require(
            fits,
            f"The stream of session {self.sitting.id} told {event['type']} {version} after {last}.",
        )
        self._last_event = version
        if event["type"] != "snapshot":
            self.sitting.heard(version, opened_at=opened_at)
        if "state" in event:
            self.show(event["state"])


async def _events(response: httpx.Response) -> AsyncIterator[dict[str, Any]]:
    """The events of a stream as they come, whose ids are their versions. Raises PlayError."""
    event_id, data = "", ""
    async for line in response.aiter_lines():
        name, _, value = line.partition(": ")
        if name == "id":
            event_id = value
        elif name == "data":
            data += value
        elif not line and data:
            event = json.loads(data)
            require(
                event_id == str(event["version"]),
                f"An event of version {event['version']} has the id {event_id}.",
            )
            yield event
            data = ""


MANNERS: Final[dict[str, Callable[[Sight], Coroutine[Any, Any, None]]]] = {
    "stream": Sight.stream,
    "wait": Sight.wait,
    "poll": Sight.poll,
}
