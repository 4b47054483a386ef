"""Housekeeping of the scores."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from scoring.services.marking import boards_mark


@shared_task
def mark_boards() -> int:
    """Keep the ranks of large boards quick to tell."""
    return boards_mark(now=timezone.now())
