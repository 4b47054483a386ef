"""A network as phones have it: answers get lost on the way, and streams are cut."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx


class BadNetwork(httpx.AsyncHTTPTransport):
    """Loses the answer of every second POST and cuts the first event streams."""

    def __init__(self, streams_to_cut: int) -> None:
        super().__init__()
        self.lost = 0
        self.cut = 0
        self._streams_to_cut = streams_to_cut
        self._posts = 0

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send it, and lose what comes back. Raises httpx.ReadError."""
        response = await super().handle_async_request(request)
        if request.method == "POST":
            self._posts += 1
            if self._posts % 2 == 0:
                self.lost += 1
                await response.aclose()
                raise httpx.ReadError("the answer was lost", request=request)
        is_stream = response.headers.get("Content-Type") == "text/event-stream"
        if is_stream and self.cut < self._streams_to_cut:
            self.cut += 1
            response.stream = _CutStream(response)
        return response


class _CutStream(httpx.AsyncByteStream):
    def __init__(self, response: httpx.Response) -> None:
        assert isinstance(response.stream, httpx.AsyncByteStream)
        self._whole = response.stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._whole:
            yield chunk
            raise httpx.ReadError("the stream was cut")

    async def aclose(self) -> None:
        await self._whole.aclose()
