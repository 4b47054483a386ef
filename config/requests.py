"""What every request gets: an id, a body limit, and an answer that is never an HTML error page."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable

import structlog
from django.conf import settings
from django.http import HttpRequest, HttpResponse

from config.errors import CODE_BY_STATUS, problem_response

CLIENT_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")

# With DEBUG on, Django shows a traceback as either, depending on `Accept`.
PAGE_TYPES = ("text/html", "text/plain")

Handler = Callable[[HttpRequest], HttpResponse]


class RequestIdMiddleware:
    """An id for each request, in the answer's `X-Request-ID`, its problems and the log.

    A client may send its own (8-64 letters, digits, `.`, `_`, `-`).
    """

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request."""
        sent = request.headers.get("X-Request-ID", "")
        request_id = sent if CLIENT_REQUEST_ID.fullmatch(sent) else uuid.uuid4().hex
        request.request_id = request_id  # type: ignore[attr-defined]
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=request_id)
        response = self.get_response(request)
        response["X-Request-ID"] = request_id
        return response


class ProblemMiddleware:
    """Refuse bodies over the limit, and turn Django's own error pages into problems.

    The admin keeps its pages: they are for people.
    """

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request."""
        if request.path_info.startswith("/admin/"):
            return self.get_response(request)
        if _body_length(request) > settings.MAX_BODY_BYTES:
            return problem_response(
                request, "payload_too_large", facts={"limit_bytes": settings.MAX_BODY_BYTES}
            )
        response = self.get_response(request)
        is_page = response.get("Content-Type", "").startswith(PAGE_TYPES)
        if response.status_code >= 400 and is_page:
            code = CODE_BY_STATUS.get(response.status_code, "internal_error")
            problem = problem_response(request, code)
            if "Allow" in response:
                problem["Allow"] = response["Allow"]
            return problem
        return response


def _body_length(request: HttpRequest) -> int:
    try:
        return int(request.META.get("CONTENT_LENGTH") or 0)
    except ValueError:
        return 0
