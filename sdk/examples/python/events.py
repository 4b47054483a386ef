"""The changes of a table as they happen."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from uuid import UUID

import httpx
from connection import PASSING, Refused, retry_after
from five_card_games_client import AuthenticatedClient
from five_card_games_client.models import Event, Problem
from httpx_sse import aconnect_sse

PAUSE = 1.0


async def changes(
    client: AuthenticatedClient, session_id: UUID, since: int | None = None
) -> AsyncIterator[Event]:
    """Each change once, in the order of the versions.

    A connection that is lost is opened anew after the last version that came (`Last-Event-ID`); an
    app that was killed goes on with the version that it has stored. Raises Refused.
    """
    http = client.get_async_httpx_client()
    url = f"/api/v1/sessions/{session_id}/events/"
    while True:
        pause = PAUSE
        headers = {} if since is None else {"Last-Event-ID": str(since)}
        try:
            async with aconnect_sse(http, "GET", url, headers=headers) as source:
                answer = source.response
                if answer.status_code in PASSING:
                    pause = max(pause, retry_after(answer.headers))
                elif not answer.is_success:
                    await answer.aread()
                    raise Refused(Problem.from_dict(answer.json()))
                else:
                    async for told in source.aiter_sse():
                        if not told.data:  # only how long to wait before connecting anew
                            continue
                        event = Event.from_dict(told.json())
                        since = event.version
                        yield event
        except httpx.TransportError:
            pass
        await asyncio.sleep(pause)
