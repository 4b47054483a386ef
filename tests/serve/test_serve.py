"""`manage.py serve`: one command starts everything, one signal ends it."""

import signal
import subprocess
import sys
import time
import unicodedata
from pathlib import Path

import psutil
import psycopg
import pytest
import redis
from django.core.management.base import CommandError

from config.embedded import running_urls
from config.embedded.data_directory import PROJECT_DIR
from config.management.commands.serve import Command
from tests.serve.conftest import StartServe
from tests.serve.serve_process import (
    ServeProcess,
    belongs_to,
    clean_environment,
    lives,
    run_serve,
)


@pytest.fixture(scope="module")
def running(start_serve: StartServe) -> ServeProcess:
    """A `serve` that several tests look at."""
    serve = start_serve()
    serve.wait_until_ready()
    return serve


def test_the_greeting_says_where_everything_is(running: ServeProcess) -> None:
    base = f"http://127.0.0.1:{running.port}"
    for line in (
        f"  API     {base}/api/v1/",
        f"  Docs    {base}/api/docs/",
        f"  Admin   {base}/admin/",
        f"DATA_DIR={running.data_dir}",
        "manage.py createsuperuser",
    ):
        assert line in running.output


@pytest.mark.parametrize("path", ["/api/docs/", "/api/schema/", "/admin/login/"])
def test_docs_and_admin_are_served_on_the_same_port(running: ServeProcess, path: str) -> None:
    assert running.status_of(path) == 200


def test_log_lines_carry_the_aligned_name_of_their_process(running: ServeProcess) -> None:
    running.wait_for(lambda: "worker  | " in running.output, "nothing from the worker")
    prefixes = {line[:10] for line in running.output.splitlines() if line[8:9] == "|"}
    assert {"web     | ", "worker  | ", "serve   | "} <= prefixes
    assert prefixes <= {f"{name:<7} | " for name in ("web", "worker", "beat", "migrate", "serve")}


def test_control_characters_of_a_request_reach_the_log_escaped(running: ServeProcess) -> None:
    assert running.status_of("/api/v1/x%1b[31m%00%c2%9b/") == 404
    running.wait_for(lambda: "GET /api/v1/x" in running.output, "not in the log")
    unseen = [c for c in running.output if c != "\n" and unicodedata.category(c) == "Cc"]
    assert unseen == []


def test_a_command_in_a_second_terminal_finds_the_running_servers(running: ServeProcess) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "migrate", "--check"],
        cwd=PROJECT_DIR,
        env=clean_environment(DATA_DIR=str(running.data_dir)),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


def test_what_is_secret_is_readable_by_the_owner_alone(running: ServeProcess) -> None:
    for name in ("secrets.json", "servers.json"):
        assert (running.data_dir / name).stat().st_mode & 0o777 == 0o600


def test_no_secret_stands_in_a_command_line_or_in_the_log(running: ServeProcess) -> None:
    secrets = running_urls(running.data_dir)
    assert secrets is not None
    passwords = [secrets["DATABASE_URL"].split(":")[2].split("@")[0], secrets["SECRET_KEY"]]
    visible = [" ".join(process.cmdline()) for process in belongs_to(running.data_dir)]
    for password in passwords:
        assert len(password) > 50
        assert not [text for text in (*visible, running.output) if password in text]


def test_a_second_serve_on_the_same_data_is_refused(running: ServeProcess) -> None:
    refused = run_serve(
        *("--port", str(running.port + 1), "--data", str(running.data_dir)),
        environment=clean_environment(),
    )
    assert refused.returncode == 1
    assert f"in use by another `manage.py serve` (process {running.process.pid})" in refused.stderr
    assert running.status_of("/healthz") == 200
    assert running_urls(running.data_dir) is not None


def test_a_taken_port_is_refused_before_any_server_starts(
    running: ServeProcess, open_folder: Path
) -> None:
    unused = open_folder / "unused"
    refused = run_serve(
        "--port", str(running.port), "--data", str(unused), environment=clean_environment()
    )
    assert refused.returncode == 1
    assert f"Cannot listen on 127.0.0.1:{running.port}" in refused.stderr
    assert "--port" in refused.stderr
    assert [path.name for path in unused.iterdir()] == ["serve.lock"]


def test_a_killed_worker_is_started_again(running: ServeProcess) -> None:
    killed = running.child(r"celery .*worker")
    pool = killed.children()
    killed.kill()
    running.wait_for(
        lambda: "serve   | worker was ended by SIGKILL; started again" in running.output,
        "not noticed",
    )
    running.wait_for(lambda: running.child(r"celery .*worker").pid != killed.pid, "not restarted")
    assert not [process for process in pool if lives(process)]


@pytest.mark.parametrize(
    ("pattern", "variable"), [("valkey", "REDIS_URL"), ("bin/postgres", "DATABASE_URL")]
)
def test_a_killed_server_runs_again_at_its_old_url(
    running: ServeProcess, pattern: str, variable: str
) -> None:
    before = running_urls(running.data_dir)
    assert before is not None
    running.child(pattern).kill()
    notice = f"the server of {variable} had ended and runs again"
    running.wait_for(lambda: notice in running.output, "not started again")
    assert running_urls(running.data_dir) == before
    psycopg.connect(before["DATABASE_URL"]).close()
    assert redis.Redis.from_url(before["REDIS_URL"]).ping()


def test_ctrl_c_while_it_starts_leaves_nothing(start_serve: StartServe) -> None:
    serve = start_serve()
    serve.wait_for(lambda: "Bringing the database" in serve.output, "nothing said")
    time.sleep(0.5)  # in the middle of the migration
    serve.stop(signal.SIGINT)
    assert belongs_to(serve.data_dir) == []
    assert "Traceback" not in serve.output


def test_given_servers_are_used_and_none_is_started(
    start_serve: StartServe, own_database: dict[str, str]
) -> None:
    serve = start_serve(None, **own_database)
    serve.wait_until_ready()
    assert "DATABASE_URL and REDIS_URL as given" in serve.output
    assert not (serve.data_dir / "postgres").exists()
    assert not (serve.data_dir / "valkey").exists()
    names = {process.name() for process in belongs_to(serve.data_dir)}
    assert not names & {"postgres", "valkey-server"}
    with psycopg.connect(own_database["DATABASE_URL"]) as connection:
        assert connection.execute("SELECT count(*) > 0 FROM django_migrations").fetchone() == (
            True,
        )
    assert serve.stop() == 0


@pytest.mark.parametrize("port", ["0", "65536", "-1", "eighty", "8000.0", ""])
def test_a_port_that_is_none_is_refused(port: str) -> None:
    parser = Command().create_parser("manage.py", "serve")
    with pytest.raises(CommandError, match=rf"'{port}' is not a port: a number from 1 to 65535"):
        parser.parse_args([f"--port={port}"])


def test_a_wrong_option_ends_with_the_usage() -> None:
    refused = run_serve("--port", "0", environment=clean_environment())
    assert refused.returncode == 2
    assert "usage: manage.py serve" in refused.stderr
    assert "argument --port: '0' is not a port" in refused.stderr


def test_an_address_of_another_machine_is_refused(open_folder: Path) -> None:
    refused = run_serve(
        "--host", "192.0.2.1", "--data", str(open_folder / "x"), environment=clean_environment()
    )
    assert refused.returncode == 1
    assert "Cannot listen on 192.0.2.1:8000" in refused.stderr


def word_kept(data_dir: Path) -> str:
    """Return the word that a test left in the database of a running `serve`."""
    urls = running_urls(data_dir)
    assert urls is not None
    with psycopg.connect(urls["DATABASE_URL"]) as connection:
        row = connection.execute("SELECT word FROM kept").fetchone()
    assert row is not None
    return str(row[0])


def test_data_survives_ctrl_c_and_sigkill_and_no_process_does(
    running: ServeProcess, start_serve: StartServe
) -> None:
    """The last test of this module, since it stops the `serve` that the others look at."""
    first = running
    children = psutil.Process(first.process.pid).children(recursive=True)
    urls = running_urls(first.data_dir)
    assert urls is not None
    with psycopg.connect(urls["DATABASE_URL"]) as connection:
        connection.execute("CREATE TABLE kept (word text)")
        connection.execute("INSERT INTO kept VALUES ('still here')")

    assert first.stop(signal.SIGINT) == 0
    assert "Stopped." in first.output
    assert len(children) >= 7  # two servers and their own, granian and its worker, celery's pool
    assert not [process for process in children if lives(process)]
    assert belongs_to(first.data_dir) == []
    assert running_urls(first.data_dir) is None

    second = start_serve(first.data_dir)
    second.wait_until_ready()
    assert word_kept(first.data_dir) == "still here"
    second.stop(signal.SIGKILL)
    orphans = belongs_to(first.data_dir)
    assert {"postgres", "valkey-server"} <= {process.name() for process in orphans}
    assert running_urls(first.data_dir) is None, "what a killed serve left behind does not count"

    third = start_serve(first.data_dir, second.port)
    third.wait_until_ready()
    assert "left behind by a killed serve" in third.output
    assert not [process for process in orphans if lives(process)]
    assert word_kept(first.data_dir) == "still here"
    assert third.stop(signal.SIGTERM) == 0
    assert belongs_to(first.data_dir) == []
