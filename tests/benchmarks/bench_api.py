"""Requests per second and latencies of the API, beside the least that they could cost.

    python -m tests.benchmarks.bench_api [--seconds 4] [--sessions 400]

One run on one PostgreSQL (DATABASE_URL and REDIS_URL where given, else private ones), under
`granian --interface wsgi` with two workers, as the README recommends for production. The figures
are for ratios within a run: client and server share the machine.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import statistics
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import redis

from config.rate_limit_settings import RATES
from tests.benchmarks.surroundings import migrated_servers, process
from tests.serve.serve_process import free_port

CONNECTIONS = 4
UNREACHABLE = "1000000/second"
SLICES = 5


class Kind:
    """One kind of request: how the next one is made, what is to be answered, what it took."""

    def __init__(self, name: str, next_request: Callable[[], Any], expected: int) -> None:
        self.name, self.next_request, self.expected = name, next_request, expected
        self.latencies: list[float] = []
        self.took = 0.0

    @property
    def rate(self) -> float:
        return len(self.latencies) / self.took

    def row(self) -> str:
        median = statistics.median(self.latencies) * 1000
        p99 = statistics.quantiles(self.latencies, n=100)[98] * 1000
        return (
            f"{self.name:<26} {self.rate:7.0f}/s   median {median:6.2f} ms   p99 {p99:6.2f} ms"
            f"   {len(self.latencies)} requests"
        )

    def load(self, port: int, seconds: float) -> None:
        """Send requests from a few connections until the time or the requests run out."""
        lock = threading.Lock()
        started_at = time.perf_counter()
        ends_at = started_at + seconds
        wrong: list[int] = []

        def client() -> None:
            connection = http.client.HTTPConnection("127.0.0.1", port)
            own: list[float] = []
            while time.perf_counter() < ends_at:
                with lock:
                    request = self.next_request()
                if request is None:
                    break
                method, path, body, headers = request
                sent_at = time.perf_counter()
                connection.request(method, path, body, headers)
                response = connection.getresponse()
                response.read()
                own.append(time.perf_counter() - sent_at)
                if response.status != self.expected:
                    wrong.append(response.status)
            with lock:
                self.latencies.extend(own)

        threads = [threading.Thread(target=client) for _ in range(CONNECTIONS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.took += time.perf_counter() - started_at
        if wrong:
            sys.exit(f"{self.name}: {wrong[0]} instead of {self.expected}")


def prepare(sessions: int) -> tuple[str, list[tuple[str, dict[str, Any]]]]:
    """A player's token, and sessions in which that player is to act, each with a move to make."""
    from bots.services import bot_turn_play
    from games.models import Visibility
    from games.rules.registry import VARIANTS
    from games.selectors.plays import legal_plays
    from games.selectors.states import state_get
    from games.selectors.tables import table_get
    from games.services.options import options_complete
    from games.services.sessions import SeatPlan, session_create
    from players.services import guest_create

    login = guest_create(device_name="benchmark", language="en")
    player_id = login.player.pk
    info = VARIANTS["big-two-tw"].info
    options = options_complete(info, {"bot_delay_ms": 0})
    ready = []
    for _ in range(sessions):
        table = session_create(
            host_id=player_id,
            game=info.slug,
            options=options,
            seats=[SeatPlan.host(), *[SeatPlan.bot("normal")] * 3],
            visibility=Visibility.PRIVATE,
            start=True,
        )
        session_id = table.session.id
        while True:
            table = table_get(session_id=session_id, player_id=player_id)
            state = state_get(table)
            if state["to_act"] == [0]:
                break
            bot_turn_play(session_id=session_id, turn=state["turn"], seat=state["to_act"][0])
        plays = legal_plays(table)["plays"]
        move = {"type": "play", "cards": plays[0]["cards"]} if plays else {"type": "pass"}
        ready.append((str(session_id), {**move, "turn": state["turn"]}))
    return login.token, ready


def measure(port: int, seconds: float, sessions: int) -> None:
    """All kinds in turn, in short slices, so that a drift of the machine meets all alike."""
    token, ready = prepare(sessions)
    bearer = {"Authorization": f"Bearer {token}"}
    posting = {**bearer, "Content-Type": "application/json"}
    # No move is made there, so its version stays.
    state_path = f"/api/v1/sessions/{ready.pop()[0]}/state/"
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("GET", state_path, headers=bearer)
    etag = connection.getresponse().getheader("ETag")
    assert etag
    numbers = iter(range(10**9))
    moves = iter(ready)

    def floor() -> Any:
        number = next(numbers)
        target = ready[number % len(ready)][0]
        return "POST", f"/bench/floor/{target}/", json.dumps({"number": number}), posting

    def move() -> Any:
        found = next(moves, None)
        if found is None:
            return None
        target, body = found
        return "POST", f"/api/v1/sessions/{target}/moves/", json.dumps(body), posting

    def get(path: str, headers: dict[str, str]) -> Callable[[], Any]:
        return lambda: ("GET", path, None, headers)

    Kind("warm-up", get(state_path, bearer), 200).load(port, 1)
    Kind("warm-up", floor, 201).load(port, 1)
    kinds = {
        "a": Kind("(a) empty view", get("/bench/empty/", {}), 200),
        "token": Kind("    empty view with token", get("/bench/authenticated/", bearer), 200),
        "b": Kind("(b) floor of a write", floor, 201),
        "c": Kind("(c) POST moves/", move, 201),
        "200": Kind("(d) GET state/ 200", get(state_path, bearer), 200),
        "304": Kind("(d) GET state/ 304", get(state_path, {**bearer, "If-None-Match": etag}), 304),
    }
    for _ in range(SLICES):
        for kind in kinds.values():
            kind.load(port, seconds / SLICES)
    for kind in kinds.values():
        print(kind.row())
    if next(moves, None) is None:
        sys.exit("the moves ran out: more --sessions are needed")
    print(f"(c) / (b)                 {kinds['c'].rate / kinds['b'].rate:.2f}   bar 0.60")
    print(f"304 / empty with token    {kinds['304'].rate / kinds['token'].rate:.2f}   bar 0.70")


def measure_bots(sessions: int) -> None:
    """From a stored move to the stored answer of the bot, with a real worker and no delay."""
    from django.utils import timezone

    from games.models import Move
    from games.rules.moves import Pass, Play, move_from_json
    from games.selectors.tables import table_for_service
    from games.services.moves import move_submit

    _, ready = prepare(sessions)
    waits: list[float] = []
    missed = 0
    for session_id, body in ready:
        table = table_for_service(session_id=session_id)  # type: ignore[arg-type]
        assert table
        move = move_from_json(body)
        assert isinstance(move, Play | Pass)
        submitted = move_submit(
            session_id=table.session.id,
            player_id=table.session.host_id,
            move=move,
            turn=body["turn"],
        )
        gives_up_at = timezone.now().timestamp() + 2
        while timezone.now().timestamp() < gives_up_at:
            answer = Move.objects.filter(
                round_id=submitted.live.round_id, number=submitted.move.number + 1
            ).first()
            if answer or submitted.table.session.status != "playing":
                break
            time.sleep(0.002)
        if answer:
            waits.append((answer.created_at - submitted.move.created_at).total_seconds() * 1000)
        elif submitted.table.session.status == "playing":
            missed += 1
            if missed > 5:
                sys.exit("the bots do not answer")
        time.sleep(0.05)  # the other bots play on; their work is not what is measured
    p99 = statistics.quantiles(waits, n=100)[98]
    print(
        f"bot's answer after a move: median {statistics.median(waits):.1f} ms, p99 {p99:.1f} ms,"
        f" {len(waits)} moves   bar: median 60 ms"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--sessions", type=int, default=1000)
    arguments = parser.parse_args()
    # As in production every call is counted, but nobody is refused.
    limits = {f"RATE_LIMIT_{kind.upper()}": UNREACHABLE for kind in RATES}
    with migrated_servers(RATE_LIMITS=os.environ.get("RATE_LIMITS", "on"), **limits):
        port = free_port()
        granian = ("granian", "--interface", "wsgi", "--workers", "2", "--port", str(port))
        with process(sys.executable, "-m", *granian, "tests.benchmarks.wsgi:application"):
            time.sleep(4)
            measure(port, arguments.seconds, arguments.sessions)
        # What the moves above asked of bots is not to be answered now.
        redis.Redis.from_url(os.environ["REDIS_URL"]).flushdb()
        worker = ("celery", "-A", "config", "worker", "--concurrency", "2", "-l", "WARNING")
        with process(sys.executable, "-m", *worker, "--without-gossip", "--without-mingle"):
            time.sleep(5)
            measure_bots(60)


if __name__ == "__main__":
    main()
