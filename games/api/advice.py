"""Help for the caller: a hint, and the card counter."""

from __future__ import annotations

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from contract.schema import problems
from games.api import examples
from games.api.play import TAGS
from games.api.responses import HintSerializer, UnseenSerializer
from games.selectors.unseen import cards_unseen
from games.services.clocks import table_fresh
from games.services.hints import hint_get
from players.api.authentication import caller_id


class HintView(APIView):
    """`sessions/{id}/hint/`."""

    @extend_schema(
        operation_id="get_hint",
        summary="A good move now, from what this seat may know",
        tags=TAGS,
        responses={200: HintSerializer} | problems(401, 404, {403: ["not_seated"]}),
        examples=[examples.HINT],
    )
    def get(self, request: Request, session_id: UUID) -> Response:
        """The move, or null while the caller is not asked for one."""
        table = table_fresh(session_id=session_id, player_id=caller_id(request))
        return Response(hint_get(table))


class UnseenView(APIView):
    """`sessions/{id}/unseen/`."""

    @extend_schema(
        operation_id="count_unseen_cards",
        summary="Card counter (記牌器): how many of each rank the caller has not seen",
        description="From public cards and the own hand only; a kitty counts until it is shown.",
        tags=TAGS,
        responses={200: UnseenSerializer}
        | problems(401, 404, {403: ["not_seated"], 409: ["round_over"]}),
        examples=[examples.UNSEEN],
    )
    def get(self, request: Request, session_id: UUID) -> Response:
        """The counts of the running deal."""
        table = table_fresh(session_id=session_id, player_id=caller_id(request))
        return Response(cards_unseen(table))
