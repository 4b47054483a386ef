"""Housekeeping of the service as a whole."""

from __future__ import annotations

from datetime import timedelta

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from config.models import StoredAnswer, WorkerHeartbeat


@shared_task
def forget_old_answers() -> int:
    """Delete stored answers past their time; how many went."""
    limit = timezone.now() - timedelta(hours=settings.IDEMPOTENCY_HOURS)
    deleted, _ = StoredAnswer.objects.filter(created_at__lt=limit).delete()
    return deleted


@shared_task
def note_heartbeat() -> None:
    """Say that beat, broker and a worker are at work; `readyz` reads it."""
    WorkerHeartbeat.objects.update_or_create(pk=1, defaults={"at": timezone.now()})
