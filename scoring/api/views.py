"""The ledger of the caller."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from contract.schema import problems
from players.api.authentication import caller_id
from scoring.api.serializers import LedgerEntrySerializer
from scoring.selectors import ledger_of

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
        page = self.paginate_queryset(ledger_of(player_id=caller_id(request)))
        return self.get_paginated_response(LedgerEntrySerializer(page, many=True).data)
