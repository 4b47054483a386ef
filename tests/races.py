"""Several things at the same moment, each on a database connection of its own."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper

R = TypeVar("R")

PATIENCE = 60.0

WAITING = """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'
"""


def at_once(*calls: Callable[[], R]) -> list[R]:
    """What calls give that start together. Raises what the first of them that failed raised."""
    start = threading.Barrier(len(calls))

    def run(call: Callable[[], R]) -> R:
        start.wait(PATIENCE)
        return call()

    with in_threads(len(calls)) as begin:
        futures = [begin(lambda call=call: run(call)) for call in calls]
    return [future.result() for future in futures]


@contextmanager
def in_threads(number: int) -> Iterator[Callable[[Callable[[], R]], Future[R]]]:
    """A function that begins a call in another thread; at the end, all of them have ended."""

    def closing(call: Callable[[], R]) -> R:
        try:
            return call()
        finally:
            connection.close()

    with ThreadPoolExecutor(number) as threads:
        yield lambda call: threads.submit(closing, call)


@contextmanager
def another_transaction() -> Iterator[Callable[..., Any]]:
    """A function that runs SQL in a transaction beside the test's own, committed at the end.

    It never is the one that PostgreSQL gives up in a deadlock.
    """
    other: BaseDatabaseWrapper = connection.copy()
    try:
        other.set_autocommit(False)
        with other.cursor() as cursor:
            cursor.execute("SET LOCAL deadlock_timeout = '1min'")
            yield cursor.execute
        other.commit()
    finally:
        other.close()


def wait_for_waiting(number: int) -> None:
    """Until so many of this database's connections wait for a lock."""
    deadline = time.monotonic() + PATIENCE
    while True:
        with connection.cursor() as cursor:
            cursor.execute(WAITING)
            [waiting] = cursor.fetchone()
        if waiting == number:
            return
        assert time.monotonic() < deadline, f"{waiting} wait for a lock, not {number}"
        time.sleep(0.02)
