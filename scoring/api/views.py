"""The ledger of the caller, and what players have done so far."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from contract.pagination import NewestFirst
from contract.schema import problems
from players.api.authentication import caller_id
from players.selectors import player_active
from scoring.api.examples import STATS
from scoring.api.serializers import LedgerEntrySerializer, StatsSerializer
from scoring.selectors import ledger_of, player_stats

ENTRY = OpenApiExample(
    "A won round",
    value={
        "id": "d3b04ced-b5e3-45c0-a7b0-3b010708a92e",
        "game": "big-two-tw",
        "kind": "settlement",
        "amount": 14,
        "balance": 14,
        "session": "6c1d1f5e-9d0b-4f6a-8c3e-2b7a9e4d5f10",
        "round": 1,
        "seat": 0,
        "reason": None,
        "created_at": "2026-03-01T09:45:00Z",
    },
    response_only=True,
)


class LedgerView(GenericAPIView[Any]):
    """`players/me/ledger/`."""

    serializer_class = LedgerEntrySerializer

    @extend_schema(
        operation_id="list_ledger",
        summary="Every point or bean booked for the caller, newest first",
        tags=["scores"],
        responses={200: LedgerEntrySerializer(many=True)} | problems(400, 401),
        examples=[ENTRY],
    )
    def get(self, request: Request) -> Response:
        """A page of the ledger."""
        NewestFirst().refuse_unknown(request)
        page = self.paginate_queryset(ledger_of(player_id=caller_id(request)))
        return self.get_paginated_response(LedgerEntrySerializer(page, many=True).data)


class OwnStatsView(APIView):
    """`players/me/stats/`."""

    @extend_schema(
        operation_id="get_my_stats",
        summary="What the caller has done so far, in all and per game",
        tags=["scores"],
        responses={200: StatsSerializer} | problems(401),
        examples=[STATS],
    )
    def get(self, request: Request) -> Response:
        """The statistics."""
        return Response(StatsSerializer(player_stats(player_id=caller_id(request))).data)


class StatsView(APIView):
    """`players/{id}/stats/`."""

    @extend_schema(
        operation_id="get_player_stats",
        summary="What a player has done so far, in all and per game",
        description="404 for a player who has deleted the account or is banned.",
        tags=["scores"],
        responses={200: StatsSerializer} | problems(401, 404),
        examples=[STATS],
    )
    def get(self, request: Request, id: UUID) -> Response:
        """The statistics, as everybody may see them."""
        return Response(
            StatsSerializer(player_stats(player_id=player_active(player_id=id).pk)).data
        )
