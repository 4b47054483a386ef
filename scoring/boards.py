"""Leaderboards: pages of standings with their ranks, each page one statement of the database.

So rows and ranks are of one moment, however scores change. The order of a board is whole: equals
follow by their players' ids.

Who stands above a figure is not counted from the top: `scoring.services.marking` marks each large
board now and then, about every MARK_EVERY players. A rank is what the next mark above says, and
how many have come above that mark or gone since, and who stands between it and the figure now.
Without a mark, all above are counted; the rank is the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cache
from typing import Any, Final
from uuid import UUID

from django.db.models import prefetch_related_objects
from psycopg import sql

from scoring.models import BoardChange, BoardMark, Metric, Standing
from scoring.periods import period_start

COLUMNS: Final[dict[str, tuple[str, ...]]] = {
    Metric.BEST: ("best",),
    Metric.POSITIONS: ("first", "second", "third", "fourth"),
    Metric.WINS: ("wins",),
    Metric.BALANCE: ("balance",),
}
NULLABLE: Final = (Metric.BEST, Metric.BALANCE)


class Start(StrEnum):
    """From where a page is read."""

    TOP = "top"
    AFTER = "after"
    BEFORE = "before"
    AROUND = "around"


@dataclass(frozen=True, slots=True)
class Board:
    """One board of a game."""

    game: str
    metric: str
    pool: str
    period: str

    def key(self, row: Standing) -> list[Any]:
        """Where the row stands in the order of the board."""
        return [*(getattr(row, column) for column in COLUMNS[self.metric]), row.player_id]


@dataclass(frozen=True, slots=True)
class BoardPage:
    """Rows in order with their ranks, and whether there are more on either side."""

    rows: list[tuple[int, Standing]]
    more_before: bool
    more_after: bool


def board_page(
    board: Board,
    *,
    limit: int,
    now: datetime,
    start: Start = Start.TOP,
    key: Sequence[Any] = (),
    around: UUID | None = None,
) -> BoardPage:
    """A page of the board: from the top, after or before a key, or with a player in its middle.

    Ranks are standard competition ranks over the whole board (1, 1, 3). A page around a player who
    is not on the board is empty.
    """
    statement, values = page_statement(
        board, limit=limit, now=now, start=start, key=key, around=around
    )
    rows: list[Any] = list(Standing.objects.raw(statement, values))
    if not rows:
        return BoardPage([], more_before=False, more_after=False)
    ranked = _ranked(board, rows)
    prefetch_related_objects(rows, "player")
    surplus, more_before = len(rows) > limit, rows[0].more_before
    if start is Start.BEFORE:
        return BoardPage(ranked[-limit:], more_before=surplus or more_before, more_after=True)
    return BoardPage(ranked[:limit], more_before=more_before, more_after=surplus)


def page_statement(
    board: Board,
    *,
    limit: int,
    now: datetime,
    start: Start = Start.TOP,
    key: Sequence[Any] = (),
    around: UUID | None = None,
) -> tuple[str, dict[str, Any]]:
    """What `board_page` asks the database, and one row more than `limit`."""
    values: dict[str, Any] = {
        "game": board.game,
        "pool": board.pool,
        "metric": board.metric,
        "period": board.period,
        "period_start": period_start(board.period, now),
        "limit": limit + 1,
        "above": limit // 2 + 1,
        "around": around,
        **{f"key_{place}": value for place, value in enumerate(key)},
    }
    return _page_sql(board.metric, start), values


def _ranked(board: Board, rows: Sequence[Any]) -> list[tuple[int, Standing]]:
    """The rows with their ranks, of which each row tells those of the first two figures shown.

    Those who have reached the second figure, or less, all follow the first of them on the page.
    """
    ranks: dict[tuple[Any, ...], int] = {}
    second = 0
    ranked: list[tuple[int, Standing]] = []
    for place, row in enumerate(rows):
        figure = tuple(board.key(row)[:-1])
        if figure not in ranks:
            if len(ranks) < 2:
                ranks[figure], second = row.ranks[len(ranks)], place
            else:
                ranks[figure] = row.ranks[1] + place - second
        ranked.append((ranks[figure], row))
    return ranked


BOARD: Final = """
    game = %(game)s AND pool = %(pool)s AND period = %(period)s AND period_start = %(period_start)s
"""
# As the partial indexes of the boards say it, so that they are used.
LISTED: Final = " AND listed AND rounds > 0"
HIGHER_THAN_ANY: Final = 2**31 - 1
FROM_KEY: Final = {
    Start.TOP: "TRUE",
    Start.AFTER: "({order}) < ({key})",
    Start.BEFORE: "({order}) > ({key})",
    Start.AROUND: "({order}) <= (SELECT {order} FROM first)",
}
PAGE: Final = """
WITH own AS (SELECT {order} FROM {table} WHERE {on_board} AND player_id = %(around)s),
first AS (
    SELECT {order} FROM (
        SELECT {order} FROM {table}
        WHERE {on_board} AND ({order}) >= (SELECT {order} FROM own)
        ORDER BY {ascending} LIMIT %(above)s
    ) AS upward ORDER BY {descending} LIMIT 1
),
page AS (
    SELECT * FROM {table} WHERE {on_board} AND {from_key} ORDER BY {direction} LIMIT %(limit)s
),
top AS (SELECT {order} FROM page ORDER BY {descending} LIMIT 1),
figure AS (SELECT DISTINCT {reached} FROM page ORDER BY {highest} LIMIT 2),
ranked AS (
    SELECT 1 + coalesce(mark.above, 0) + coalesce(since.change, 0) + near.players AS rank
    FROM figure
    LEFT JOIN LATERAL (
        SELECT reached, above FROM {marks}
        WHERE {board} AND metric = %(metric)s AND reached >= ARRAY[{own_figure}]
        ORDER BY reached LIMIT 1
    ) AS mark ON TRUE
    CROSS JOIN LATERAL (
        SELECT sum(change) AS change FROM {changes}
        WHERE {board} AND metric = %(metric)s AND reached > mark.reached
    ) AS since
    CROSS JOIN LATERAL (
        SELECT count(*) AS players FROM {table}
        WHERE {on_board} AND ({reached}) > ({own_figure}) AND ({reached}) <= ({mark_figure})
    ) AS near
)
SELECT
    page.*,
    ARRAY(SELECT rank FROM ranked ORDER BY rank) AS ranks,
    EXISTS (
        SELECT FROM {table} WHERE {on_board} AND ({order}) > (SELECT {order} FROM top)
    ) AS more_before
FROM page ORDER BY {descending}
"""


@cache
def _page_sql(metric: str, start: Start) -> str:
    """The statement for a page; the values come with each call."""
    words = board_words(metric)
    page = sql.SQL(PAGE).format(
        **words,
        from_key=sql.SQL(FROM_KEY[start]).format(**words),
        direction=words["ascending" if start is Start.BEFORE else "descending"],
    )
    return page.as_string(None)


def board_words(metric: str) -> dict[str, sql.Composable]:
    """What statements about the boards of a metric are made of, besides the values."""
    columns = [sql.Identifier(column) for column in COLUMNS[metric]]
    order = [*columns, sql.Identifier("player_id")]
    comma = sql.SQL(", ")
    on_board: sql.Composable = sql.SQL(BOARD + LISTED)
    if metric in NULLABLE:
        on_board += sql.SQL(" AND {} IS NOT NULL").format(columns[0])
    mark_figure = (
        sql.SQL("coalesce(mark.reached[{}], {})").format(place, HIGHER_THAN_ANY)
        for place in range(1, len(columns) + 1)
    )
    return {
        "table": sql.Identifier(Standing._meta.db_table),
        "marks": sql.Identifier(BoardMark._meta.db_table),
        "changes": sql.Identifier(BoardChange._meta.db_table),
        "board": sql.SQL(BOARD),
        "on_board": on_board,
        "reached": comma.join(columns),
        "highest": comma.join(sql.SQL("{} DESC").format(column) for column in columns),
        "order": comma.join(order),
        "ascending": comma.join(order),
        "descending": comma.join(sql.SQL("{} DESC").format(column) for column in order),
        "key": comma.join(sql.Placeholder(f"key_{place}") for place in range(len(order))),
        "own_figure": comma.join(sql.SQL("figure.{}").format(column) for column in columns),
        "mark_figure": comma.join(mark_figure),
    }
