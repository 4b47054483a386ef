"""Sessions: list, create, read, start, finish."""

from __future__ import annotations

from functools import cache
from typing import Any
from uuid import UUID

from django.utils.translation import get_language, gettext
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.views import APIView

from contract.schema import BAD_BODY, BAD_KEY, IDEMPOTENCY_KEY, problems
from games.api import examples
from games.api.requests import (
    RoundStartSerializer,
    SessionCreateSerializer,
    SessionQuerySerializer,
)
from games.api.responses import SessionSerializer
from games.selectors.history import session_card, sessions_filtered
from games.selectors.tables import table_get, table_of
from games.services.sessions import (
    SeatPlan,
    session_create,
    session_finish,
    session_start,
)
from players.api.authentication import caller_id

TAGS = ["sessions"]


@cache
def _validator(serializer_class: type[Serializer[Any]], language: str) -> Serializer[Any]:
    """One instance for all requests in a language: making its fields takes longer than using them,
    and the framework puts some of its texts into words but once."""
    return serializer_class()


def validated(serializer_class: type[Serializer[Any]], data: Any) -> dict[str, Any]:
    """The checked input. Raises ValidationError."""
    return dict(_validator(serializer_class, get_language() or "").run_validation(data))


def filters(
    serializer_class: type[Serializer[Any]], request: Request, *, in_pages: bool = False
) -> dict[str, Any]:
    """The checked query, without the words of the pagination of a list in pages.

    Raises ValidationError.
    """
    others = ("cursor", "limit") if in_pages else ()
    sent = request.query_params.lists()
    if twice := [name for name, values in sent if len(values) > 1]:
        error = ErrorDetail(gettext("Send this once."), code="repeated")
        raise ValidationError({name: [error] for name in twice})
    query = {name: value for name, value in request.query_params.items() if name not in others}
    return validated(serializer_class, query)


@extend_schema_view(
    get=extend_schema(
        operation_id="list_sessions",
        summary="Own sessions, or public tables with a free seat, newest first",
        tags=TAGS,
        parameters=[SessionQuerySerializer],
        responses={200: SessionSerializer(many=True)} | problems(400, 401),
        examples=[examples.SESSION_IN_LIST],
    ),
    post=extend_schema(
        operation_id="create_session",
        summary="Open a table",
        description=(
            "With nothing but `game`: the caller in seat 0, bots in the others, the first round "
            "dealt at once. To choose the client seed after the commitment, send `start: false`."
        ),
        tags=TAGS,
        parameters=[IDEMPOTENCY_KEY],
        request=SessionCreateSerializer,
        responses={201: SessionSerializer} | problems(BAD_BODY, 401, BAD_KEY),
        examples=[examples.CREATE_SESSION, examples.SESSION],
    ),
)
class SessionsView(GenericAPIView[Any]):
    """`sessions/`."""

    rate_limit = {"POST": "tables"}
    serializer_class = SessionSerializer

    def get(self, request: Request) -> Response:
        """A page of sessions."""
        chosen = filters(SessionQuerySerializer, request, in_pages=True)
        player_id = caller_id(request)
        only_open = chosen.pop("scope") == "open"
        sessions = sessions_filtered(player_id=player_id, only_open=only_open, **chosen)
        page = self.paginate_queryset(sessions)
        return self.get_paginated_response(
            [session_card(table_of(session, player_id)) for session in page or []]
        )

    def post(self, request: Request) -> Response:
        """The new table."""
        values = validated(SessionCreateSerializer, request.data)
        table = session_create(
            host_id=caller_id(request),
            game=values["game"],
            options=values["options"],
            seats=[SeatPlan.host(), *(_plan(seat, values["options"]) for seat in values["seats"])],
            visibility=values["visibility"],
            start=values["start"],
        )
        return Response(session_card(table), 201)


def _plan(seat: dict[str, Any], options: dict[str, Any]) -> SeatPlan:
    if seat["kind"] == "open":
        return SeatPlan.free()
    return SeatPlan.bot(seat.get("level", options["bot_level"]))


class SessionView(APIView):
    """`sessions/{id}/`."""

    @extend_schema(
        operation_id="get_session",
        summary="A session",
        tags=TAGS,
        responses={200: SessionSerializer} | problems(401, 404),
        examples=[examples.SESSION],
    )
    def get(self, request: Request, session_id: UUID) -> Response:
        """The session in short."""
        return Response(
            session_card(table_get(session_id=session_id, player_id=caller_id(request)))
        )


class StartView(APIView):
    """`sessions/{id}/start/`."""

    @extend_schema(
        operation_id="start_session",
        summary="Deal the first round (host); bots sit down on open seats",
        description=(
            "As with `rounds/`, anybody who sits there may once the table has waited two minutes "
            "for its host."
        ),
        tags=TAGS,
        parameters=[IDEMPOTENCY_KEY],
        request=RoundStartSerializer,
        responses={200: SessionSerializer}
        | problems(
            BAD_BODY,
            BAD_KEY,
            401,
            404,
            {
                403: ["not_host"],
                409: ["already_started", "session_finished"],
            },
        ),
        examples=[examples.CLIENT_SEED, examples.SESSION],
    )
    def post(self, request: Request, session_id: UUID) -> Response:
        """The session, playing."""
        values = validated(RoundStartSerializer, request.data)
        table = session_start(
            session_id=session_id,
            player_id=caller_id(request),
            client_seed=values.get("client_seed"),
        )
        return Response(session_card(table))


class FinishView(APIView):
    """`sessions/{id}/finish/`."""

    @extend_schema(
        operation_id="finish_session",
        summary="End the session between two rounds (host)",
        tags=TAGS,
        parameters=[IDEMPOTENCY_KEY],
        request=None,
        responses={200: SessionSerializer}
        | problems(
            BAD_KEY,
            401,
            404,
            {
                403: ["not_host"],
                409: ["round_running", "session_finished"],
            },
        ),
        examples=[examples.FINISHED_SESSION],
    )
    def post(self, request: Request, session_id: UUID) -> Response:
        """The session, finished."""
        return Response(
            session_card(session_finish(session_id=session_id, player_id=caller_id(request)))
        )
