"""Rows that belong to the service as a whole."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class StoredAnswer(models.Model):
    """The first answer to a request with an `Idempotency-Key`."""

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    key = models.CharField(max_length=255)
    fingerprint = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField()
    content_type = models.CharField(max_length=100)
    body = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("player", "key"), name="one_answer_per_key"),
        )

    def __str__(self) -> str:
        return f"{self.key}: {self.status}"


class WorkerHeartbeat(models.Model):
    """One row: when a worker last did the periodic task that beat sends."""

    at = models.DateTimeField()

    def __str__(self) -> str:
        return str(self.at)
