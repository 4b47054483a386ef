"""The Celery application: `celery -A config worker`, `celery -A config beat`."""

from __future__ import annotations

import os
from typing import Any

from celery import Celery
from celery.signals import worker_ready

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("config")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_ready.connect
def send_first_heartbeat(**signal: Any) -> None:
    """Let `readyz` see a new worker at once, before beat first asks; Celery logs a failure."""
    app.send_task("config.tasks.note_heartbeat")
