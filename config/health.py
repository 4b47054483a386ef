"""For whoever runs the service: is it alive, and can it do its work?"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import redis
import structlog
from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from config.models import WorkerHeartbeat

logger = structlog.get_logger(__name__)

HEARTBEAT_FRESH = timedelta(seconds=30)


@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """Alive: this process answers."""
    return JsonResponse({"status": "ok"})


@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """Ready: database, broker and a worker, each with its state; 503 when one is down."""
    checks: dict[str, Callable[[], str]] = {
        "database": _database,
        "broker": _broker,
        "worker": _worker,
    }
    parts = {name: check() for name, check in checks.items()}
    ready = all(state == "ok" for state in parts.values())
    body = {"status": "ok" if ready else "unavailable", "parts": parts}
    return JsonResponse(body, status=200 if ready else 503)


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError as error:
        logger.warning("database out of reach", reason=str(error))
        return "down"
    return "ok"


def _broker() -> str:
    try:
        client = redis.Redis.from_url(
            settings.REDIS_URL, socket_timeout=1, socket_connect_timeout=1
        )
        with client:
            client.ping()
    except redis.RedisError as error:
        logger.warning("broker out of reach", reason=str(error))
        return "down"
    return "ok"


def _worker() -> str:
    """A worker has done the heartbeat's task lately, so broker, beat and worker are all at work."""
    try:
        beat = WorkerHeartbeat.objects.first()
    except DatabaseError:
        return "unknown"
    fresh = beat is not None and beat.at > timezone.now() - HEARTBEAT_FRESH
    return "ok" if fresh else "no recent heartbeat"
