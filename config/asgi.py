"""What waits (long poll, event streams) under ASGI, and everything on one port.

Django's own ASGI handler costs more than a whole WSGI request of the API, so only the calls that
wait go under ASGI. In production a proxy sends them to `streams` and the rest to `config.wsgi`; on
one port `application` does the same inside one process.
"""

from __future__ import annotations

import asyncio
import os
import re
from contextlib import suppress
from functools import partial
from typing import Any, cast

from a2wsgi import WSGIMiddleware
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler
from django.http.response import HttpResponseBase

from config.wsgi import application as wsgi_application
from games.api.waiting import NotYet
from games.streams.threads import in_database_thread

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

WAITING_PATH = re.compile(r"^/api/v1/sessions/[^/]+/(state/wait|events)/$")


class WaitingHandler(ASGIHandler):
    """Django's handler, but a client that waits holds neither a thread nor a connection.

    Every request goes through the same middleware and views as under WSGI, in one of a few threads;
    what then waits does so outside of them. Django's own would run the middleware, which is not
    asynchronous, in a thread for as long as the request lasts.
    """

    def load_middleware(self, is_async: bool = False) -> None:
        """The synchronous middleware, whatever is asked for."""
        super().load_middleware(is_async=False)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            raise ValueError(f"Only HTTP is served here, not {scope['type']}.")
        with suppress(RequestAborted):
            body = await self.read_body(receive)
            with body:
                await self._answer_while_connected(scope, body, receive, send)

    async def _answer_while_connected(self, scope: Any, body: Any, receive: Any, send: Any) -> None:
        answering = asyncio.create_task(self._answer(scope, body, send))
        leaving = asyncio.create_task(self.listen_for_disconnect(receive))
        try:
            await asyncio.wait({answering, leaving}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (answering, leaving):
                task.cancel()
            ended = await asyncio.gather(answering, leaving, return_exceptions=True)
        if isinstance(ended[0], Exception):
            raise ended[0]

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
        request.can_wait = can_wait  # type: ignore[attr-defined]
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
