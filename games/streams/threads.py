"""The database from asyncio: a few threads of a process's own.

Each keeps one connection, so that a thousand who wait need no more connections than ten.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.db import close_old_connections

T = TypeVar("T")

database_threads = ThreadPoolExecutor(max_workers=4, thread_name_prefix="waiting-db")


async def in_database_thread(function: Callable[[], T]) -> T:
    """What the function returns, run where it may use the database."""
    return await asyncio.get_running_loop().run_in_executor(
        database_threads, _with_usable_connection, function
    )


def _with_usable_connection(function: Callable[[], T]) -> T:
    close_old_connections()
    try:
        return function()
    finally:
        close_old_connections()
