"""The admin on tables of the size that operators have (S10).

    python -m tests.benchmarks.bench_admin [--sessions 1000000] [--players 50000]

Rows are made by SQL. Each page is asked for through Django's handler stack, three times; the worst
time counts. Told is also what PostgreSQL spent on it, and how many queries there were.
"""

from __future__ import annotations

import argparse
import resource
import time
from typing import Any

from tests.benchmarks.surroundings import migrated_servers

LIMIT_S = 2.0
TIMES = 3

PLAYERS = """
INSERT INTO players_player (id, password, is_superuser, username, display_name, language,
                            is_active, is_staff, created_at)
SELECT md5('player ' || n)::uuid, '!', false, CASE WHEN n %% 3 = 0 THEN 'player_' || n END,
       'Guest ' || n, 'en', true, false, now() - n * interval '1 minute'
FROM generate_series(1, %(players)s) n
"""
SESSIONS = """
INSERT INTO games_session (id, game, status, visibility, host_id, options, version, turn,
                           round_number, move_number, join_code, next_server_seed, client_seed,
                           carry, counts, created_at, finished_at)
SELECT md5('session ' || n)::uuid,
       (ARRAY['big-two-tw', 'big-two-hk', 'dou-dizhu', 'chinese-poker', 'thirteen'])[n %% 5 + 1],
       CASE WHEN n %% 1000 = 0 THEN 'lobby' ELSE 'finished' END,
       CASE WHEN n %% 50 = 0 THEN 'public' ELSE 'private' END,
       md5('player ' || n %% %(players)s + 1)::uuid, %(options)s, 90, 80, 1, 2,
       CASE WHEN n %% 1000 = 0 THEN upper(lpad(to_hex(n), 6, 'x')) END, '', '', '{}',
       true, now() - n * interval '10 seconds', CASE WHEN n %% 1000 > 0 THEN now() END
FROM generate_series(1, %(sessions)s) n
"""
SEATS = """
INSERT INTO games_seat (session_id, number, kind, player_id, bot_level, total, autoplay, timeouts)
SELECT md5('session ' || n)::uuid, seat, CASE WHEN seat = 0 THEN 'human' ELSE 'bot' END,
       CASE WHEN seat = 0 THEN md5('player ' || n %% %(players)s + 1)::uuid END,
       CASE WHEN seat = 0 THEN '' ELSE 'normal' END, 0, false, 0
FROM generate_series(1, %(sessions)s) n, generate_series(0, 3) seat
"""
MEMBERS = """
INSERT INTO games_member (session_id, player_id, reads, total, removed)
SELECT md5('session ' || n)::uuid, md5('player ' || n %% %(players)s + 1)::uuid, true, 0, false
FROM generate_series(1, %(sessions)s) n
"""
ROUNDS = """
INSERT INTO games_round (session_id, number, status, rules_revision, server_seed, client_seed,
                         deals, players, outcome, move_count, created_at, settled_at)
SELECT md5('session ' || n)::uuid, 1, round.status, round.rules_revision, round.server_seed,
       round.client_seed, round.deals,
       ARRAY[md5('player ' || n %% %(players)s + 1)::uuid, NULL, NULL, NULL], round.outcome,
       round.move_count, now() - n * interval '10 seconds', now()
FROM generate_series(1, %(sessions)s) n, games_round round WHERE round.id = %(round)s
"""
BOOKINGS = """
INSERT INTO scoring_ledgerentry (public_id, player_id, game, kind, scope, amount, balance,
                                 session_id, round_number, seat, reason, created_at)
SELECT gen_random_uuid(), md5('player ' || n %% %(players)s + 1)::uuid, 'big-two-tw', 'settlement',
       'session', n %% 40 - 20, n %% 40 - 20, md5('session ' || n)::uuid, 1, 0, '',
       now() - n * interval '10 seconds'
FROM generate_series(1, %(sessions)s) n
"""
WHO = "player 4711"


def fill(sessions: int, players: int) -> None:
    """One table played by the rules, whose round is then everybody's."""
    import json

    from django.db import connection

    from games.models import Round
    from tests.clients import Api

    table = Api.guest().open_table()
    table.play_round()
    values = {
        "sessions": sessions,
        "players": players,
        "round": Round.objects.get().pk,
        "options": json.dumps(table.row().options),
    }
    with connection.cursor() as cursor:
        # The rows are made to fit each other: nothing is looked up for every single one.
        cursor.execute("SET session_replication_role = replica")
        for sql in (PLAYERS, SESSIONS, SEATS, MEMBERS, ROUNDS, BOOKINGS):
            began = time.perf_counter()
            cursor.execute(sql, values)
            print(f"{cursor.rowcount} rows in {time.perf_counter() - began:.0f} s", flush=True)
        cursor.execute("RESET session_replication_role")
        cursor.execute("VACUUM ANALYZE")


def pages() -> list[tuple[str, str, dict[str, str]]]:
    from django.db import connection

    from games.models import Round, Session
    from scoring.models import LedgerEntry

    with connection.cursor() as cursor:
        cursor.execute("SELECT md5(%s)::uuid, md5('session 4710')::uuid", [WHO])
        player, session = map(str, cursor.fetchone())
    code = Session.objects.filter(join_code__isnull=False).values_list("join_code", flat=True)[3]
    round_id = Round.objects.get(session_id=session).pk
    entry = LedgerEntry.objects.get(session_id=session).pk
    sessions, rounds = "/admin/games/session/", "/admin/games/round/"
    ledger, people = "/admin/scoring/ledgerentry/", "/admin/players/player/"
    found = [
        (url, f"{name}: {what}", query)
        for url, name in (
            (sessions, "sessions"),
            (rounds, "rounds"),
            (ledger, "ledger"),
            (people, "players"),
        )
        for what, query in (
            ("list", {}),
            ("last page", {"p": "20"}),
            ("by id of a player", {"q": player}),
            ("by username", {"q": "player_4710"}),
            ("by a name that begins so", {"q": "Guest 47"}),
            ("of nobody", {"q": "Nobody at all"}),
        )
    ]
    return [
        *found,
        (sessions, "sessions: by id", {"q": session}),
        (rounds, "rounds: by id of the session", {"q": session}),
        (ledger, "ledger: by id of the session", {"q": session}),
        (sessions, "sessions: by code", {"q": code.lower()}),
        (rounds, "rounds: by code", {"q": code}),
        (sessions, "sessions: of one game", {"game": "thirteen"}),
        (sessions, "sessions: waiting (1 in 1000)", {"status__exact": "lobby"}),
        (sessions, "sessions: playing (none)", {"status__exact": "playing"}),
        (sessions, "sessions: public (1 in 50)", {"visibility__exact": "public"}),
        (sessions, "sessions: of a day", {"created_at__gte": "2001-01-01 00:00:00+00:00"}),
        (rounds, "rounds: open (none)", {"status__exact": "open"}),
        (ledger, "ledger: corrections (none)", {"kind__exact": "correction"}),
        (people, "players: not active (none)", {"is_active__exact": "0"}),
        (people, "players: staff (one)", {"is_staff__exact": "1"}),
        (f"{sessions}{session}/change/", "sessions: one form", {}),
        (f"{rounds}{round_id}/change/", "rounds: one board", {}),
        (f"{ledger}{entry}/change/", "ledger: one form", {}),
        (f"{people}{player}/change/", "players: one form", {}),
    ]


def measure(client: Any) -> list[str]:
    """Print a line for each page; what took too long."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    slow = []
    print("| page | worst of 3, s | in PostgreSQL, ms | queries | rows |")
    print("| --- | --- | --- | --- | --- |")
    for url, name, query in pages():
        worst = 0.0
        for _ in range(TIMES):
            began = time.perf_counter()
            answer = client.get(url, query)
            worst = max(worst, time.perf_counter() - began)
            assert answer.status_code == 200, (name, answer.status_code)
        with CaptureQueriesContext(connection) as queries:
            answer = client.get(url, query)
        spent = sum(1000 * float(sql["time"]) for sql in queries)
        counted = [sql["sql"] for sql in queries if "COUNT(" in sql["sql"]]
        assert not counted, counted
        shown = len(answer.context["cl"].result_list) if "cl" in answer.context else 1
        print(f"| {name} | {worst:.3f} | {spent:.1f} | {len(queries)} | {shown} |", flush=True)
        if worst > LIMIT_S:
            slow.append(name)
    return slow


def export(client: Any) -> None:
    """Whole tables as files, and what this process grew by."""
    for url in ("/admin/games/session/", "/admin/games/round/", "/admin/scoring/ledgerentry/"):
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        began = time.perf_counter()
        size = sum(len(chunk) for chunk in client.get(f"{url}export/").streaming_content)
        spent = time.perf_counter() - began
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
        print(f"{url}export/: {size / 1e6:.0f} MB in {spent:.0f} s, {grown:.0f} MiB more memory")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=1_000_000)
    parser.add_argument("--players", type=int, default=50_000)
    arguments = parser.parse_args()
    with migrated_servers(RATE_LIMITS="off"):
        from django.test import Client
        from django.test.utils import setup_test_environment

        from players.models import Player

        setup_test_environment()  # for what a page was made from
        began = time.perf_counter()
        fill(arguments.sessions, arguments.players)
        spent = time.perf_counter() - began
        print(f"{arguments.sessions} sessions, {arguments.players} players, made in {spent:.0f} s")
        client = Client()
        client.force_login(Player.objects.create_superuser("boss", "seven little dragons"))
        slow = measure(client)
        export(client)
        if slow:
            raise SystemExit(f"over {LIMIT_S} s: {', '.join(slow)}")


if __name__ == "__main__":
    main()
