"""Waiting for a session's version inside one process (asyncio).

One Redis subscription per process, whatever the number of waiters: its messages are handed to the
waiters of their session. While Redis is away, waiters look at the database now and then instead.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final
from uuid import UUID

import redis.asyncio
import structlog
from django.conf import settings
from redis.exceptions import RedisError

from games.broadcast import CHANNEL

logger = structlog.get_logger(__name__)

RECONNECT_SECONDS: Final = 1.0
LISTEN_SECONDS: Final = 1.0


class VersionHub:
    """The waiters of one event loop, by session."""

    def __init__(self) -> None:
        self._waiters: defaultdict[str, set[asyncio.Event]] = defaultdict(set)
        self._listener: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def waiting_for(self, session_id: UUID) -> AsyncIterator[asyncio.Event]:
        """An event that is set whenever this session's version goes up, until the block ends."""
        if self._listener is None or self._listener.done():
            self._listener = asyncio.create_task(self._listen())
        key, event = str(session_id), asyncio.Event()
        self._waiters[key].add(event)
        try:
            yield event
        finally:
            self._waiters[key].discard(event)
            if not self._waiters[key]:
                del self._waiters[key]

    async def _listen(self) -> None:
        # A cancellation can get lost inside the client's own time-outs; so it is asked for, too.
        this = asyncio.current_task()
        while this is not None and not this.cancelling():
            client = redis.asyncio.Redis.from_url(settings.REDIS_URL, socket_connect_timeout=1)
            try:
                async with client.pubsub() as subscription:
                    await subscription.subscribe(CHANNEL)
                    # What was announced before this does not count as told.
                    self._wake_all()
                    while not this.cancelling():
                        message = await subscription.get_message(
                            ignore_subscribe_messages=True, timeout=LISTEN_SECONDS
                        )
                        if message:
                            session_id, _, _ = message["data"].decode().partition(":")
                            self._wake(session_id)
            except (RedisError, OSError) as error:
                logger.warning("no subscription", reason=str(error))
                await asyncio.sleep(RECONNECT_SECONDS)
            finally:
                await client.aclose()

    def _wake_all(self) -> None:
        for session_id in list(self._waiters):
            self._wake(session_id)

    def _wake(self, session_id: str) -> None:
        for event in self._waiters.get(session_id, ()):
            event.set()


_hubs: dict[asyncio.AbstractEventLoop, VersionHub] = {}


def version_hub() -> VersionHub:
    """The hub of the running event loop."""
    loop = asyncio.get_running_loop()
    if loop not in _hubs:
        for closed in [known for known in _hubs if known.is_closed()]:
            del _hubs[closed]
        _hubs[loop] = VersionHub()
    return _hubs[loop]
