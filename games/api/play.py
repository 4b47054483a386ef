"""Playing: the state, moves, previews, the caller's plays."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpResponseNotModified
from drf_spectacular.utils import (
    extend_schema,
    extend_schema_view,
)
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from contract.caching import ETAG, IF_NONE_MATCH, NOT_MODIFIED, is_known
from contract.errors import Refusal
from contract.schema import BAD_BODY, BAD_KEY, IDEMPOTENCY_KEY, problems
from games import clock
from games.api import examples
from games.api.requests import MoveLogQuerySerializer, MoveRequestSerializer
from games.api.responses import (
    LegalPlaysSerializer,
    MoveAnswerSerializer,
    MoveLogSerializer,
    PreviewSerializer,
)
from games.api.sessions import filters, validated
from games.api.states import StateSerializer
from games.rules.errors import RuleViolation
from games.rules.moves import move_from_json
from games.selectors.history import move_card, moves_log
from games.selectors.plays import legal_plays
from games.selectors.states import state_get, state_of
from games.selectors.tables import table_get, unchanged_version
from games.services.clocks import move_make, table_fresh
from games.services.previews import move_preview
from players.api.authentication import caller_id

TAGS = ["play"]

MOVE_CONFLICTS = ["not_your_turn", "wrong_phase", "stale_turn", "round_over"]
MOVE_REFUSALS = [
    "unknown_card",
    "duplicate_card",
    "card_not_in_hand",
    "not_a_pattern",
    "ambiguous_pattern",
    "wrong_pattern",
    "does_not_beat",
    "must_include_card",
    "must_lead",
    "bid_too_low",
    "redeal_not_eligible",
    "redeal_already_called",
    "cannot_cut",
    "cut_out_of_range",
    "wrong_row_sizes",
    "wrong_cards",
    "foul_arrangement",
    "no_special_hand",
    "extension_used",
]


def etag_of(version: int) -> str:
    """A state's ETag: its version."""
    return f'"{version}"'


def state_headers(version: int) -> dict[str, str]:
    """What every answer about a state says of its caching."""
    return {"ETag": etag_of(version), "Cache-Control": "private, no-cache"}


class StateView(APIView):
    """`sessions/{id}/state/`."""

    @extend_schema(
        operation_id="get_state",
        summary="What the caller may see now",
        tags=TAGS,
        parameters=[IF_NONE_MATCH, ETAG],
        responses={200: StateSerializer} | NOT_MODIFIED | problems(401, 404),
        examples=[examples.STATE],
    )
    def get(self, request: Request, session_id: UUID) -> Any:
        """The state, or 304."""
        player_id = caller_id(request)
        if "If-None-Match" in request.headers:
            known = unchanged_version(session_id=session_id, player_id=player_id, now=clock.now())
            if known is not None and is_known(request, etag_of(known)):
                return HttpResponseNotModified(headers=state_headers(known))
        table = table_fresh(session_id=session_id, player_id=player_id)
        version = table.session.version
        headers = state_headers(version)
        if is_known(request, headers["ETag"]):
            return HttpResponseNotModified(headers=headers)
        return Response(state_get(table), headers=headers)


@extend_schema_view(
    get=extend_schema(
        operation_id="list_moves",
        summary="The move log of a round",
        tags=TAGS,
        parameters=[MoveLogQuerySerializer],
        responses={200: MoveLogSerializer} | problems(400, 401, 404),
        examples=[examples.MOVE_LOG],
    ),
    post=extend_schema(
        operation_id="make_move",
        summary="Make a move",
        description="Every 409 carries the caller's fresh `state`.",
        tags=TAGS,
        parameters=[IDEMPOTENCY_KEY],
        request=MoveRequestSerializer,
        responses={201: MoveAnswerSerializer}
        | problems(
            BAD_BODY,
            BAD_KEY,
            401,
            404,
            {
                403: ["not_seated"],
                409: MOVE_CONFLICTS,
                422: MOVE_REFUSALS,
            },
        ),
        examples=[examples.PLAY, examples.MOVE_ANSWER],
    ),
)
class MovesView(APIView):
    """`sessions/{id}/moves/`."""

    def get(self, request: Request, session_id: UUID) -> Response:
        """The log as the caller may see it."""
        chosen = filters(MoveLogQuerySerializer, request)
        table = table_fresh(session_id=session_id, player_id=caller_id(request))
        moves = moves_log(table, number=chosen.get("round"), after=chosen["after"])
        return Response({"results": moves})

    def post(self, request: Request, session_id: UUID) -> Response:
        """The move as it was stored, and the state after it."""
        values = validated(MoveRequestSerializer, request.data)
        player_id = caller_id(request)
        try:
            submitted = move_make(
                session_id=session_id,
                player_id=player_id,
                move=move_from_json(values),
                turn=values.get("turn"),
            )
        except (Refusal, RuleViolation) as refusal:
            refusal.fresh_state = lambda: state_get(
                table_get(session_id=session_id, player_id=player_id)
            )
            raise
        return Response(
            {
                "move": move_card(submitted.move),
                "state": state_of(submitted.table, submitted.live),
            },
            201,
        )


class PreviewView(APIView):
    """`sessions/{id}/moves/preview/`."""

    idempotency_key_ignored = True
    rate_limit = "reads"

    @extend_schema(
        operation_id="preview_move",
        summary="What a move would be",
        tags=TAGS,
        request=MoveRequestSerializer,
        responses={200: PreviewSerializer} | problems(BAD_BODY, 401, 404, {403: ["not_seated"]}),
        examples=[examples.PLAY, examples.PREVIEW],
    )
    def post(self, request: Request, session_id: UUID) -> Response:
        """Pattern, foul, special, and the code it would be refused with."""
        values = validated(MoveRequestSerializer, request.data)
        table = table_fresh(session_id=session_id, player_id=caller_id(request))
        return Response(move_preview(table, data=values, turn=values.get("turn")))


class LegalPlaysView(APIView):
    """`sessions/{id}/legal-plays/`."""

    @extend_schema(
        operation_id="list_own_plays",
        summary="The caller's plays now, weakest first",
        tags=TAGS,
        responses={200: LegalPlaysSerializer} | problems(401, 404, {403: ["not_seated"]}),
        examples=[examples.LEGAL_PLAYS],
    )
    def get(self, request: Request, session_id: UUID) -> Response:
        """The plays; none while it is not the caller's turn."""
        table = table_fresh(session_id=session_id, player_id=caller_id(request))
        return Response(legal_plays(table))
