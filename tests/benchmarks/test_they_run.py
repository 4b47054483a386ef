"""The benchmarks that fill tables by SQL of their own still fill them, at their smallest size."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from config.embedded.data_directory import PROJECT_DIR


@pytest.mark.parametrize(
    ("benchmark", "arguments", "says"),
    [
        ("bench_admin", ("--sessions", "5000", "--players", "5000"), "5000 sessions"),
        ("bench_leaderboards", ("--rows", "10000"), "slowest median"),
    ],
)
def test_a_benchmark_runs(benchmark: str, arguments: tuple[str, ...], says: str):
    done = subprocess.run(
        [sys.executable, "-m", f"tests.benchmarks.{benchmark}", *arguments],
        cwd=PROJECT_DIR,
        env={name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert says in done.stdout
