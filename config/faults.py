"""Forced faults (`Sandbox-Fault`), so that a client can be shown to bear them. Sandbox only.

| value | what happens |
| --- | --- |
| `stale_turn` | a move is refused with 409 and the caller's fresh `state`; nothing is changed |
| `rate_limited` | the call is refused with 429 and `Retry-After`; nothing is changed |
| `lost_answer` | the call is done and its answer thrown away: 502 without a body, as from a proxy that has lost its upstream. A retry with the same `Idempotency-Key` gets the first answer |
| `dropped_stream` | an event stream ends after the first event that follows its opening |

A value that does not fit the call does nothing.
"""  # noqa: E501 - a table

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from typing import Any, Final

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.utils.translation import gettext as _
from rest_framework.exceptions import APIException

from config.errors import problem, problem_response
from contract.rate_limits import RateLimited
from contract.schema import PROBLEM_MEDIA_TYPE
from games.api.play import MovesView
from games.errors import SessionNotFound, StaleTurn
from games.selectors.states import state_get
from games.services.clocks import table_fresh
from players.api.authentication import authenticate_request
from players.errors import PlayerBanned

HEADER: Final = "Sandbox-Fault"
FAULTS: Final = ("stale_turn", "rate_limited", "lost_answer", "dropped_stream")
RETRY_SECONDS: Final = 1


class FaultMiddleware:
    """Do what the header says; Django leaves it out where the sandbox is off.

    It stands before the `Idempotency-Key` is looked at: what is refused here keeps no key.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        if not settings.SANDBOX:
            raise MiddlewareNotUsed
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request, or lose the answer."""
        response: Any = self.get_response(request)
        fault = request.headers.get(HEADER)
        if fault == "lost_answer":
            response.close()
            lost = HttpResponse(status=502)
            del lost["Content-Type"]  # it is no page, and no problem
            return lost
        if fault == "dropped_stream" and isinstance(response, StreamingHttpResponse):
            response.streaming_content = _until_next_event(response.streaming_content)
        return response

    def process_view(
        self, request: HttpRequest, view: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        """The forced refusal; None leaves the request to its view."""
        fault = request.headers.get(HEADER)
        if fault is None or not hasattr(view, "cls"):
            return None
        if fault not in FAULTS:
            return _unknown(request)
        if fault == "rate_limited":
            return _rate_limited(request)
        if fault == "stale_turn" and view.cls is MovesView and request.method == "POST":
            return _stale_turn(request, **kwargs)
        return None


def _unknown(request: HttpRequest) -> HttpResponse:
    detail = _("It may be one of: %(choices)s.") % {"choices": ", ".join(FAULTS)}
    error = {"field": HEADER, "code": "invalid_choice", "detail": detail}
    return _answer(problem(request, "invalid_input", errors=[error]))


def _rate_limited(request: HttpRequest) -> HttpResponse:
    kind = "changes"
    refusal = RateLimited(kind=kind, rate=settings.RATE_LIMIT_RATES[kind], wait=RETRY_SECONDS)
    response = problem_response(request, refusal.code, facts=refusal.facts)
    response["Retry-After"] = str(RETRY_SECONDS)
    return response


def _stale_turn(request: HttpRequest, *, session_id: Any) -> HttpResponse | None:
    """None for who may not see the table, whom the view refuses."""
    try:
        caller = authenticate_request(request)
        if caller is None:
            return None
        table = table_fresh(session_id=session_id, player_id=caller[0].pk)
    except (APIException, PlayerBanned, SessionNotFound):
        return None
    turn = table.session.turn
    refusal = StaleTurn(turn=turn - 1, open_turn=turn)
    return _answer(problem(request, refusal.code, facts=refusal.facts, state=state_get(table)))


def _answer(body: dict[str, Any]) -> HttpResponse:
    return JsonResponse(body, status=body["status"], content_type=PROBLEM_MEDIA_TYPE)


async def _until_next_event(content: Any) -> AsyncIterator[bytes]:
    """The opening, and what follows up to the first event."""
    async with aclosing(content):
        opened = False
        async for part in content:
            yield part
            if opened and b"data: " in part:
                return
            opened = True
