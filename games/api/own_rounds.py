"""The caller's own settled rounds, over all sessions: in short, and complete for export."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from django.http import StreamingHttpResponse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from contract.schema import SAVED_AS, problems
from games.api import round_examples
from games.api.requests import OwnRoundsQuerySerializer
from games.api.round_shapes import OwnRoundSerializer
from games.api.sessions import filters
from games.selectors.replays import replays_booked
from games.selectors.rounds import bookings_filtered, own_round_cards
from players.api.authentication import caller_id

TAGS = ["rounds"]
JSON_LINES = "application/x-ndjson"


class OwnRoundsView(GenericAPIView[Any]):
    """`players/me/rounds/`."""

    serializer_class = OwnRoundSerializer

    @extend_schema(
        operation_id="list_own_rounds",
        summary="The caller's settled rounds over all sessions, newest first",
        description="`sessions/{id}/rounds/{number}/` is the replay of each.",
        tags=TAGS,
        parameters=[OwnRoundsQuerySerializer],
        responses={200: OwnRoundSerializer(many=True)} | problems(400, 401),
        examples=[round_examples.OWN_ROUND_IN_LIST],
    )
    def get(self, request: Request) -> Response:
        """A page of rounds."""
        chosen = filters(OwnRoundsQuerySerializer, request, in_pages=True)
        bookings = bookings_filtered(player_id=caller_id(request), **chosen)
        page = self.paginate_queryset(bookings)
        return self.get_paginated_response(own_round_cards(page or []))


class OwnRoundsExportView(APIView):
    """`players/me/rounds/export/`."""

    @extend_schema(
        operation_id="export_own_rounds",
        summary="The caller's settled rounds complete, as JSON lines, oldest first",
        description=(
            "One replay a line, sent while it is read; `python -m games.verify` takes them as they "
            "are. To go on later, send the `settled_at` of the last line as `since`: rounds of "
            "that second come again."
        ),
        tags=TAGS,
        parameters=[OwnRoundsQuerySerializer, SAVED_AS],
        # No client decodes lines by their schema: it would take the whole for one replay.
        responses={(200, JSON_LINES): OpenApiResponse(str, description="A `Replay` on each line.")}
        | problems(400, 401),
        examples=[round_examples.REPLAY_LINE],
    )
    def get(self, request: Request) -> StreamingHttpResponse:
        """All of them."""
        chosen = filters(OwnRoundsQuerySerializer, request)
        bookings = bookings_filtered(player_id=caller_id(request), **chosen)
        return StreamingHttpResponse(
            _lines(replays_booked(bookings)),
            content_type=JSON_LINES,
            headers={"Content-Disposition": 'attachment; filename="rounds.jsonl"'},
        )


def _lines(values: Iterator[Any]) -> Iterator[str]:
    for value in values:
        yield json.dumps(value, separators=(",", ":"), ensure_ascii=False) + "\n"
