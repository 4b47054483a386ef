"""What waits (long poll, event streams) under ASGI, and everything on one port.

Django's own ASGI handler costs more than a whole WSGI request of the API, so only the calls that
wait go through it. In production a proxy sends them to `streams` and the rest to `config.wsgi`;
on one port `application` does the same inside one process.
"""

from __future__ import annotations

import os
import re
from typing import Any

from a2wsgi import WSGIMiddleware
from django.core.asgi import get_asgi_application

from config.wsgi import application as wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

WAITING_PATH = re.compile(r"^/api/v1/sessions/[^/]+/(state/wait|events)/$")

streams = get_asgi_application()
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
