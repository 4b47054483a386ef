"""Rounds: the settled ones, their replays, and the next."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from contract.pagination import NewestFirst
from contract.schema import BAD_BODY, BAD_KEY, IDEMPOTENCY_KEY, problems
from games.api import examples, round_examples
from games.api.requests import RoundStartSerializer
from games.api.responses import SessionSerializer
from games.api.round_shapes import ReplaySerializer, RoundSerializer
from games.api.sessions import validated
from games.selectors.history import session_card
from games.selectors.replays import round_replay
from games.selectors.rounds import round_card, rounds_settled
from games.selectors.tables import table_get
from games.services.sessions import round_deal
from players.api.authentication import caller_id

TAGS = ["rounds"]


class RoundsPagination(NewestFirst):
    """Rounds by their numbers, the last one first."""

    ordering = ("-number",)


@extend_schema_view(
    get=extend_schema(
        operation_id="list_rounds",
        summary="Settled rounds, the last one first",
        tags=TAGS,
        responses={200: RoundSerializer(many=True)} | problems(400, 401, 404),
        examples=[round_examples.ROUND_IN_LIST],
    ),
    post=extend_schema(
        operation_id="deal_round",
        summary="Deal the next round (host); bots sit down on open seats",
        description=(
            "The client seed is chosen after `next_commitment` has been shown. Once a table has "
            "waited two minutes for its host, anybody who sits there may deal, and is the host "
            "then; until then `not_host` says in `wait_ms` how long that is."
        ),
        tags=TAGS,
        parameters=[IDEMPOTENCY_KEY],
        request=RoundStartSerializer,
        responses={201: SessionSerializer}
        | problems(
            BAD_BODY,
            BAD_KEY,
            401,
            404,
            {
                403: ["not_host"],
                409: ["not_started", "round_running", "session_finished"],
            },
        ),
        examples=[examples.CLIENT_SEED, examples.SESSION],
    ),
)
class RoundsView(GenericAPIView[Any]):
    """`sessions/{id}/rounds/`."""

    serializer_class = RoundSerializer
    pagination_class = RoundsPagination

    def get(self, request: Request, session_id: UUID) -> Response:
        """A page of settled rounds."""
        RoundsPagination().refuse_unknown(request)
        table = table_get(session_id=session_id, player_id=caller_id(request))
        page = self.paginate_queryset(rounds_settled(table))
        return self.get_paginated_response([round_card(round_) for round_ in page or []])

    def post(self, request: Request, session_id: UUID) -> Response:
        """The session, playing again."""
        values = validated(RoundStartSerializer, request.data)
        table = round_deal(
            session_id=session_id,
            player_id=caller_id(request),
            client_seed=values.get("client_seed"),
        )
        return Response(session_card(table), 201)


class RoundView(APIView):
    """`sessions/{id}/rounds/{number}/`."""

    @extend_schema(
        operation_id="get_round",
        summary="A settled round complete",
        description=(
            "Seeds, commitment, cuts, every deal, every move with its time and who made it, final "
            "hands and the working of the settlement. `python -m games.verify` takes it as it is."
        ),
        tags=TAGS,
        responses={200: ReplaySerializer} | problems(401, 404, {409: ["round_running"]}),
        examples=[round_examples.REPLAY],
    )
    def get(self, request: Request, session_id: UUID, number: int) -> Response:
        """The replay."""
        table = table_get(session_id=session_id, player_id=caller_id(request))
        return Response(round_replay(table, number=number))
