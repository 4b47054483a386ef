"""A device of a player: its token, and calls that survive a bad network."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from json import JSONDecodeError
from typing import TypeVar, cast
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
# Not the service's last word: it asks for patience, or failed, or was not reached.
PASSING = (429, 500, 502, 503, 504)
REFUSED_FROM = 400

Data = TypeVar("Data")


class Refused(Exception):
    """The service refused the call; `problem.code` says why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(f"{problem.code}: {problem.detail}")
        self.problem = problem


async def send(call: Callable[[str], Awaitable[Response[Data | Problem]]]) -> Data:
    """What the service answers to `call(idempotency_key)`.

    The call is sent again while no answer comes, each time with the same key, so that whatever it
    does is done once. None where the answer has no body. Raises Refused, or httpx.TransportError
    when no answer can be had.
    """
    key = str(uuid4())
    pause = 0.0
    for attempt in range(ATTEMPTS):
        await asyncio.sleep(pause)
        pause = FIRST_PAUSE * 2**attempt
        try:
            answer = await call(key)
        except (httpx.TransportError, JSONDecodeError):
            continue  # lost, or answered by something on the way
        if answer.status_code < REFUSED_FROM:
            return cast("Data", answer.parsed)
        if answer.status_code not in PASSING:
            raise refusal(answer.parsed, answer.status_code)
        pause = max(pause, retry_after(answer.headers))
    raise httpx.ConnectError(f"no answer after {ATTEMPTS} attempts")


def refusal(told: object, status: int) -> Exception:
    """What to raise for this answer."""
    if isinstance(told, Problem):
        return Refused(told)
    return httpx.RemoteProtocolError(f"{status}, and no problem of the service")


def retry_after(headers: Mapping[str, str]) -> float:
    """The seconds that the service asks for."""
    return float(headers.get("Retry-After", 0))


async def connect(url: str, transport: httpx.AsyncBaseTransport) -> AuthenticatedClient:
    """A new guest's device; with the same secret, kept there, it is the same guest again."""
    body = CreateGuestRequest(device_secret=uuid4().hex)
    arguments = {"transport": transport}
    anonymous = Client(url, timeout=TIMEOUT, httpx_args=arguments)
    guest = await send(lambda key: create_guest.asyncio_detailed(client=anonymous, body=body))
    return AuthenticatedClient(url, token=guest.token, timeout=TIMEOUT, httpx_args=arguments)
