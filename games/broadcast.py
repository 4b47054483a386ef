"""Telling whoever waits for a session that its version went up.

One message a change on one channel: the session and its version, nothing of what changed. Who
waits reads the state anew, as its own viewer may see it. A lost message costs a waiter the time to
its next look at the database, never the change.
"""

from __future__ import annotations

from urllib.parse import urlsplit
from uuid import UUID

import redis
import structlog
from django.conf import settings

from contract.outage import Outage

logger = structlog.get_logger(__name__)

# Channels, unlike keys, are those of a whole server: services on other numbers of it keep theirs.
CHANNEL = "sessions" + urlsplit(settings.REDIS_URL).path.replace("/", ":")

_client: redis.Redis | None = None
_outage = Outage(seconds=2.0)


def version_announce(*, session_id: UUID, version: int) -> None:
    """Publish a session's new version. Never raises: the change is committed already."""
    global _client
    if _outage.lasts():
        return
    try:
        if _client is None:
            _client = redis.Redis.from_url(
                settings.REDIS_URL, socket_timeout=1, socket_connect_timeout=1
            )
        _client.publish(CHANNEL, f"{session_id}:{version}")
    except redis.RedisError as error:
        _outage.begin()
        logger.warning("no broadcast", reason=str(error))
