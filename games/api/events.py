"""The event stream of a table (Server-Sent Events)."""

from __future__ import annotations

import threading
import weakref
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.http import HttpResponse, StreamingHttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.views import APIView

from contract.schema import problems
from games.api import examples
from games.api.responses import EventSerializer
from games.api.waiting import can_wait
from games.errors import TooManyStreams
from games.selectors.changes import events_since
from games.services.clocks import table_fresh
from games.streams.feeds import feeds, frame
from players.api.authentication import caller_id

HEADERS: Final = {
    # Neither a proxy nor a browser may keep it or hold it back to compress it.
    "Cache-Control": "no-store, no-transform",
    "X-Accel-Buffering": "no",
}
MEDIA_TYPE: Final = "text/event-stream"
RETRY: Final = b"retry: 1000\n\n"

LAST_EVENT_ID = OpenApiParameter(
    name="Last-Event-ID",
    location=OpenApiParameter.HEADER,
    required=False,
    type={"type": "string", "pattern": "^[0-9]{0,10}$"},
    description=(
        "The id of the last event that the client has: the stream goes on after it. Empty: none."
    ),
)


VERSION: Final = serializers.RegexField(r"^[0-9]{1,10}$")


class StreamSlots:
    """How many streams each player has open in this process."""

    def __init__(self) -> None:
        self._open: Counter[UUID] = Counter()
        self._lock = threading.Lock()

    def take(self, player_id: UUID, *, most: int) -> None:
        """Open one more. Raises TooManyStreams."""
        with self._lock:
            if self._open[player_id] >= most:
                raise TooManyStreams(limit=most)
            self._open[player_id] += 1

    def give_back(self, player_id: UUID) -> None:
        """One has ended."""
        with self._lock:
            self._open[player_id] -= 1
            if self._open[player_id] <= 0:
                del self._open[player_id]


slots = StreamSlots()


class EventStream(StreamingHttpResponse):
    """An open stream; it gives its slot back when it is closed."""

    def __init__(self, content: AsyncIterator[bytes], *, player_id: UUID) -> None:
        super().__init__(content, content_type=MEDIA_TYPE, headers=HEADERS)
        # Also if it is never sent, since the client has gone by then.
        self._give_back = weakref.finalize(self, slots.give_back, player_id)

    def close(self) -> None:
        """Let go."""
        super().close()
        self._give_back()


class EventsView(APIView):
    """`sessions/{id}/events/`."""

    rate_limit = "streams"

    @extend_schema(
        operation_id="stream_events",
        summary="Every change of a table as it happens (Server-Sent Events)",
        description=(
            "First a `snapshot` with the state, then each change, in the order of their versions "
            "and each once. With `Last-Event-ID` the stream goes on after that version instead; "
            "who has missed too much gets a snapshot. After 15 seconds of silence a comment is "
            "sent, and a stream whose token has ended is closed. The schema is that of each "
            "event's `data`."
        ),
        tags=["play"],
        parameters=[LAST_EVENT_ID],
        responses={(200, MEDIA_TYPE): EventSerializer}
        | problems(400, 401, 404, {429: ["too_many_streams"]}),
        examples=[examples.EVENT],
    )
    def get(self, request: Request, session_id: UUID) -> Any:
        """The stream; from a process that cannot wait, what there is now."""
        last = _last_event_id(request)
        player_id = caller_id(request)
        table = table_fresh(session_id=session_id, player_id=player_id)
        events = events_since(table, last)
        version = table.session.version
        opening = RETRY + b"".join(map(frame, events))
        if not can_wait(request):
            return HttpResponse(opening, content_type=MEDIA_TYPE, headers=HEADERS)
        slots.take(player_id, most=settings.STREAMS_PER_PLAYER)
        content = _stream(
            opening, session_id, player_id=player_id, device=request.auth.pk, version=version
        )
        return EventStream(content, player_id=player_id)


def _last_event_id(request: Request) -> int | None:
    """The version that the client has. Raises ValidationError."""
    sent = request.headers.get("Last-Event-ID")
    if not sent:
        return None
    try:
        return int(VERSION.run_validation(sent))
    except serializers.ValidationError as error:
        raise serializers.ValidationError({"Last-Event-ID": error.detail}) from error


async def _stream(opening: bytes, session_id: UUID, **viewer: Any) -> AsyncIterator[bytes]:
    yield opening
    async for data in feeds().view(session_id, **viewer):
        yield data
