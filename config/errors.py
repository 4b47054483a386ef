"""From an exception to an answer: RFC 9457 problems, in the language asked for."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import structlog
from django.core.exceptions import PermissionDenied as DjangoPermissionDenied
from django.db import InterfaceError, OperationalError, connection
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from rest_framework import exceptions
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response
from rest_framework.views import set_rollback

from config.problems import PROBLEMS
from contract.errors import Refusal
from contract.schema import PROBLEM_MEDIA_TYPE
from contract.transactions import was_given_up
from games.rules.errors import RuleViolation

logger = structlog.get_logger(__name__)

# The database cannot be reached, or gave up on this transaction; the same call may work soon.
OUT_OF_REACH: tuple[type[Exception], ...] = (OperationalError, InterfaceError)
RETRY_SECONDS = "2"

CODE_BY_STATUS = {
    400: "bad_request",
    403: "permission_denied",
    404: "not_found",
    405: "method_not_allowed",
    413: "payload_too_large",
    500: "internal_error",
}

CODE_BY_EXCEPTION: tuple[tuple[type[Exception], str], ...] = (
    (exceptions.ParseError, "malformed_json"),
    (exceptions.ValidationError, "invalid_input"),
    (exceptions.NotAuthenticated, "not_authenticated"),
    (exceptions.AuthenticationFailed, "not_authenticated"),
    (exceptions.PermissionDenied, "permission_denied"),
    (DjangoPermissionDenied, "permission_denied"),
    (exceptions.NotFound, "not_found"),
    (Http404, "not_found"),
    (exceptions.MethodNotAllowed, "method_not_allowed"),
    (exceptions.UnsupportedMediaType, "unsupported_media_type"),
    *((kind, "temporarily_unavailable") for kind in OUT_OF_REACH),
)


def problem(
    request: HttpRequest,
    code: str,
    *,
    facts: dict[str, Any] | None = None,
    game: str | None = None,
    errors: list[dict[str, str]] | None = None,
    state: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """The body of a problem, as the contract describes it."""
    kind = PROBLEMS[code]
    body: dict[str, Any] = {
        "type": f"urn:problem:{code.replace('_', '-')}",
        "title": str(kind.title),
        "status": kind.status,
        "detail": kind.detail_with(facts or {}, game),
        "code": code,
        "request_id": getattr(request, "request_id", ""),
        "errors": errors or [],
        "params": facts or {},
    }
    if state is not None:
        body["state"] = state
    return body


def problem_response(
    request: HttpRequest, code: str, *, facts: dict[str, Any] | None = None
) -> HttpResponse:
    """A problem as an answer outside of REST framework's views."""
    body = problem(request, code, facts=facts)
    return JsonResponse(body, status=body["status"], content_type=PROBLEM_MEDIA_TYPE)


def unavailable_response(request: HttpRequest, error: Exception) -> HttpResponse:
    """The answer to what is OUT_OF_REACH, outside of REST framework's views."""
    logger.error("a part is out of reach", exc_info=error)
    response = problem_response(request, "temporarily_unavailable")
    response["Retry-After"] = RETRY_SECONDS
    return response


def problem_for(exc: Exception, context: dict[str, Any]) -> Response | None:
    """REST framework's exception handler. None, for what nobody foresaw, becomes a logged 500."""
    if was_given_up(exc) and connection.in_atomic_block:
        raise exc  # whoever began the transaction tries it again
    request = context["request"]
    facts: dict[str, Any] = {}
    errors: list[dict[str, str]] = []
    game: str | None = None
    state = None
    headers = {}
    if isinstance(exc, Refusal | RuleViolation):
        code, facts = exc.code, exc.facts
        if exc.fresh_state and PROBLEMS[code].status == 409:
            state = exc.fresh_state()
        if isinstance(exc, RuleViolation):
            game = exc.game
    else:
        found = next((c for kind, c in CODE_BY_EXCEPTION if isinstance(exc, kind)), None)
        if found is None:
            return None
        code = found
    if isinstance(exc, exceptions.ValidationError):
        errors = list(_field_errors(exc.detail))
    if wait := getattr(exc, "wait", None):
        headers["Retry-After"] = str(math.ceil(wait))
    if code == "temporarily_unavailable":
        logger.error("a part is out of reach", exc_info=exc)
        headers["Retry-After"] = RETRY_SECONDS
    if PROBLEMS[code].status == 401:
        headers["WWW-Authenticate"] = "Bearer"  # also for a wrong password (RFC 9110, 15.5.2)
    set_rollback()
    request.accepted_renderer = JSONRenderer()  # also where the view renders pages
    body = problem(request._request, code, facts=facts, game=game, errors=errors, state=state)
    return Response(body, status=body["status"], headers=headers, content_type=PROBLEM_MEDIA_TYPE)


def _field_errors(detail: Any, path: str = "") -> Iterator[dict[str, str]]:
    """REST framework's nested errors as a flat list, with fields like `seats.0.kind`."""
    if isinstance(detail, dict):
        for name, inner in detail.items():
            own = name not in ("non_field_errors", "detail")
            yield from _field_errors(inner, f"{path}.{name}".strip(".") if own else path)
    elif isinstance(detail, list):
        for index, inner in enumerate(detail):
            nested = isinstance(inner, dict | list)
            yield from _field_errors(inner, f"{path}.{index}".strip(".") if nested else path)
    else:
        yield {"field": path, "code": getattr(detail, "code", "invalid"), "detail": str(detail)}
