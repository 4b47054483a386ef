"""One person's device: calls that are measured, sent again when lost, and refused as expected."""

from __future__ import annotations

import asyncio
import secrets
import ssl
import time
import uuid
from collections.abc import AsyncIterator, Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

import httpx

from config.crowd.tally import Tally, kind_of_call
from config.playing.answers import answer_read, retry_after
from config.playing.errors import PlayError, Refused

ATTEMPTS: Final = 8
FIRST_PAUSE: Final = 0.2
# Longer than any answer takes on a busy machine.
ANSWER_WITHIN: Final = 30.0
LOST_AFTER: Final = 0.002
# A good answer without a body.
NOT_CHANGED: Final = 304


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back. `code` is that of a refusal that was expected, `body` the JSON."""

    status: int
    content: bytes
    body: Any
    code: str | None
    sent_at: float
    came_at: float

    @property
    def word(self) -> str:
        """The answer in short."""
        return f"{self.status} {self.code}" if self.code else str(self.status)


class Device:
    """A guest's app."""

    def __init__(self, url: str, tls: ssl.SSLContext, tally: Tally) -> None:
        """Of the service at `url`, given without the path of the API."""
        self.tally = tally
        self.player_id = ""
        self.http = httpx.AsyncClient(
            base_url=f"{url.rstrip('/')}/api/v1/", timeout=ANSWER_WITHIN, verify=tls
        )

    async def sign_in(self) -> None:
        """Become a guest. Raises PlayError."""
        secret = {"device_secret": secrets.token_urlsafe(32)}
        guest = (await self.post("players/guest/", secret)).body
        self.player_id = guest["player"]["id"]
        self.http.headers["Authorization"] = f"Bearer {guest['token']}"

    async def close(self) -> None:
        """Hang up."""
        await self.http.aclose()

    async def get(
        self,
        path: str,
        *,
        expect: Collection[str] = (),
        takes: float = 0.0,
        headers: Mapping[str, str] | None = None,
        **query: Any,
    ) -> Answer:
        """The answer, which the service may hold back for `takes` seconds.

        A refusal is returned if its code is among `expect`. Raises Refused for any other, PlayError
        if no answer of the service can be had.
        """
        return await self._call(
            "GET",
            path,
            expect,
            params=query or None,
            headers=headers,
            timeout=ANSWER_WITHIN + takes,
        )

    async def post(
        self,
        path: str,
        body: Mapping[str, Any],
        *,
        key: str | None = None,
        expect: Collection[str] = (),
    ) -> Answer:
        """The same for a change, with an `Idempotency-Key` of its own unless given."""
        headers = {"Idempotency-Key": key or str(uuid.uuid4())}
        return await self._call("POST", path, expect, json=body, headers=headers)

    async def patch(self, path: str, body: Mapping[str, Any]) -> Answer:
        """The answer to a change that can be sent again as it is. Raises as `get` does."""
        return await self._call("PATCH", path, (), json=body)

    async def post_and_hang_up(self, path: str, body: Mapping[str, Any], *, key: str) -> bool:
        """Send a change and do not wait for its answer; whether it was lost."""
        headers = {"Idempotency-Key": key}
        timeout = httpx.Timeout(ANSWER_WITHIN, read=LOST_AFTER)
        try:
            await self.http.post(path, json=body, headers=headers, timeout=timeout)
        except httpx.TransportError:
            return True
        return False

    async def pages(self, path: str) -> AsyncIterator[dict[str, Any]]:
        """Every result of a paginated list. Raises as `get` does."""
        where: str | None = f"{path}?limit=100"
        while where is not None:
            page = (await self.get(where)).body
            for result in page["results"]:
                yield result
            where = page["next"]

    async def _call(
        self, method: str, path: str, expect: Collection[str], **request: Any
    ) -> Answer:
        kind, pause = kind_of_call(method, path), FIRST_PAUSE
        failure = ""
        for _ in range(ATTEMPTS):
            sent_at = time.monotonic()
            try:
                response = await self.http.request(method, path, **request)
            except httpx.TransportError as error:
                failure = type(error).__name__
                self.tally.repeats[f"{kind} {failure}"] += 1
            else:
                came_at = time.monotonic()
                self.tally.seconds[kind].append(came_at - sent_at)
                if response.status_code != httpx.codes.TOO_MANY_REQUESTS:
                    return _answer(f"{method} {path}", response, expect, sent_at, came_at)
                failure = "429"
                self.tally.repeats[f"{kind} 429"] += 1
                pause = max(pause, retry_after(response))
            await asyncio.sleep(pause)
            pause = min(pause * 2, ANSWER_WITHIN)
        raise PlayError(f"{method} {path}: {failure} (tried {ATTEMPTS} times)")


def _answer(
    call: str, response: httpx.Response, expect: Collection[str], sent_at: float, came_at: float
) -> Answer:
    if response.status_code == NOT_CHANGED:
        return Answer(NOT_CHANGED, b"", None, None, sent_at, came_at)
    code = None
    try:
        body = answer_read(call, response)
    except Refused as refusal:
        if refusal.code not in expect:
            raise
        code, body = refusal.code, response.json()
    return Answer(response.status_code, response.content, body, code, sent_at, came_at)
