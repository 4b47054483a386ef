"""Marking the boards, so that ranks are known without counting everybody above."""

from __future__ import annotations

from datetime import datetime
from functools import cache
from typing import Final

from django.db import connection, transaction
from django.db.models import Q, Sum
from django.db.models.functions import Abs
from psycopg import sql

from scoring.boards import board_words
from scoring.models import BoardChange, BoardMark, Period
from scoring.periods import period_start
from scoring.services.recounting import Difference

MARK_EVERY: Final = 500
MOST_CHANGES: Final = 2000
"""So many figures may change on a board before it is marked anew."""

# One statement, and so of one moment: what it counts and what it forgets belong together.
MARK: Final = """
WITH forgotten AS (DELETE FROM {marks} WHERE {board} AND metric = %(metric)s),
counted AS (DELETE FROM {changes} WHERE {board} AND metric = %(metric)s),
held AS (SELECT {reached}, count(*) AS players FROM {table} WHERE {on_board} GROUP BY {reached}),
summed AS (
    SELECT *, (sum(players) OVER (ORDER BY {highest}) - players)::int AS above FROM held
),
stepped AS (
    SELECT *, lag(above / %(every)s) OVER (ORDER BY {highest}) AS step_before FROM summed
)
INSERT INTO {marks} (game, pool, period, period_start, metric, reached, above)
SELECT %(game)s, %(pool)s, %(period)s, %(period_start)s, %(metric)s, ARRAY[{reached}], above
FROM stepped WHERE above / %(every)s IS DISTINCT FROM step_before
"""
FORGET: Final = """
WITH forgotten AS (DELETE FROM {marks} WHERE {board} AND metric = %(metric)s)
DELETE FROM {changes} WHERE {board} AND metric = %(metric)s
"""
WRONG_MARKS: Final = """
SELECT count(*) FROM (SELECT * FROM {marks} WHERE {board} AND metric = %(metric)s) AS mark
WHERE above + (
    SELECT coalesce(sum(change), 0) FROM {changes}
    WHERE {board} AND metric = %(metric)s AND reached > mark.reached
) <> (SELECT count(*) FROM {table} WHERE {on_board} AND ({reached}) > ({mark_figure}))
"""
BOARD_FIELDS: Final = ("game", "pool", "period", "period_start", "metric")


@transaction.atomic
def boards_mark(*, now: datetime, most_changes: int = MOST_CHANGES) -> int:
    """Mark each board where more than so many figures have changed; how many that were.

    What belongs to periods that are over is forgotten. Who comes while another is marking, does
    nothing.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(hashtext('mark boards'))")
        if not cursor.fetchone()[0]:
            return 0
        over = Q()
        for period in Period.values:
            over |= Q(period=period, period_start__lt=period_start(period, now))
        BoardChange.objects.filter(over).delete()
        BoardMark.objects.filter(over).delete()
        boards = (
            BoardChange.objects.order_by()
            .values(*BOARD_FIELDS)
            .annotate(changes=Sum(Abs("change")))
        )
        marked = list(boards.filter(changes__gt=most_changes))
        for board in marked:
            cursor.execute(_sql(MARK, board["metric"]), {**board, "every": MARK_EVERY})
        return len(marked)


@transaction.atomic
def marks_rebuild(*, mend: bool) -> list[Difference]:
    """Every mark, with the changes since, held against those who stand above; wrong ones are
    forgotten with their whole board, which is marked again when it has changed enough."""
    boards = BoardMark.objects.order_by(*BOARD_FIELDS).values(*BOARD_FIELDS).distinct()
    found = []
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext('mark boards'))")
        for board in list(boards):
            cursor.execute(_sql(WRONG_MARKS, board["metric"]), board)
            wrong = cursor.fetchone()[0]
            if not wrong:
                continue
            where = " ".join(str(board[name]) for name in BOARD_FIELDS)
            found.append(Difference("board", f"{wrong} marks of {where}", mended=mend))
            if mend:
                cursor.execute(_sql(FORGET, board["metric"]), board)
    return found


@cache
def _sql(statement: str, metric: str) -> str:
    return sql.SQL(statement).format(**board_words(metric)).as_string(None)
