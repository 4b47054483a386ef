"""The API as a WSGI application."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from config.request_classes import WsgiRequest

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

_django = get_wsgi_application()
_django.request_class = WsgiRequest


def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    """Answer one request.

    A body that comes in chunks says no length, and Django takes it for none. So it is read here, up
    to one byte over the limit, which is then refused like any body that is too long.
    """
    if "chunked" in environ.get("HTTP_TRANSFER_ENCODING", "").lower():
        body = environ["wsgi.input"].read(settings.MAX_BODY_BYTES + 1)
        environ["CONTENT_LENGTH"] = str(len(body))
        environ["wsgi.input"] = io.BytesIO(body)
    return _django(environ, start_response)
