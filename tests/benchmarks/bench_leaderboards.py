"""Database time of the leaderboards from 10^4 to 10^6 ledger rows, and of booking a round.

    python -m tests.benchmarks.bench_leaderboards [--rows 10000 100000 1000000] [--explain]

One run on one PostgreSQL (that of DATABASE_URL where given, else a private one). Players are a
tenth of the ledger's rows. The rows are made by SQL, then counted into standings by SQL too; every
figure is the execution time that EXPLAIN ANALYZE gives, the median and the worst of several calls.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
import uuid
from typing import Any

from tests.benchmarks.surroundings import migrated_servers

GAME = "big-two-hk"
CALLS = 7
BAR_MS = 50

PLAYERS = """
INSERT INTO players_player (id, password, is_superuser, display_name, language, is_active, is_staff,
    created_at)
SELECT gen_random_uuid(), '!', false, 'Player ' || n, 'en', true, false, now()
FROM generate_series(1, %(players)s) AS n
"""
LEDGER = """
INSERT INTO scoring_ledgerentry (public_id, player_id, game, kind, scope, amount, balance,
    session_id, round_number, seat, reason, created_at)
SELECT gen_random_uuid(), player.id, %(game)s, 'settlement', 'round', figure, figure,
    gen_random_uuid(), n, 0, '', now() - random() * interval '40 days'
FROM (SELECT id FROM players_player ORDER BY id LIMIT %(players)s) AS player
CROSS JOIN generate_series(1, 10) AS n
CROSS JOIN LATERAL (SELECT (random() * 78)::int - 39 + n * 0 AS figure) AS drawn
"""
STANDINGS = """
INSERT INTO scoring_standing (player_id, game, pool, period, period_start, listed, best, balance,
    rounds, wins, points, first, second, third, fourth, bombs, springs, sweeps, grand_slams,
    home_runs, fouls, specials, streak, longest_streak)
SELECT player_id, %(game)s, 'all', period, start, true, max(amount), sum(amount) + 1000,
    count(*), count(*) FILTER (WHERE amount > 0), sum(amount),
    count(*) FILTER (WHERE amount > 0), count(*) FILTER (WHERE amount BETWEEN -9 AND 0),
    count(*) FILTER (WHERE amount BETWEEN -19 AND -10), count(*) FILTER (WHERE amount < -19),
    0, 0, 0, 0, 0, 0, 0, 0, 0
FROM scoring_ledgerentry
CROSS JOIN (VALUES ('all', date '1970-01-01'), ('month', date_trunc('month', now())::date),
    ('week', date_trunc('week', now())::date), ('day', now()::date)) AS periods (period, start)
WHERE created_at >= start
GROUP BY player_id, period, start
"""


def fill(rows: int) -> None:
    """The tables with so many ledger rows, as they are when autovacuum and the sweep were there."""
    from django.db import connection
    from django.utils import timezone

    from scoring.services.marking import boards_mark

    values = {"players": rows // 10, "game": GAME}
    with connection.cursor() as cursor:
        # Keys are right as they are made, and the ledger refuses to be emptied.
        cursor.execute("SET session_replication_role = replica")
        cursor.execute("TRUNCATE players_player, scoring_boardchange, scoring_boardmark CASCADE")
        cursor.execute(PLAYERS, values)
        cursor.execute(LEDGER, values)
        cursor.execute("SET session_replication_role = DEFAULT")
        cursor.execute(STANDINGS, values)
        for table in ("players_player", "scoring_ledgerentry", "scoring_standing"):
            cursor.execute(f"VACUUM ANALYZE {table}")
    began = time.perf_counter()
    boards = boards_mark(now=timezone.now())
    print(f"{rows:>9} rows: {boards} boards marked in {time.perf_counter() - began:.1f} s")


def execution_ms(statement: str, values: dict[str, Any], *, show: bool) -> float:
    """Planning and execution of one call, as PostgreSQL measures it."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS) {statement}", values)
        plan = [line for (line,) in cursor.fetchall()]
    if show:
        print("\n".join(plan))
    return sum(float(line.split()[2]) for line in plan if line.startswith(("Planning T", "Exec")))


def measure_boards(rows: int, *, when: str, show: bool) -> float:
    """The slowest call of all boards."""
    from django.utils import timezone

    from scoring.boards import COLUMNS, Board, Metric, Start, board_page, page_statement
    from scoring.models import Standing

    worst = 0.0
    for metric in Metric.values:
        board = Board(GAME, metric, "all", "all")
        standings = Standing.objects.filter(game=GAME, pool="all", period="all")
        ordered = standings.order_by(*COLUMNS[metric], "player_id")
        ids = list(ordered.values_list("player_id", flat=True))
        calls: dict[str, dict[str, Any]] = {
            "top page": {"start": Start.TOP},
            "around the median": {"start": Start.AROUND, "around": ids[len(ids) // 2]},
            "around the last": {"start": Start.AROUND, "around": ids[0]},
        }
        last = board_page(board, limit=1, now=timezone.now(), **calls["around the last"])
        lowest = {column: getattr(last.rows[0][1], column) for column in COLUMNS[metric]}
        if last.rows[0][0] != 1 + len(ids) - standings.filter(**lowest).count():
            sys.exit(f"{metric}: the last has rank {last.rows[0][0]}")
        for name, call in calls.items():
            statement, values = page_statement(board, limit=20, now=timezone.now(), **call)
            times = [execution_ms(statement, values, show=False) for _ in range(CALLS)]
            if show:
                execution_ms(statement, values, show=True)
            median = statistics.median(times)
            worst = max(worst, median)
            print(
                f"{rows:>9} rows {when:<8} {metric:<10} {name:<18}"
                f" median {median:7.2f} ms   worst {max(times):7.2f} ms"
            )
    return worst


def change_many() -> None:
    """A fifth of the standings changed since the table was last vacuumed and marked."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE scoring_standing"
            " SET wins = wins + 1, best = best + 1, first = first + 1, balance = balance + 1"
            " WHERE id % 5 = 0"
        )


def measure_booking(rounds: int) -> None:
    """A round of four people booked, beside all those rows: statements and wall time."""
    from django.db import connection
    from django.utils import timezone

    from players.models import Player
    from scoring.results import RoundResults, SeatResult
    from scoring.services.booking import results_book

    ids = list(Player.objects.values_list("pk", flat=True)[: rounds * 4])
    times, statements, in_database = [], 0, 0.0

    def timed(execute: Any, *call: Any) -> Any:
        nonlocal statements, in_database
        began = time.perf_counter()
        try:
            return execute(*call)
        finally:
            statements += 1
            in_database += (time.perf_counter() - began) * 1000

    for number in range(rounds):
        people = ids[number * 4 : number * 4 + 4]
        results = RoundResults(
            game=GAME,
            scope="round",
            session_id=uuid.uuid4(),
            round_number=1,
            settled_at=timezone.now(),
            results=tuple(
                SeatResult(player, seat, points, points, place)
                for seat, (player, points, place) in enumerate(
                    zip(people, (12, -2, -4, -6), (1, 2, 3, 4), strict=True)
                )
            ),
        )
        start = time.perf_counter()
        with connection.execute_wrapper(timed):
            results_book(results)
        times.append((time.perf_counter() - start) * 1000)
    print(
        f"booking a round of four people: {statements // rounds} statements, median"
        f" {statistics.median(times):.2f} ms; waiting for the database"
        f" {in_database / rounds:.2f} ms on average"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--rows", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--explain", action="store_true", help="show the plans")
    arguments = parser.parse_args()
    with migrated_servers():
        worst = 0.0
        for rows in arguments.rows:
            began = time.perf_counter()
            fill(rows)
            print(f"{rows:>9} rows filled in {time.perf_counter() - began:.0f} s")
            worst = measure_boards(rows, when="at rest", show=arguments.explain)
            change_many()
            worst = max(worst, measure_boards(rows, when="changed", show=False))
            measure_booking(200)
        print(f"slowest median at the last size {worst:.2f} ms   bar {BAR_MS} ms")


if __name__ == "__main__":
    main()
