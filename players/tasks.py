"""Housekeeping of players."""

from __future__ import annotations

from celery import shared_task

from players.services import device_forget_expired


@shared_task
def forget_expired_tokens() -> int:
    """Delete tokens past their expiry; how many went."""
    return device_forget_expired()
