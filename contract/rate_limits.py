"""How often a client may call, by kind of call (settings: RATE_LIMITS, RATE_LIMIT_<KIND>).

| kind | counts | by |
| --- | --- | --- |
| `reads`, `changes` | calls with a token: GET, or all other methods | player |
| `tables` | new tables: `sessions/`, `quick-join/` | player |
| `streams` | openings of an event stream or a long poll | player |
| `anonymous` | calls without a token | address |
| `guest`, `register` | `players/guest/`, `players/register/` | address |
| `login_by_address`, `login_by_username` | wrong passwords | address, username |
| `admin_login` | wrong passwords at the admin's door | address |
| `code_by_address`, `code_by_player` | join codes that are none | address, player |

A view may name another kind with `rate_limit`, for all its methods or by method (`moves/preview/`
is one of `reads`). Counters lie in Redis (a sliding window each, one atomic round trip a call)
under a keyed digest of whom they count, so that Redis holds neither addresses nor names. A repeat
that `Idempotency-Key` answers never reaches the view: it is not counted, and not refused. A refused
call keeps no key.

Guesses are counted once they have turned out wrong, so that who plays rightly shares no limit with
who guesses; calls under way at that moment come on top. Of the 23^6 (1.5e8) join codes, 30 wrong
ones in 10 minutes are 4,320 a day and address: one certain table takes 47 years on average, and
with 1,000 tables waiting it takes a month to sit down at any one, from which its host can remove
the guesser. A username takes 1,440 passwords a day; who keeps it busy keeps its owner from logging
in, but ends no token.

While Redis is away (one slow try, then two seconds without any):

- `guest`, `register` and all kinds of guesses are counted by each process on its own. That is
  weaker by the number of processes, never stricter, and guessing stays hopeless.
- `reads`, `changes`, `tables`, `streams` and `anonymous` are not limited. They keep a client that
  has gone wild from the others, which no one abuses in seconds, and play must go on.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any, Final

import structlog
from django.conf import settings
from django.utils.crypto import salted_hmac
from limits import RateLimitItem
from limits.storage import MemoryStorage, RedisStorage
from limits.strategies import RateLimiter, SlidingWindowCounterRateLimiter
from redis.exceptions import RedisError
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from contract.addresses import client_network
from contract.errors import Refusal
from contract.outage import Outage

logger = structlog.get_logger(__name__)

KEY_PREFIX: Final = "limit"
REDIS_SECONDS: Final = 0.5
COUNTED_WITHOUT_REDIS: Final = frozenset(
    {
        "guest",
        "register",
        "login_by_address",
        "login_by_username",
        "admin_login",
        "code_by_address",
        "code_by_player",
    }
)

_outage = Outage(seconds=2.0)


class RateLimited(Refusal):
    """Too many calls of one kind. Facts: `kind`, `limit`, `window_ms`, `retry_after_ms`.

    `wait` is the time in seconds after which one more call is let through.
    """

    code = "rate_limited"

    def __init__(self, *, kind: str, rate: RateLimitItem, wait: float) -> None:
        super().__init__(
            kind=kind,
            limit=rate.amount,
            window_ms=rate.get_expiry() * 1000,
            retry_after_ms=math.ceil(wait * 1000),
        )
        self.wait = wait


class CallRate(BaseThrottle):
    """Counts every call of the API by its kind; a view that is asked again for a request, once.

    Who makes another request object of the same request sets its `rate_counted`.
    """

    def allow_request(self, request: Request, view: Any) -> bool:
        """True. Raises RateLimited."""
        sent: Any = request._request
        if not getattr(sent, "rate_counted", False):
            sent.rate_counted = True
            call_count(
                kind=_kind_of(request, view),
                subject=str(request.user.pk) if request.user else client_network(request),
            )
        return True


def _kind_of(request: Request, view: Any) -> str:
    named = getattr(view, "rate_limit", None)
    if isinstance(named, Mapping):
        named = named.get(request.method)
    if named:
        return str(named)
    if not request.user:
        return "anonymous"
    return "reads" if request.method in SAFE_METHODS else "changes"


def call_count(*, kind: str, subject: str) -> None:
    """Count one call. Raises RateLimited, and then does not count it."""
    _require(kind, subject, lambda counters, *key: counters.hit(*key))


@contextmanager
def guesses_counted(wrong: type[Exception], **subjects: str) -> Iterator[None]:
    """Count the block as a wrong guess if it ends in `wrong`; the kinds' subjects by kind.

    Raises RateLimited, without running the block, if there have been too many.
    """
    for kind, subject in subjects.items():
        _require(kind, subject, lambda counters, *key: counters.test(*key))
    try:
        yield
    except wrong:
        for kind, subject in subjects.items():
            _ask(kind, subject, lambda counters, *key: counters.hit(*key))
        raise


# --- the counters -------------------------------------------------------------------------------

Question = Callable[..., Any]


def _require(kind: str, subject: str, question: Question) -> None:
    """Raise RateLimited unless the answer is yes."""
    if _ask(kind, subject, question) is not False:
        return
    logger.info("rate limited", kind=kind)
    window = _ask(kind, subject, lambda counters, *key: counters.get_window_stats(*key))
    wait = window.reset_time - time.time() if window else 0.0
    raise RateLimited(kind=kind, rate=settings.RATE_LIMIT_RATES[kind], wait=max(wait, 0.001))


def _ask(kind: str, subject: str, question: Question) -> Any:
    """The counters' answer to the question about one of them; None where nobody counts."""
    if not settings.RATE_LIMITS:
        return None
    rate = settings.RATE_LIMIT_RATES[kind]
    digest = salted_hmac(__name__, subject, algorithm="sha256").hexdigest()
    if not _outage.lasts():
        try:
            return question(_shared_counters(settings.REDIS_URL), rate, kind, digest)
        except RedisError as error:
            _outage.begin()
            logger.warning("no shared rate limits", reason=str(error))
    if kind in COUNTED_WITHOUT_REDIS:
        return question(_own_counters(), rate, kind, digest)
    return None


@cache
def _shared_counters(url: str) -> RateLimiter:
    return SlidingWindowCounterRateLimiter(
        RedisStorage(
            url,
            key_prefix=KEY_PREFIX,
            socket_timeout=REDIS_SECONDS,
            socket_connect_timeout=REDIS_SECONDS,
        )
    )


@cache
def _own_counters() -> RateLimiter:
    return SlidingWindowCounterRateLimiter(MemoryStorage())
