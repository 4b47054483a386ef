"""The API over HTTP, as one player: calls that were lost on the way are sent again."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Any, Final

import httpx

from config.playing.answers import answer_read, retry_after
from config.playing.errors import PlayError

ATTEMPTS: Final = 6
FIRST_PAUSE: Final = 0.2
ANSWER_WITHIN: Final = 10.0
# Behind a proxy these say that the service itself never answered, or asks for patience.
PASSING: Final = (429, 502, 503, 504)


class Client:
    """One player's device. Every POST carries an `Idempotency-Key`, so a repeat does nothing."""

    def __init__(self, url: str, transport: httpx.BaseTransport | None = None) -> None:
        """Speak to the service at `url`, which is given without the path of the API."""
        self.url = url.rstrip("/")
        self._http = httpx.Client(
            base_url=f"{self.url}/api/v1/", timeout=ANSWER_WITHIN, transport=transport
        )

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._http.close()

    def log_in(self, token: str) -> None:
        """Send this token from now on."""
        self._http.headers["Authorization"] = f"Bearer {token}"

    def get(self, path: str, *, takes: float = 0.0, **query: Any) -> Any:
        """The answer's JSON; `takes` are the seconds that the service may wait before it.

        Raises Refused, or PlayError if no answer of the service can be had.
        """
        return self._call("GET", path, {"params": query or None, "timeout": ANSWER_WITHIN + takes})

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """The answer's JSON. Raises as `get` does."""
        headers = {"Idempotency-Key": str(uuid.uuid4())}
        return self._call("POST", path, {"json": body, "headers": headers})

    def pages(self, path: str) -> Iterator[dict[str, Any]]:
        """Every result of a paginated list. Raises as `get` does."""
        where: str | None = path
        while where is not None:
            page = self.get(where)
            yield from page["results"]
            where = page["next"]

    def _call(self, method: str, path: str, request: dict[str, Any]) -> Any:
        pause = FIRST_PAUSE
        for attempt in range(1, ATTEMPTS + 1):
            try:
                response = self._http.request(method, path, **request)
            except httpx.TransportError as error:
                failure = f"No answer from {self.url}: {str(error) or type(error).__name__}"
                wait = pause
            else:
                if response.status_code not in PASSING:
                    return answer_read(f"{method} {path}", response)
                failure = f"{self.url} answers {method} {path} with {response.status_code}"
                wait = max(pause, retry_after(response))
            if attempt < ATTEMPTS:
                time.sleep(wait)
                pause *= 2
        raise PlayError(f"{failure} (tried {ATTEMPTS} times)")
