"""Fixtures that start a real `serve` and see that nothing of it survives a test."""

import tempfile
from collections.abc import Callable, Generator
from pathlib import Path

import psutil
import pytest

from tests.serve.serve_process import ServeProcess, belongs_to, clean_environment

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
    """A function that starts `serve` on a data folder, by default a new one."""
    started: list[ServeProcess] = []

    def start(data_dir: Path | None = None, **variables: str) -> ServeProcess:
        number = len(list(open_folder.glob("*.log")))
        data_dir = data_dir or open_folder / f"data-{number}"
        serve = ServeProcess(
            data_dir, open_folder / f"serve-{number}.log", clean_environment(**variables)
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
