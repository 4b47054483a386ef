"""What waits (long poll, event streams) under ASGI, and everything on one port.

Django's own ASGI handler costs more than a whole WSGI request of the API, so only the calls that
wait go under ASGI. In production a proxy sends them to `streams` and the rest to `config.wsgi`; on
one port `application` does the same inside one process.
"""

from __future__ import annotations

import asyncio
import io
import os
import re
from contextlib import suppress
from functools import partial
from typing import Any, cast

from a2wsgi import WSGIMiddleware
from django.conf import settings
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler
from django.http.response import HttpResponseBase

from config.request_classes import AsgiRequest
from config.wsgi import application as wsgi_application
from games.api.waiting import NotYet
from games.streams.threads import in_database_thread

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

CLIENT_HAS_GONE = 499  # as proxies log it
WAITING_PATH = re.compile(r"^/api/v1/sessions/[^/]+/(state/wait|events)/$")


class Answer:
    """What is sent to a client, and whether anything has been."""

    def __init__(self, send: Any) -> None:
        self.begun = False
        self._send = send

    async def send(self, message: Any) -> None:
        """Pass it on."""
        self.begun = True
        await self._send(message)


class WaitingHandler(ASGIHandler):
    """Django's handler, but a client that waits holds neither a thread nor a connection.

    Every request goes through the same middleware and views as under WSGI, in one of a few threads;
    what then waits does so outside of them. Django's own would run the middleware, which is not
    asynchronous, in a thread for as long as the request lasts.
    """

    request_class = AsgiRequest

    def load_middleware(self, is_async: bool = False) -> None:
        """The synchronous middleware, whatever is asked for."""
        super().load_middleware(is_async=False)

    async def read_body(self, receive: Any) -> io.BytesIO:
        """The body, up to one byte over the limit: no more is read of what is refused then."""
        body, more = io.BytesIO(), True
        while more and body.tell() <= settings.MAX_BODY_BYTES:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise RequestAborted
            body.write(message.get("body", b"")[: settings.MAX_BODY_BYTES + 1 - body.tell()])
            more = message.get("more_body", False)
        return body

    async def listen_for_disconnect(self, receive: Any) -> None:
        """Wait for it, past what was not read of the body. Raises RequestAborted."""
        while (await receive())["type"] != "http.disconnect":
            pass
        raise RequestAborted

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            raise ValueError(f"Only HTTP is served here, not {scope['type']}.")
        with suppress(RequestAborted):
            body = await self.read_body(receive)
            with body:
                await self._answer_while_connected(scope, body, receive, send)

    async def _answer_while_connected(self, scope: Any, body: Any, receive: Any, send: Any) -> None:
        answer = Answer(send)
        answering = asyncio.create_task(self._answer(scope, body, answer.send))
        leaving = asyncio.create_task(self.listen_for_disconnect(receive))
        try:
            await asyncio.wait({answering, leaving}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (answering, leaving):
                task.cancel()
            ended = await asyncio.gather(answering, leaving, return_exceptions=True)
        if isinstance(ended[0], Exception):
            raise ended[0]
        if not answer.begun:
            # Nobody hears it; but without an answer the server's log would call it an error.
            await send({"type": "http.response.start", "status": CLIENT_HAS_GONE, "headers": []})
            await send({"type": "http.response.body"})

    async def _answer(self, scope: Any, body: Any, send: Any) -> None:
        response = await self._look(scope, body, can_wait=True)
        if isinstance(response, NotYet):
            await response.wait()
            response = await self._look(scope, body, can_wait=False)
        try:
            await self.send_response(response, send)
        finally:
            response.close()

    async def _look(self, scope: Any, body: Any, *, can_wait: bool) -> HttpResponseBase:
        body.seek(0)
        request, error = self.create_request(scope, body)
        if request is None:
            return cast("HttpResponseBase", error)
        # A body that comes in chunks says no length.
        request.META.setdefault("CONTENT_LENGTH", str(body.getbuffer().nbytes))
        request.can_wait = can_wait  # type: ignore[attr-defined]
        # The first look has counted it.
        request.rate_counted = not can_wait  # type: ignore[attr-defined]
        return await in_database_thread(partial(self.get_response, request))


streams = WaitingHandler()
# The threads, and with them the database connections, of the API on one port.
_api: Any = WSGIMiddleware(wsgi_application, workers=8)


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Route one connection by its path."""
    if scope["type"] != "http" or WAITING_PATH.match(scope["path"]):
        await streams(scope, receive, send)
        return

    async def receive_in_coroutine() -> Any:
        # a2wsgi asks for a coroutine; what Granian gives is only awaitable.
        return await receive()

    await _api(scope, receive_in_coroutine, send)
