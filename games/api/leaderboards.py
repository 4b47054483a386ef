"""The leaderboards of a game."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from contract.schema import problems
from games.api.catalogue import GAME
from games.api.sessions import filters
from games.selectors.calculators import game_get
from players.api.authentication import caller_id
from scoring.api.examples import ENTRY_ON_BOARD
from scoring.api.pagination import BoardPagination
from scoring.api.serializers import BoardEntrySerializer, BoardQuerySerializer
from scoring.boards import Board


class LeaderboardView(GenericAPIView[Any]):
    """`leaderboards/{game}/`."""

    serializer_class = BoardEntrySerializer
    pagination_class = BoardPagination
    around: UUID | None = None
    """Whom the page has in its middle, for the pagination."""

    @extend_schema(
        operation_id="list_leaderboard",
        summary="The best players of a game",
        description=(
            "Ranks are standard competition ranks over the whole board (1, 1, 3) and the same on "
            "every page; rows and ranks of a page are of one moment. Bots, deleted and banned "
            "players are on no board."
        ),
        tags=["scores"],
        parameters=[GAME, BoardQuerySerializer],
        responses={200: BoardEntrySerializer(many=True)} | problems(400, 401, 404),
        examples=[ENTRY_ON_BOARD],
    )
    def get(self, request: Request, game: str) -> Response:
        """A page of the board."""
        slug, player_id = game_get(game).info.slug, caller_id(request)
        chosen = filters(BoardQuerySerializer, request, in_pages=True)
        self.around = player_id if chosen.pop("around", None) else None
        board: Any = Board(slug, **chosen)
        rows: Any = self.paginate_queryset(board)
        entries = [
            {
                **{name: getattr(row, name) for name in ROW_FIELDS},
                "rank": rank,
                "is_you": row.player_id == player_id,
            }
            for rank, row in rows
        ]
        return self.get_paginated_response(BoardEntrySerializer(entries, many=True).data)


ROW_FIELDS = tuple(set(BoardEntrySerializer().fields) - {"rank", "is_you"})
