"""Fixtures that start a real `serve` and see that nothing of it survives a test."""

import os
import tempfile
import uuid
from collections.abc import Callable, Generator
from pathlib import Path

import psutil
import psycopg
import pytest

from tests.serve.serve_process import ServeProcess, belongs_to, clean_environment, free_port

StartServe = Callable[..., ServeProcess]


@pytest.fixture(scope="session")
def open_folder() -> Generator[Path]:
    """A temporary folder that PostgreSQL can reach, also when the tests run as root.

    pytest's own temporary folders are closed to other accounts, and each run closes them anew.
    """
    with tempfile.TemporaryDirectory(prefix="serve-tests-", ignore_cleanup_errors=True) as name:
        folder = Path(name).resolve()
        folder.chmod(0o711)
        yield folder


@pytest.fixture(scope="module")
def start_serve(open_folder: Path) -> Generator[StartServe]:
    """A function that starts `serve`, by default on a new data folder and a free port."""
    started: list[ServeProcess] = []

    def start(
        data_dir: Path | None = None, port: int | None = None, **variables: str
    ) -> ServeProcess:
        number = len(list(open_folder.glob("*.log")))
        data_dir = data_dir or open_folder / f"data-{number}"
        serve = ServeProcess(
            data_dir,
            port or free_port(),
            open_folder / f"serve-{number}.log",
            clean_environment(**variables),
        )
        started.append(serve)
        return serve

    yield start
    for serve in started:
        if serve.process.poll() is None:
            serve.stop()
        for process in belongs_to(serve.data_dir):
            try:
                process.kill()
            except psutil.Error:
                continue


@pytest.fixture
def own_database() -> Generator[dict[str, str]]:
    """A database and a Redis number beside those of the test run, as URLs."""
    server, _, _ = os.environ["DATABASE_URL"].rpartition("/")
    name = f"serve_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        redis_url = os.environ["REDIS_URL"].rpartition("/")[0] + "/9"
        yield {"DATABASE_URL": f"{server}/{name}", "REDIS_URL": redis_url}
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
