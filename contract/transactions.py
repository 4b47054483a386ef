"""The transaction of a whole change, done again where PostgreSQL gave it up for another's sake.

Locks are taken in one order: a request's key; a game's queue for quick-join; sessions, by id, and
a rematch after the session that it follows; standings, by player; a player's row last. So a
deadlock should not be; where one is met all the same, nobody hears of it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Final, ParamSpec, TypeVar

import structlog
from django.db import OperationalError, connection, transaction
from psycopg.errors import DeadlockDetected, SerializationFailure

logger = structlog.get_logger(__name__)

P = ParamSpec("P")
R = TypeVar("R")

TRIES: Final = 4


def was_given_up(error: BaseException) -> bool:
    """Whether the same transaction may well succeed now: a deadlock, or a serialization failure."""
    return isinstance(error.__cause__, DeadlockDetected | SerializationFailure)


def atomic_retried(function: Callable[P, R]) -> Callable[P, R]:
    """As `transaction.atomic`; tried a few times where it is the outermost transaction.

    Inside another one it is a part of that, which is undone and tried as a whole: what was read
    before the part may be wrong by now. So the function must change nothing but the database, and
    leave the rest to `transaction.on_commit`. Raises the last OperationalError.
    """
    once = transaction.atomic(function)

    @wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        tries_before_the_last = 0 if connection.in_atomic_block else TRIES - 1
        for _ in range(tries_before_the_last):
            try:
                return once(*args, **kwargs)
            except OperationalError as error:
                if not was_given_up(error):
                    raise
                logger.warning("transaction done again", reason=str(error.__cause__))
        return once(*args, **kwargs)

    return run
