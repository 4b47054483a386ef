"""The versions of the sessions that somebody in this process waits for.

One Redis subscription per process, whatever the number of watchers, fans out to them. The database
is looked at too, one query for all sessions: at once for those newly watched, now and then in case
a message was lost, and often while Redis is away.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Final
from uuid import UUID

import redis.asyncio
import structlog
from django.conf import settings
from django.db import DatabaseError
from redis.exceptions import RedisError

from games.broadcast import CHANNEL
from games.selectors.tables import versions_of
from games.streams.threads import in_database_thread

logger = structlog.get_logger(__name__)

RECONNECT_SECONDS: Final = 1.0
LISTEN_SECONDS: Final = 1.0
# How often the database is looked at: while told by Redis, and while not.
LOOK_SECONDS: Final = 5.0
LOOK_SECONDS_UNTOLD: Final = 0.5


class Watch:
    """One watcher's knowledge of a session: the newest version, and whether it is news."""

    def __init__(self) -> None:
        self.version = 0
        self.changed = asyncio.Event()

    def note(self, version: int) -> None:
        """The session has this version, or a later one."""
        if version > self.version:
            self.version = version
            self.changed.set()

    async def above(self, version: int, *, seconds: float) -> bool:
        """Whether the session has gone above this version, waiting at most so long."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self.version <= version:
                    self.changed.clear()
                    await self.changed.wait()
        return self.version > version


class VersionHub:
    """The watchers of one event loop, by session."""

    def __init__(self) -> None:
        self._watches: defaultdict[UUID, set[Watch]] = defaultdict(set)
        self._unknown: set[UUID] = set()
        self._look_now = asyncio.Event()
        self._told = False
        self._listener: asyncio.Task[None] | None = None
        self._looker: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def watching(self, session_id: UUID) -> AsyncIterator[Watch]:
        """A watch of this session, until the block ends."""
        if self._listener is None or self._listener.done():
            self._listener = asyncio.create_task(self._listen())
        if self._looker is None or self._looker.done():
            self._looker = asyncio.create_task(self._look())
        watch = Watch()
        self._watches[session_id].add(watch)
        self._unknown.add(session_id)
        self._look_now.set()
        try:
            yield watch
        finally:
            self._watches[session_id].discard(watch)
            if not self._watches[session_id]:
                del self._watches[session_id]

    def _note(self, session_id: UUID, version: int) -> None:
        for watch in self._watches.get(session_id, ()):
            watch.note(version)

    async def _listen(self) -> None:
        # A cancellation can get lost inside the client's own time-outs; so it is asked for, too.
        this = asyncio.current_task()
        while this is not None and not this.cancelling():
            client = redis.asyncio.Redis.from_url(settings.REDIS_URL, socket_connect_timeout=1)
            try:
                async with client.pubsub() as subscription:
                    await subscription.subscribe(CHANNEL)
                    self._told = True
                    # What was announced before this does not count as told.
                    self._look_at_all()
                    while not this.cancelling():
                        message = await subscription.get_message(
                            ignore_subscribe_messages=True, timeout=LISTEN_SECONDS
                        )
                        if message:
                            session_id, _, version = message["data"].decode().partition(":")
                            self._note(UUID(session_id), int(version))
            except (RedisError, OSError) as error:
                logger.warning("no subscription", reason=str(error))
                self._told = False
                self._look_at_all()
                await asyncio.sleep(RECONNECT_SECONDS)
            finally:
                await client.aclose()

    def _look_at_all(self) -> None:
        self._unknown.update(self._watches)
        self._look_now.set()

    async def _look(self) -> None:
        while True:
            seconds = LOOK_SECONDS if self._told else LOOK_SECONDS_UNTOLD
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._look_now.wait()
            wanted = self._unknown if self._look_now.is_set() else set(self._watches)
            self._unknown = set()
            self._look_now.clear()
            if not wanted:
                continue
            try:
                found = await in_database_thread(partial(versions_of, wanted))
            except DatabaseError as error:
                logger.warning("no look at the versions", reason=str(error))
                continue
            for session_id, version in found.items():
                self._note(session_id, version)


_hubs: dict[asyncio.AbstractEventLoop, VersionHub] = {}


def version_hub() -> VersionHub:
    """The hub of the running event loop."""
    loop = asyncio.get_running_loop()
    if loop not in _hubs:
        for closed in [known for known in _hubs if known.is_closed()]:
            del _hubs[closed]
        _hubs[loop] = VersionHub()
    return _hubs[loop]
