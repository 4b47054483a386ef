"""Event streams under load: how many one process holds, and how soon an event is with its viewers.

    python -m tests.benchmarks.bench_streams [--idle 1000] [--tables 50] [--seconds 20]

The service runs in processes as in production (web under WSGI, streams under ASGI, a worker, beat)
on one PostgreSQL and one Redis (DATABASE_URL and REDIS_URL where given, else private ones). Client
and servers share the machine, so the latencies are upper bounds.

1. So many idle streams are opened; then memory, processor time, threads and database connections of
   the one process that holds them.
2. At so many tables four people play, each with an open stream, while the idle ones stay open; for
   each move the time from sending it until all four have its event.
3. As many streams are opened and dropped; connections before and after.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import statistics
import sys
import time
from collections.abc import Iterator
from typing import Any

import psutil
import psycopg
import redis

from tests.benchmarks.surroundings import migrated_servers, process
from tests.serve.serve_process import free_port

STREAMS_PER_GUEST = 8
THINKING_SECONDS = 0.6
Json = dict[str, Any]


class Caller:
    """A guest's app: calls over one connection that is kept, and streams."""

    def __init__(self, web: int, streams: int) -> None:
        self._web, self._streams = web, streams
        self._token = ""
        self._called_at = 0.0
        self._connection: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def sign_in(self) -> Caller:
        self._token = (await self.call("POST", "players/guest/", {}))["token"]
        return self

    def _head(self, method: str, path: str, *more: str) -> bytes:
        lines = [f"{method} /api/v1/{path} HTTP/1.1", "Host: localhost", *more]
        if self._token:
            lines.append(f"Authorization: Bearer {self._token}")
        return "\r\n".join([*lines, "", ""]).encode()

    async def call(self, method: str, path: str, body: Json | None = None) -> Json:
        # The server closes what has been silent for long.
        if self._connection is None or time.perf_counter() - self._called_at > 5:
            if self._connection is not None:
                self._connection[1].close()
            self._connection = await asyncio.open_connection("127.0.0.1", self._web)
        self._called_at = time.perf_counter()
        reader, writer = self._connection
        sent = b"" if body is None else json.dumps(body).encode()
        lines = (f"Content-Length: {len(sent)}", "Content-Type: application/json")
        writer.write(self._head(method, path, *lines) + sent)
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        length = int(head.split("content-length: ")[1].split("\r\n")[0])
        answer: Json = json.loads(await reader.readexactly(length))
        status = int(head.split()[1])
        if status >= 400:
            raise RuntimeError(f"{method} {path}: {status} {answer}")
        return answer

    async def stream(self, session_id: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """An open stream, with its first event read."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self._streams, limit=2**20)
        writer.write(self._head("GET", f"sessions/{session_id}/events/"))
        head = await reader.readuntil(b"\r\n\r\n")
        if b" 200 " not in head.split(b"\r\n")[0]:
            raise RuntimeError(head.decode())
        await reader.readuntil(b"data: ")
        await reader.readuntil(b"\n\n")
        return reader, writer


class Table:
    """Four people who play one round after the other, and when each of them heard of what."""

    def __init__(self) -> None:
        self.people: list[Caller] = []
        self.id = ""
        self.states: asyncio.Queue[Json] = asyncio.Queue()
        self.heard: dict[int, list[float]] = {}
        self.sent: dict[int, tuple[float, float]] = {}

    async def open(self, web: int, streams: int) -> None:
        self.people = [await Caller(web, streams).sign_in() for _ in range(4)]
        host = self.people[0]
        body = {"game": "big-two-tw", "seats": [{"kind": "open"}] * 3, "start": False}
        session = await host.call("POST", "sessions/", body)
        self.id = session["id"]
        for guest in self.people[1:]:
            await guest.call("POST", "sessions/join/", {"code": session["join_code"]})

    async def listen(self, seat: int) -> None:
        reader, writer = await self.people[seat].stream(self.id)
        with contextlib.closing(writer):
            while True:
                line = await reader.readline()
                if line.startswith(b"data: "):
                    at = time.perf_counter()
                    event = json.loads(line[6:])
                    self.heard.setdefault(event["version"], []).append(at)
                    if seat == 0 and "state" in event:
                        self.states.put_nowait(event["state"])

    async def play(self, ends_at: float) -> None:
        await self.people[0].call("POST", f"sessions/{self.id}/start/", {})
        while time.perf_counter() < ends_at:
            state = await self.states.get()
            while not self.states.empty():
                state = self.states.get_nowait()
            if state["status"] == "between_rounds":
                await self.people[0].call("POST", f"sessions/{self.id}/rounds/", {})
                continue
            await asyncio.sleep(THINKING_SECONDS)
            actor = self.people[state["to_act"][0]]
            plays = (await actor.call("GET", f"sessions/{self.id}/legal-plays/"))["plays"]
            move: Json = {"type": "play", **plays[0]} if plays else {"type": "pass"}
            sent_at = time.perf_counter()
            answer = await actor.call("POST", f"sessions/{self.id}/moves/", move)
            self.sent[answer["state"]["version"]] = (sent_at, time.perf_counter())


def row(name: str, values: list[float]) -> str:
    p99 = statistics.quantiles(values, n=100)[98] * 1000
    return (
        f"{name}: median {statistics.median(values) * 1000:.1f} ms, p99 {p99:.1f} ms,"
        f" max {max(values) * 1000:.1f} ms"
    )


def connections() -> str:
    with psycopg.connect(os.environ["DATABASE_URL"]) as own:
        query = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'streams'"
        found = own.execute(query).fetchone()
    from games.broadcast import CHANNEL

    client = redis.Redis.from_url(os.environ["REDIS_URL"])
    subscribed = client.execute_command("PUBSUB", "NUMSUB", CHANNEL)[1]
    return f"{found[0] if found else '?'} connections to PostgreSQL, {subscribed} subscription"


class Holder:
    """The one process that holds the streams."""

    def __init__(self, pid: int) -> None:
        parent = psutil.Process(pid)
        self._process = max(
            [parent, *parent.children(recursive=True)], key=lambda one: one.memory_info().rss
        )

    def megabytes(self) -> float:
        return float(self._process.memory_info().rss) / 2**20

    def processor_seconds(self) -> float:
        times = self._process.cpu_times()
        return float(times.user + times.system)

    def told(self) -> str:
        return f"{self._process.num_threads()} threads, {self._process.num_fds()} open files"


async def idle_streams(count: int, web: int, streams: int) -> list[asyncio.StreamWriter]:
    opened: list[asyncio.StreamWriter] = []
    for _ in range(0, count, STREAMS_PER_GUEST):
        guest = await Caller(web, streams).sign_in()
        body = {"game": "big-two-tw", "seats": [{"kind": "open"}] * 3, "start": False}
        session = await guest.call("POST", "sessions/", body)
        some = min(STREAMS_PER_GUEST, count - len(opened))
        pairs = await asyncio.gather(*(guest.stream(session["id"]) for _ in range(some)))
        opened += [writer for _, writer in pairs]
    return opened


async def measure(arguments: argparse.Namespace, web: int, streams: int, pid: int) -> None:
    holder = Holder(pid)
    (await idle_streams(8, web, streams))[0].close()
    memory = holder.megabytes()
    print(f"before: {memory:.0f} MB, {holder.told()}; {connections()}")
    began = time.perf_counter()
    idle = await idle_streams(arguments.idle, web, streams)
    took = time.perf_counter() - began
    print(f"{len(idle)} idle streams opened in {took:.1f} s (with their guests and tables)")
    used, began = holder.processor_seconds(), time.perf_counter()
    await asyncio.sleep(20)
    busy = (holder.processor_seconds() - used) / (time.perf_counter() - began)
    each = (holder.megabytes() - memory) / len(idle) * 1024
    print(
        f"idle: {holder.megabytes():.0f} MB ({each:.0f} kB a stream), {busy:.1%} of a core,"
        f" {holder.told()}; {connections()}"
    )
    await measure_playing(arguments, web, streams, holder)
    for writer in idle:
        writer.close()
    await asyncio.sleep(3)
    print(f"all closed: {holder.told()}; {connections()}")
    for _ in range(arguments.idle // 100):
        for writer in await idle_streams(100, web, streams):
            writer.close()
    await asyncio.sleep(3)
    print(
        f"{arguments.idle} more opened and dropped: {holder.megabytes():.0f} MB,"
        f" {holder.told()}; {connections()}"
    )


async def measure_playing(
    arguments: argparse.Namespace, web: int, streams: int, holder: Holder
) -> None:
    tables = [Table() for _ in range(arguments.tables)]
    for table in tables:
        await table.open(web, streams)
    listeners = [asyncio.create_task(t.listen(seat)) for t in tables for seat in range(4)]
    await asyncio.sleep(2)
    used, began = holder.processor_seconds(), time.perf_counter()
    ends_at = began + arguments.seconds
    await asyncio.gather(*(table.play(ends_at) for table in tables))
    busy = (holder.processor_seconds() - used) / (time.perf_counter() - began)
    await asyncio.sleep(2)
    for listener in listeners:
        listener.cancel()
    await asyncio.gather(*listeners, return_exceptions=True)
    moves = [(t.sent[v], t.heard.get(v, [])) for t in tables for v in t.sent]
    if any(len(heard) != 4 for _, heard in moves):
        sys.exit("an event did not reach all four")
    print(
        f"{len(moves)} moves at {len(tables)} tables, {len(moves) / arguments.seconds:.0f}/s,"
        f" {busy:.1%} of a core"
    )
    print(row("from sending a move to its event at all four", [max(h) - s for (s, _), h in moves]))
    from_answer = [max(0.0, max(heard) - answered) for (_, answered), heard in moves]
    print(row("from its answer to its event at all four", from_answer) + "   bar: p99 250 ms")


@contextlib.contextmanager
def service() -> Iterator[tuple[int, int, int]]:
    """The ports of web and streams, and the process of the streams."""
    web, streams = free_port(), free_port()
    granian = (
        *(sys.executable, "-m", "granian", "--no-ws", "--workers", "1"),
        *("--workers-kill-timeout", "3"),
    )
    celery = (sys.executable, "-W", "ignore", "-m", "celery", "-A", "config")
    with contextlib.ExitStack() as stack:
        stack.enter_context(
            process(
                *granian,
                "--interface",
                "wsgi",
                "--blocking-threads",
                "4",
                "--port",
                str(web),
                "config.wsgi:application",
            )
        )
        asgi = ("--interface", "asginl", "--port", str(streams), "--backlog", "2048")
        url = os.environ["DATABASE_URL"]
        os.environ["DATABASE_URL"] = url + ("&" if "?" in url else "?") + "application_name=streams"
        holding = stack.enter_context(process(*granian, *asgi, "config.asgi:streams"))
        os.environ["DATABASE_URL"] = url
        stack.enter_context(process(*celery, "worker", "--concurrency", "1"))
        time.sleep(8)
        yield web, streams, holding.pid


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--idle", type=int, default=1000)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=20.0)
    arguments = parser.parse_args()
    with migrated_servers(RATE_LIMITS="off"), service() as (web, streams, pid):
        asyncio.run(measure(arguments, web, streams, pid))


if __name__ == "__main__":
    main()
