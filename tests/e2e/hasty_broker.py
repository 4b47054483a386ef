"""The service's Celery, where the broker hands out again what a worker has held for 2 s.

Its workers print each task that they get, and what came of it.
"""

from __future__ import annotations

from typing import Any

from celery.signals import task_postrun, task_received

from config.celery import app

app.conf.broker_transport_options = {**app.conf.broker_transport_options, "visibility_timeout": 2}


@task_received.connect
def print_received(request: Any, **_: Any) -> None:
    print(f"received {request.id}", flush=True)


@task_postrun.connect
def print_result(task_id: str, retval: Any, **_: Any) -> None:
    print(f"done {task_id}: {retval}", flush=True)
