"""`serve` says that it is ready when its database, its broker and its own worker are at work."""

import io
import os
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
from pytest_django.plugin import DjangoDbBlocker

from config.serving import Address, Service
from tests.serve.serve_process import STARTS_WITHIN, clean_environment, free_port

BREAKS_PROGRAMS = """
import os, pathlib, sys
broken = pathlib.Path(__file__).with_name("broken").read_text().split()
if set(broken) & set(sys.orig_argv):
    print("planted: cannot start")
    sys.stdout.flush()
    os._exit(1)
"""


@pytest.fixture
def broken(
    open_folder: Path, own_database: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> Path:
    """A file: the programs that it names end as soon as they start. The service runs beside it."""
    for name in set(os.environ) - set(clean_environment()):
        monkeypatch.delenv(name)
    folder = open_folder / "planted"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(BREAKS_PROGRAMS)
    for name, value in {**own_database, "PYTHONPATH": str(folder)}.items():
        monkeypatch.setenv(name, value)
    return folder / "broken"


@contextmanager
def service_starting(data_dir: Path) -> Generator[Callable[[str], str]]:
    """A service that starts; yields a function that waits for words and returns the log."""
    out = io.StringIO()
    service = Service(Address("127.0.0.1", free_port()), data_dir, out)
    thread = threading.Thread(target=service.start)

    def wait_for(words: str) -> str:
        deadline = time.monotonic() + STARTS_WITHIN
        while words not in out.getvalue():
            assert time.monotonic() < deadline, out.getvalue()
            time.sleep(0.05)
        return out.getvalue()

    thread.start()
    try:
        yield wait_for
    finally:
        service.stop_requested()
        thread.join()
        service.stop()


def test_ready_needs_a_worker_of_this_run_and_nothing_else_from_beat(
    broken: Path,
    open_folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    django_db_blocker: DjangoDbBlocker,
) -> None:
    monkeypatch.setattr("config.serving.SAY_NOT_READY_AFTER", 4.0)
    data_dir = open_folder / "ready"
    with django_db_blocker.unblock():
        broken.write_text("beat")
        with service_starting(data_dir) as wait_for:
            log = wait_for("Ready after ")
            assert "/readyz 503" not in log, "its own asking"
            assert "Service Unavailable" not in log, "its own asking"

        broken.write_text("beat worker")
        with service_starting(data_dir) as wait_for:
            log = wait_for("Not ready yet: worker: no recent heartbeat; see the lines above")
            assert "serve   | worker ended with status 1; started again in 2 s" in log
            assert "Ready after " not in log
            broken.write_text("")
            wait_for("Ready after ")
