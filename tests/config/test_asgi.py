"""Clients that hang up while they wait."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from config.asgi import CLIENT_HAS_GONE, streams
from tests.clients import Api

Message = dict[str, Any]


async def answer_until_hung_up(path: str, query: str, token: str) -> list[Message]:
    """What is sent to a client that goes half a second after its request."""
    sent: list[Message] = []
    received = iter([{"type": "http.request"}, {"type": "http.disconnect"}])

    async def receive() -> Message:
        message = next(received)
        if message["type"] == "http.disconnect":
            await asyncio.sleep(0.5)
        return message

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "query_string": query.encode(),
        "headers": [(b"host", b"testserver"), (b"authorization", f"Bearer {token}".encode())],
    }
    async with asyncio.timeout(20):
        await streams(scope, receive, send)
    return sent


@pytest.mark.parametrize(
    ("path", "status"), [("state/wait/", CLIENT_HAS_GONE), ("events/", 200)], ids=str
)
def test_who_hangs_up_is_no_error_and_keeps_nothing(api: Api, path: str, status: int) -> None:
    table = api.open_table(start=False)
    query = f"since={table.row().version}" if "wait" in path else ""
    assert api.token
    address = f"/api/v1/{table.path(path)}"
    sent = asyncio.run(answer_until_hung_up(address, query, api.token))
    assert sent[0]["status"] == status
    # Every stream of the player has ended: as many as one may have can be opened again.
    for _ in range(8):
        assert asyncio.run(answer_until_hung_up(address, query, api.token))[0]["status"] == status
