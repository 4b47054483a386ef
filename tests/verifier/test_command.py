"""`python -m games.verify`, run by an interpreter that has nothing but its standard library."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from tests.verifier.recorded import ROUNDS, recorded

ROOT = Path(__file__).parents[2]
# Without `site` there are no installed packages.
BARE = [sys.executable, "-S", "-E", "-s"]


def run(*arguments: str, given: bytes = b"") -> tuple[int, str]:
    done = subprocess.run(
        [*BARE, "-m", "games.verify", *arguments],
        cwd=ROOT,
        input=given,
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert not done.stderr, done.stderr.decode()
    return done.returncode, done.stdout.decode()


def lines(*names: str) -> bytes:
    return b"".join(json.dumps(recorded(name)).encode() + b"\n" for name in names)


def test_the_interpreter_of_these_tests_has_no_django() -> None:
    tried = subprocess.run([*BARE, "-c", "import django"], cwd=ROOT, capture_output=True)
    assert b"ModuleNotFoundError" in tried.stderr


def test_a_file_of_one_replay_is_right_and_says_what_was_checked(tmp_path: Path) -> None:
    path = tmp_path / "replay.json"
    path.write_text(json.dumps(recorded("dou-dizhu all pass twice"), indent=2))
    moves = len(recorded("dou-dizhu all pass twice")["moves"])
    status, said = run(str(path))
    assert status == 0, said
    assert said == (
        f"{path}: dou-dizhu, round 3 of 00000000-0000-0000-0000-000000000009: right\n"
        f"  checked: commitment, 3 deals from the seeds, {moves} moves, hands, points, working and "
        "positions, totals, fingerprint\n"
    )


def test_json_lines_of_every_game_come_by_standard_input() -> None:
    status, said = run("-", given=lines(*ROUNDS))
    assert (status, said.count(": right\n")) == (0, len(ROUNDS)), said


def test_one_wrong_line_among_many_is_named(tmp_path: Path) -> None:
    wrong = recorded("big-two-tw")
    wrong["settlement"]["points"][2] += 1
    path = tmp_path / "rounds.jsonl"
    path.write_bytes(lines("dou-dizhu") + json.dumps(wrong).encode() + b"\n" + lines("thirteen"))
    status, said = run(str(path))
    points = wrong["settlement"]["points"][2]
    assert status == 1
    assert said.count(": right\n") == 2
    assert (
        f"{path}: replay 2: WRONG: settlement.points[2] is {points}, but by the rules it is "
        f"{points - 1}.\n"
    ) in said


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        pytest.param(None, "No such file", id="no file"),
        pytest.param(b"", "", id="nothing"),
        pytest.param(b"{", "", id="no JSON"),
        pytest.param(b"\xff\xfe\x00", "", id="no text"),
        pytest.param(b"null", "this is no replay, but None", id="null"),
        pytest.param(b"1", "this is no replay, but 1", id="a number"),
        pytest.param(b"[]", "this is no replay, but []", id="a list"),
        pytest.param(
            b'{"status": 404, "code": "not_found"}',
            "this is no replay, but the problem 'not_found'",
            id="problem",
        ),
        pytest.param(b"[" * 100_000, "it is nested too deeply", id="deep"),
        pytest.param(
            b"{}\n" + b"[" * 100_000, "this is no replay, it has no `session_id`", id="deep line"
        ),
        pytest.param(b"[\n" * 100_000, "it is nested too deeply", id="deep in many lines"),
    ],
)
def test_what_cannot_be_read_is_neither_right_nor_wrong(
    tmp_path: Path, content: bytes | None, reason: str
) -> None:
    path = tmp_path / "replay.json"
    if content is not None:
        path.write_bytes(content)
    status, said = run(str(path))
    assert status == 2
    assert said.startswith(f"{path}: cannot be read: ")
    assert reason in said


def test_the_commitment_that_was_seen_before_the_deal_is_held_against_the_replay() -> None:
    seen = recorded("thirteen")["commitment"]
    status, said = run("-", "--commitment", seen.upper(), given=lines("thirteen"))
    assert (status, "checked: commitment, as seen before the deal, " in said) == (0, True), said
    status, said = run("-", "--commitment", "0" * 64, given=lines("thirteen"))
    assert status == 1
    assert said.endswith(f"but by what was seen before the deal it is '{'0' * 64}'.\n")


@pytest.mark.parametrize("given", ["0" * 63, "g" * 64, ""])
def test_a_commitment_that_is_none_is_refused(given: str) -> None:
    done = subprocess.run(
        [*BARE, "-m", "games.verify", "-", f"--commitment={given}"], cwd=ROOT, capture_output=True
    )
    assert done.returncode == 2
    assert b"argument --commitment: it must be 64 hexadecimal digits" in done.stderr


def test_the_help_says_what_only_a_commitment_that_was_seen_proves() -> None:
    status, said = run("--help")
    assert (status, "Without --commitment" in said) == (0, True)


@pytest.fixture
def address() -> Iterator[str]:
    """A server that gives a replay to who brings the token."""

    class Replay(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            allowed = self.headers["Authorization"] == "Bearer secret"
            self.send_response(200 if allowed else 401)
            self.end_headers()
            if allowed:
                self.wfile.write(lines("thirteen"))

        def log_message(self, *arguments: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Replay)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/api/v1/sessions/x/rounds/1/"
    server.shutdown()
    thread.join()
    server.server_close()


def test_an_address_is_read_with_the_token(address: str) -> None:
    status, said = run(address, "--token", "secret")
    assert status == 0, said
    status, said = run(address)
    assert status == 2
    assert "401" in said
