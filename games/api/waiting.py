"""The long poll: the state as soon as it changes."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from contract.caching import ETAG
from contract.schema import problems
from contract.serializers import QueryIntegerField, StrictSerializer
from games.api import examples
from games.api.play import etag_of
from games.api.sessions import filters
from games.api.states import StateSerializer
from games.selectors.states import state_get
from games.services.clocks import table_fresh
from games.streams.hub import version_hub
from players.api.authentication import caller_id

MAX_WAIT_SECONDS: Final = 30


def can_wait(request: Request) -> bool:
    """Whether the process that asks (`config.asgi`) can let the client wait.

    Any other is answered at once, and the client asks again: dearer, but right. So is HEAD, which
    wants no body.
    """
    return request.method == "GET" and getattr(request._request, "can_wait", False)


class NotYet(HttpResponse):
    """Nothing to tell yet. The process that can wait does so and asks the view again."""

    status_code = 204

    def __init__(self, *, session_id: UUID, since: int, seconds: float) -> None:
        super().__init__()
        self._session_id, self._since, self._seconds = session_id, since, seconds

    async def wait(self) -> None:
        """Until the session has changed or the time is over."""
        async with version_hub().watching(self._session_id) as watch:
            await watch.above(self._since, seconds=self._seconds)


class WaitQuerySerializer(StrictSerializer):
    """What the caller knows, and how long to wait."""

    since = QueryIntegerField(
        min_value=0, max_value=2**31 - 1, help_text="The version that the client has."
    )
    timeout = QueryIntegerField(
        default=MAX_WAIT_SECONDS, min_value=0, max_value=MAX_WAIT_SECONDS, help_text="Seconds."
    )


class StateWaitView(APIView):
    """`sessions/{id}/state/wait/`."""

    rate_limit = "streams"

    @extend_schema(
        operation_id="wait_for_state",
        summary="The state as soon as its version is above `since`",
        description="At the time-out, the state as it is.",
        tags=["play"],
        parameters=[WaitQuerySerializer, ETAG],
        responses={200: StateSerializer} | problems(400, 401, 404),
        examples=[examples.STATE],
    )
    def get(self, request: Request, session_id: UUID) -> Any:
        """The state, or that there is nothing to tell yet."""
        chosen = filters(WaitQuerySerializer, request)
        table = table_fresh(session_id=session_id, player_id=caller_id(request))
        version, since = table.session.version, chosen["since"]
        if version <= since and chosen["timeout"] and can_wait(request):
            return NotYet(session_id=session_id, since=since, seconds=chosen["timeout"])
        headers = {"ETag": etag_of(version), "Cache-Control": "private, no-store"}
        return Response(state_get(table), headers=headers)
