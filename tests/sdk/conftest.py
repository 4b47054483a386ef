"""The generated clients, made once for all tests of this folder, and the service they speak to."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from config.embedded.data_directory import PROJECT_DIR
from tests.e2e.conftest import own_servers, service

__all__ = ["own_servers", "service"]

SDK = PROJECT_DIR / "sdk"
LANGUAGES = sorted(path.stem for path in (SDK / "settings").iterdir())
GENERATES_WITHIN = 300.0
COMPILES_WITHIN = 200.0


def run(*command: str | Path, within: float, **variables: str) -> str:
    """Run it to its end in the SDK's folder, and return what it printed."""
    done = subprocess.run(
        command,
        cwd=SDK,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=within,
    )
    assert done.returncode == 0, f"{command}: {done.stdout[-8000:]}{done.stderr[-8000:]}"
    return done.stdout


@pytest.fixture(scope="session")
def clients() -> Mapping[str, Path]:
    """The folder of each language's client, generated from the committed document."""
    for program in ("node", "java"):
        assert shutil.which(program), f"{program} is needed: .ci/sdk installs it"

    def generate(language: str) -> Path:
        venv = str(Path(sys.executable).parent.parent)
        run("./generate", language, within=GENERATES_WITHIN, VENV=venv)
        return SDK / "out" / language

    with ThreadPoolExecutor(max_workers=2) as pool:
        return dict(zip(LANGUAGES, pool.map(generate, LANGUAGES), strict=True))


@pytest.fixture(scope="session")
def programs(clients: Mapping[str, Path]) -> Mapping[str, tuple[str | Path, ...]]:
    """How each example is started, after the compiler and the type checker have passed it."""
    run("node_modules/.bin/tsc", "--project", ".", within=COMPILES_WITHIN)
    return {
        "typescript": ("node", "out/javascript/examples/typescript/main.js"),
        "python": (sys.executable, "examples/python/main.py"),
    }
