"""The long poll: the state as soon as it changes. Async, so that waiting holds no thread.

Database work runs in a few threads of its own, each with one connection that lasts, so that a
thousand waiters need no more connections than ten.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar
from uuid import UUID

from django.db import close_old_connections
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from contract.schema import problems
from contract.serializers import StrictSerializer
from games.api import examples
from games.api.play import etag_of
from games.api.sessions import filters
from games.api.states import StateSerializer
from games.selectors.states import state_get
from games.services.clocks import table_fresh
from games.waiting import version_hub
from players.api.authentication import caller_id

T = TypeVar("T")

MAX_WAIT_SECONDS: Final = 30
# While a broadcast may be lost, a waiter looks by itself this often.
LOOK_SECONDS: Final = 5.0
NOT_YET: Final = 204

_database_threads = ThreadPoolExecutor(max_workers=4, thread_name_prefix="waiting-db")


class WaitQuerySerializer(StrictSerializer):
    """What the caller knows, and how long to wait."""

    since = serializers.IntegerField(
        min_value=0, max_value=2**31 - 1, help_text="The version that the client has."
    )
    timeout = serializers.IntegerField(
        default=MAX_WAIT_SECONDS, min_value=0, max_value=MAX_WAIT_SECONDS, help_text="Seconds."
    )


class StateNowView(APIView):
    """One look: the state, or nothing while its version is not above `since`.

    The long poll is this view, asked again whenever the version went up.
    """

    @extend_schema(
        operation_id="wait_for_state",
        summary="The state as soon as its version is above `since`",
        description="At the time-out, the state as it is.",
        tags=["play"],
        parameters=[WaitQuerySerializer],
        responses={200: StateSerializer} | problems(400, 401, 404),
        examples=[examples.STATE],
    )
    def get(self, request: Request, session_id: UUID) -> Response:
        """204 for «not yet», which stays inside; else the state."""
        chosen = filters(WaitQuerySerializer, request)
        request._request.wait_seconds = chosen["timeout"]  # type: ignore[attr-defined]
        table = table_fresh(session_id=session_id, player_id=caller_id(request))
        at_the_end = getattr(request._request, "wait_is_over", False)
        version = table.session.version
        if version <= chosen["since"] and not at_the_end:
            return Response(status=NOT_YET)
        headers = {"ETag": etag_of(version), "Cache-Control": "private, no-store"}
        return Response(state_get(table), headers=headers)


_look = StateNowView.as_view()


async def state_wait(request: HttpRequest, session_id: UUID) -> HttpResponse:
    """`sessions/{id}/state/wait/`."""
    async with version_hub().waiting_for(session_id) as changed:
        response = await _in_thread(lambda: _answer(request, session_id))
        ends_at = time.monotonic() + getattr(request, "wait_seconds", 0)
        while response.status_code == NOT_YET:
            left = ends_at - time.monotonic()
            if left > 0:
                await _set_within(changed, min(left, LOOK_SECONDS))
            # Before the look, so that a change after it is not missed.
            changed.clear()
            request.wait_is_over = time.monotonic() >= ends_at  # type: ignore[attr-defined]
            response = await _in_thread(lambda: _answer(request, session_id))
    return response


# What documents the path, and tells that it is one of the API's.
state_wait.cls = StateNowView  # type: ignore[attr-defined]
state_wait.initkwargs = {}  # type: ignore[attr-defined]
state_wait.csrf_exempt = True  # type: ignore[attr-defined]


def _answer(request: HttpRequest, session_id: UUID) -> HttpResponse:
    with translation.override(translation.get_language_from_request(request)):
        response = _look(request, session_id=session_id)
        response.render()
        # Read by the event loop's side: plain bytes, no lazy parts of REST framework.
        plain = HttpResponse(
            response.content,
            status=response.status_code,
            content_type=response.headers.get("Content-Type"),
        )
        for name, value in response.headers.items():
            plain.headers.setdefault(name, value)
        return plain


async def _in_thread(function: Callable[[], T]) -> T:
    def with_fresh_connection() -> T:
        close_old_connections()
        return function()

    return await asyncio.get_running_loop().run_in_executor(
        _database_threads, with_fresh_connection
    )


async def _set_within(event: asyncio.Event, seconds: float) -> None:
    try:
        await asyncio.wait_for(event.wait(), seconds)
    except TimeoutError:
        return
