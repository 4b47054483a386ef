"""A device of a player: its token, and calls that survive a bad network."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar
from uuid import uuid4

import httpx
from five_card_games_client import AuthenticatedClient, Client
from five_card_games_client.api.players import create_guest
from five_card_games_client.models import CreateGuestRequest, Problem
from five_card_games_client.types import Response

ATTEMPTS = 8
FIRST_PAUSE = 0.1
# The service may take half a minute over a long poll.
TIMEOUT = httpx.Timeout(40.0)
# Not the service's last word: it asks for patience, or something on the way did not reach it.
PASSING = (429, 502, 503, 504)

Data = TypeVar("Data")


class Refused(Exception):
    """The service refused the call; `problem.code` says why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(f"{problem.code}: {problem.detail}")
        self.problem = problem


async def send(call: Callable[[str], Awaitable[Response[Data | Problem]]]) -> Data:
    """What the service answers to `call(idempotency_key)`.

    The call is sent again while no answer comes, each time with the same key, so that whatever it
    does is done once. Raises Refused, or httpx.TransportError when no answer can be had.
    """
    key = str(uuid4())
    for attempt in range(ATTEMPTS):
        pause = FIRST_PAUSE * 2**attempt
        try:
            answer = await call(key)
        except httpx.TransportError:
            if attempt == ATTEMPTS - 1:
                raise
        else:
            if isinstance(answer.parsed, Problem):
                if answer.status_code not in PASSING:
                    raise Refused(answer.parsed)
            elif answer.parsed is not None:
                return answer.parsed
            pause = max(pause, float(answer.headers.get("Retry-After", 0)))
        await asyncio.sleep(pause)
    raise httpx.ConnectError(f"no answer after {ATTEMPTS} attempts")


async def connect(url: str, transport: httpx.AsyncBaseTransport) -> AuthenticatedClient:
    """A new guest's device; with the same secret, kept there, it is the same guest again."""
    body = CreateGuestRequest(device_secret=uuid4().hex)
    arguments = {"transport": transport}
    anonymous = Client(url, timeout=TIMEOUT, httpx_args=arguments)
    guest = await send(lambda key: create_guest.asyncio_detailed(client=anonymous, body=body))
    return AuthenticatedClient(url, token=guest.token, timeout=TIMEOUT, httpx_args=arguments)
