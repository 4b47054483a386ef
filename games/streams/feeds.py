"""The event streams of one process: each change is read once a table, and told to its viewers.

A viewer that does not take its events, has lost its token or may not see the table any more is let
go; it can come back with the last version that it has.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, Final
from uuid import UUID

import structlog
from django.conf import settings
from django.db import DatabaseError

from games.errors import SessionNotFound
from games.selectors.changes import entries_above, events_of, snapshot
from games.selectors.tables import table_for_service, table_shown_to
from games.streams.hub import Watch, version_hub
from games.streams.threads import in_database_thread
from players.selectors import devices_alive

logger = structlog.get_logger(__name__)

HEARTBEAT: Final = b": heartbeat\n\n"
RETRY_SECONDS: Final = 1.0
# A phone that takes nothing for so many events is gone, or will be faster with a snapshot.
MOST_WAITING: Final = 200

Frames = list[tuple[int, bytes]]


def frame(event: Mapping[str, Any]) -> bytes:
    """One event on the wire; its id is the version."""
    data = json.dumps(event, ensure_ascii=False, separators=(",", ":"))
    return f"id: {event['version']}\ndata: {data}\n\n".encode()


class Viewer:
    """One open stream: what it has been told, and what waits to be sent."""

    def __init__(self, *, player_id: UUID, device: str, version: int) -> None:
        self.player_id, self.device, self.version = player_id, device, version
        self._waiting: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._task = asyncio.current_task()

    def tell(self, frames: Frames) -> None:
        """Send what is new to it."""
        for version, data in frames:
            if version > self.version:
                self.version = version
                self._waiting.put_nowait(data)
        # Who does not read blocks the sending, and would not come to see an end in its queue.
        if self._waiting.qsize() > MOST_WAITING and self._task is not None:
            self._task.cancel()

    def end(self) -> None:
        """End the stream once everything has been sent."""
        self._waiting.put_nowait(None)

    async def next(self) -> bytes | None:
        """What to send next: an event, a heartbeat after a silence, or None at the end."""
        with suppress(TimeoutError):
            async with asyncio.timeout(settings.STREAM_HEARTBEAT_SECONDS):
                return await self._waiting.get()
        return HEARTBEAT


class Feed:
    """The viewers of one session."""

    def __init__(self, session_id: UUID) -> None:
        self.viewers: set[Viewer] = set()
        self._session_id = session_id
        self._watch: Watch | None = None
        self._task = asyncio.create_task(self._run())

    @property
    def works(self) -> bool:
        """Whether viewers of it will be told."""
        return not self._task.done()

    def add(self, viewer: Viewer) -> None:
        """Tell this viewer, too; of what has happened since its last version at once."""
        self.viewers.add(viewer)
        if self._watch is not None:
            self._watch.changed.set()

    def stop(self) -> None:
        """Nobody is left."""
        self._task.cancel()

    async def _run(self) -> None:
        try:
            async with version_hub().watching(self._session_id) as self._watch:
                while True:
                    await self._watch.changed.wait()
                    self._watch.changed.clear()
                    await self._tell(self._watch)
        finally:
            # Whatever ended it: they come back, and are told by another.
            for viewer in self.viewers:
                viewer.end()

    async def _tell(self, watch: Watch) -> None:
        behind: dict[UUID, int] = {}
        for viewer in self.viewers:
            if viewer.version < watch.version:
                known = behind.get(viewer.player_id, viewer.version)
                behind[viewer.player_id] = min(known, viewer.version)
        if not behind:
            return
        try:
            news = await in_database_thread(partial(frames_read, self._session_id, behind))
        except DatabaseError as error:
            logger.warning("no news read", session_id=str(self._session_id), reason=str(error))
            await asyncio.sleep(RETRY_SECONDS)
            watch.changed.set()
            return
        for viewer in list(self.viewers):
            frames = news.get(viewer.player_id, [])
            if frames is None:
                viewer.end()
            else:
                viewer.tell(frames)


def frames_read(session_id: UUID, behind: Mapping[UUID, int]) -> dict[UUID, Frames | None]:
    """What each of these players has not been told, who know the given version.

    None for who may not see the table any more.
    """
    table = table_for_service(session_id=session_id)
    if table is None:
        return dict.fromkeys(behind)
    entries = entries_above(table, min(behind.values()))
    news: dict[UUID, Frames | None] = {}
    for player_id, version in behind.items():
        try:
            shown = table_shown_to(table, player_id)
        except SessionNotFound:
            news[player_id] = None
            continue
        if entries is None:
            events = [snapshot(shown)]
        else:
            new = [entry for entry in entries if entry.version > version]
            events = events_of(shown, new) if new else []
        news[player_id] = [(event["version"], frame(event)) for event in events]
    return news


class Feeds:
    """The feeds of one event loop, by session."""

    def __init__(self) -> None:
        self._feeds: dict[UUID, Feed] = {}
        self._checker: asyncio.Task[None] | None = None

    async def view(
        self, session_id: UUID, *, player_id: UUID, device: str, version: int
    ) -> AsyncIterator[bytes]:
        """What to send to who has seen this version, until the viewer is let go."""
        if self._checker is None or self._checker.done():
            self._checker = asyncio.create_task(self._let_go_of_dead_tokens())
        viewer = Viewer(player_id=player_id, device=device, version=version)
        feed = self._feeds.get(session_id)
        if feed is None or not feed.works:
            feed = self._feeds[session_id] = Feed(session_id)
        feed.add(viewer)
        try:
            while (data := await viewer.next()) is not None:
                yield data
        finally:
            feed.viewers.discard(viewer)
            if not feed.viewers:
                feed.stop()
                if self._feeds.get(session_id) is feed:
                    del self._feeds[session_id]

    async def _let_go_of_dead_tokens(self) -> None:
        while True:
            await asyncio.sleep(settings.STREAM_HEARTBEAT_SECONDS)
            viewers = [viewer for feed in self._feeds.values() for viewer in feed.viewers]
            devices = {viewer.device for viewer in viewers}
            try:
                alive = await in_database_thread(partial(devices_alive, digests=devices))
            except DatabaseError as error:
                logger.warning("tokens not looked at", reason=str(error))
                continue
            for viewer in viewers:
                if viewer.device not in alive:
                    viewer.end()


_feeds: dict[asyncio.AbstractEventLoop, Feeds] = {}


def feeds() -> Feeds:
    """The feeds of the running event loop."""
    loop = asyncio.get_running_loop()
    if loop not in _feeds:
        for closed in [known for known in _feeds if known.is_closed()]:
            del _feeds[closed]
        _feeds[loop] = Feeds()
    return _feeds[loop]
