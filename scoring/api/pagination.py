"""A leaderboard in pages: cursors hold the key of a row, so that no change shifts a page."""

from __future__ import annotations

from dataclasses import astuple
from typing import Any
from uuid import UUID

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.utils.urls import remove_query_param

from contract.pagination import NewestFirst
from scoring.boards import Board, BoardPage, Start, board_page


class BoardPagination(NewestFirst):
    """`{"next", "previous", "results"}`, best first."""

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> Any:
        """The places of a page of this board, `queryset`. Raises ValidationError."""
        board: Board = queryset
        limit, around = self.get_page_size(request), view.around
        start = Start.AROUND if around else Start.TOP
        key: list[Any] = []
        if place := self.place(request, of=_name(board)):
            word, *figures, player_id = place
            start, key = Start(word), [*figures, UUID(player_id)]
        self.board, self.url = board, request.build_absolute_uri()
        self.shown: BoardPage = board_page(
            board,
            limit=limit,
            now=timezone.now(),
            start=start,
            key=key,
            around=around,
        )
        return self.shown.rows

    def get_next_link(self) -> str | None:
        """The page after the last row."""
        return self._link(Start.AFTER, -1) if self.shown.more_after else None

    def get_previous_link(self) -> str | None:
        """The page before the first row."""
        return self._link(Start.BEFORE, 0) if self.shown.more_before else None

    def _link(self, start: Start, place: int) -> str | None:
        if not self.shown.rows:
            return None
        *figures, player_id = self.board.key(self.shown.rows[place][1])
        url = remove_query_param(self.url, "around")
        return self.link(url, [start, *figures, str(player_id)], of=_name(self.board))


def _name(board: Board) -> str:
    return "/".join(astuple(board))
