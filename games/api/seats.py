"""Seats: joined, left, changed by the host, played by the server; and the table once more."""

from __future__ import annotations

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from contract.addresses import client_network
from contract.rate_limits import guesses_counted
from contract.schema import BAD_BODY, BAD_KEY, IDEMPOTENCY_KEY, problems
from games.api import examples
from games.api.requests import (
    AutoplaySerializer,
    JoinSerializer,
    QuickJoinSerializer,
    SeatPlanSerializer,
)
from games.api.responses import SessionSerializer
from games.api.sessions import TAGS, validated
from games.api.states import StateSerializer
from games.errors import SessionNotFound
from games.selectors.history import session_card
from games.selectors.states import state_get
from games.services.joining import (
    quick_join,
    session_join,
    session_join_by_code,
    session_leave,
)
from games.services.rematches import session_rematch
from games.services.seat_changes import autoplay_set, seat_change
from players.api.authentication import caller_id

JOIN_PROBLEMS = {
    403: ["removed_from_table"],
    409: ["round_running", "session_finished", "table_full"],
}


class JoinByCodeView(APIView):
    """`sessions/join/`."""

    @extend_schema(
        operation_id="join_session_by_code",
        summary="Take a seat at the table with this code",
        description="Who sits there already just gets the session.",
        tags=TAGS,
        parameters=[IDEMPOTENCY_KEY],
        request=JoinSerializer,
        responses={200: SessionSerializer} | problems(BAD_BODY, BAD_KEY, 401, 404, JOIN_PROBLEMS),
        examples=[examples.JOIN_CODE, examples.LOBBY],
    )
    def post(self, request: Request) -> Response:
        """The session, joined."""
        code = validated(JoinSerializer, request.data)["code"]
        player_id = caller_id(request)
        with guesses_counted(
            SessionNotFound,
            code_by_address=client_network(request),
            code_by_player=str(player_id),
        ):
            table = session_join_by_code(code=code, player_id=player_id)
        return Response(session_card(table))


class QuickJoinView(APIView):
    """`sessions/quick-join/`."""

    rate_limit = "tables"

    @extend_schema(
        operation_id="quick_join_session",
        summary="Take a seat at any public table of a game, or open one",
        description=(
            "Only at a table where the `options` that were sent were agreed (`client_seed` does "
            "not count). Where there is none, a new public table waits in the lobby."
        ),
        tags=TAGS,
        parameters=[IDEMPOTENCY_KEY],
        request=QuickJoinSerializer,
        responses={200: SessionSerializer} | problems(BAD_BODY, BAD_KEY, 401),
        examples=[examples.CREATE_SESSION, examples.LOBBY],
    )
    def post(self, request: Request) -> Response:
        """The session, joined or opened."""
        values = validated(QuickJoinSerializer, request.data)
        table = quick_join(
            player_id=caller_id(request), game=values["game"], options=values["options"]
        )
        return Response(session_card(table))


class JoinView(APIView):
    """`sessions/{id}/join/`."""

    @extend_schema(
        operation_id="join_session",
        summary="Take a seat at a public table, or the seat that one has left",
        description="Who has left during the round takes the seat back from the bot at once.",
        tags=TAGS,
        parameters=[IDEMPOTENCY_KEY],
        request=None,
        responses={200: SessionSerializer} | problems(BAD_KEY, 401, 404, JOIN_PROBLEMS),
        examples=[examples.LOBBY],
    )
    def post(self, request: Request, session_id: UUID) -> Response:
        """The session, joined."""
        return Response(
            session_card(session_join(session_id=session_id, player_id=caller_id(request)))
        )


class LeaveView(APIView):
    """`sessions/{id}/leave/`."""

    @extend_schema(
        operation_id="leave_session",
        summary="Get up",
        description=(
            "During a round a bot plays the seat on, and the result still counts for the caller. "
            "A host's leaving hands the table to the next person, the last one's finishes it."
        ),
        tags=TAGS,
        parameters=[IDEMPOTENCY_KEY],
        request=None,
        responses={200: SessionSerializer}
        | problems(BAD_KEY, 401, 404, {403: ["not_seated"], 409: ["session_finished"]}),
        examples=[examples.FINISHED_SESSION],
    )
    def post(self, request: Request, session_id: UUID) -> Response:
        """The session, left."""
        return Response(
            session_card(session_leave(session_id=session_id, player_id=caller_id(request)))
        )


class SeatView(APIView):
    """`sessions/{id}/seats/{seat}/`."""

    @extend_schema(
        operation_id="change_seat",
        summary="Open a seat, or let a bot sit there (host, between rounds)",
        description="Who sits there is removed, and cannot come back.",
        tags=TAGS,
        request=SeatPlanSerializer,
        responses={200: SessionSerializer}
        | problems(
            BAD_BODY,
            401,
            404,
            {403: ["not_host"], 409: ["round_running", "session_finished", "host_seat"]},
        ),
        examples=[examples.BOT_SEAT, examples.LOBBY],
    )
    def patch(self, request: Request, session_id: UUID, number: int) -> Response:
        """The session, with the seat as it is now."""
        values = validated(SeatPlanSerializer, request.data)
        table = seat_change(
            session_id=session_id,
            player_id=caller_id(request),
            number=number,
            kind=values["kind"],
            level=values.get("level"),
        )
        return Response(session_card(table))


class RematchView(APIView):
    """`sessions/{id}/rematch/`."""

    @extend_schema(
        operation_id="rematch_session",
        summary="The same table again as a new session",
        description=(
            "All who ask get the same one, each in the old seat; the first is its host. It waits "
            "in the lobby, with the seats of who has not asked open."
        ),
        tags=TAGS,
        parameters=[IDEMPOTENCY_KEY],
        request=None,
        responses={200: SessionSerializer}
        | problems(
            BAD_KEY,
            401,
            404,
            {403: ["not_seated"], 409: ["not_finished"]},
            JOIN_PROBLEMS,
        ),
        examples=[examples.LOBBY],
    )
    def post(self, request: Request, session_id: UUID) -> Response:
        """The new session, joined."""
        return Response(
            session_card(session_rematch(session_id=session_id, player_id=caller_id(request)))
        )


class AutoplayView(APIView):
    """`sessions/{id}/autoplay/`."""

    @extend_schema(
        operation_id="set_autoplay",
        summary="Let the server play the caller's seat (託管), or end that",
        description="Any own move ends it, too.",
        tags=TAGS,
        parameters=[IDEMPOTENCY_KEY],
        request=AutoplaySerializer,
        responses={200: StateSerializer}
        | problems(BAD_BODY, BAD_KEY, 401, 404, {403: ["not_seated"], 409: ["session_finished"]}),
        examples=[examples.AUTOPLAY, examples.STATE],
    )
    def post(self, request: Request, session_id: UUID) -> Response:
        """The state after it."""
        enabled = validated(AutoplaySerializer, request.data)["enabled"]
        table = autoplay_set(session_id=session_id, player_id=caller_id(request), enabled=enabled)
        return Response(state_get(table))
