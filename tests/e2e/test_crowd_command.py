"""`manage.py crowd` against a running service: everybody plays on, and lies are noticed."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys

import pytest

from config.crowd import Crowd, Scene
from config.crowd.faults import FAULTS
from config.embedded.data_directory import PROJECT_DIR
from tests.e2e.forwarder import forwarder
from tests.serve.serve_process import clean_environment

SHORT = {"think": 0.1, "patience": 30}


def run_command(*arguments):
    """The command in a shell that knows of no database and no Redis."""
    return subprocess.run(
        [sys.executable, "manage.py", "crowd", *arguments],
        cwd=PROJECT_DIR,
        env=clean_environment(PYTHONIOENCODING="utf-8"),
        capture_output=True,
        encoding="utf-8",
        timeout=240,
    )


def play(url, **scene):
    """The tally of a run without deliberate faults, unless they are asked for."""
    lines = []
    chosen = {**SHORT, "tables": 2, "people": 1, "seconds": 1, "faults": 0.0, **scene}
    return asyncio.run(Crowd(Scene(url, **chosen), lines.append).play())


def test_a_crowd_that_does_everything_wrong_finds_nothing_wrong(service):
    done = run_command(
        *("--url", service.url, "--tables", "6", "--seconds", "15"),
        *("--think", "0.1", "--faults", "0.8", "--seed", "7"),
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert done.stdout.splitlines()[-1] == "All is well."
    assert "Errors: 0" in done.stdout
    figures = done.stdout.splitlines()
    faults = figures[figures.index("Deliberate faults and their answers") + 1 :]
    committed = {line[2:26].strip() for line in faults if line.startswith("  ")}
    every = {fault.name for kinds in FAULTS.values() for fault in kinds}
    assert every - committed == set()
    ways = ("by code", "by public join", "by quick-join", "app: stream", "app: wait", "app: poll")
    for way in ways:
        assert re.search(rf"^Ways: .*{way} [1-9]", done.stdout, re.MULTILINE), way


def altered(path_part, change):
    """Answers whose path holds `path_part`, with their JSON changed."""

    def alter(method, path, body):
        if path_part not in path:
            return body
        said = json.loads(body)
        change(said)
        return json.dumps(said).encode()

    return {"alter": alter}


def retold(change):
    """Events of moves, retold."""

    def retell(event):
        return change(event) if b'"type":"move"' in event else event

    return {"retell": retell}


def settle_otherwise(said):
    """In a replay: the points still add up to 0."""
    points = said["settlement"]["points"]
    points[0], points[1] = points[0] + 1, points[1] - 1


def book_otherwise(said):
    said["results"][0]["amount"] += 1


def forget_a_booking(said):
    del said["results"][0]


def book_twice(said):
    said["results"].append(said["results"][0])


def forget_the_first_round(said):
    del said["results"][-1]


def answer_each_time_otherwise(said, numbers=iter(range(1, 10_000))):  # noqa: B008
    said["move"]["policy"] = f"{next(numbers)}"


@pytest.mark.parametrize(
    ("lie", "complaint"),
    [
        pytest.param(altered("ledger/", book_otherwise), r"has booked \[-?\d+\]", id="amount"),
        pytest.param(altered("ledger/", forget_a_booking), r"has booked \[\] for", id="no booking"),
        pytest.param(altered("ledger/", book_twice), r"has booked \[(-?\d+), \1\]", id="two"),
        pytest.param(altered("rounds/1/", settle_otherwise), "another settlement", id="points"),
        pytest.param(
            altered("/rounds/", lambda said: "results" in said and forget_the_first_round(said)),
            r"has played \d+ rounds and lists \[",
            id="round",
        ),
        pytest.param(retold(lambda event: event * 2), "told move (\\d+) after \\1", id="repeat"),
        pytest.param(
            retold(lambda event: b""), "was not told|did not tell|told .* after", id="gap"
        ),
        pytest.param(
            altered("/hint/", lambda said: said.update(move={"type": "play", "cards": ["4X"]})),
            "moves/ was refused: 422 unknown_card(.|\n)*request id [0-9a-f]",
            id="refusal",
        ),
    ],
)
def test_a_lie_is_an_error(service, lie, complaint):
    with forwarder(service.url, **lie) as url:
        tally = play(url, games=["chinese-poker"], tables=4, patience=5)
    assert any(re.search(complaint, error) for error in tally.errors), tally.errors


def test_a_repeat_that_is_answered_otherwise_is_an_error(service):
    lie = altered("/moves/", lambda said: "move" in said and answer_each_time_otherwise(said))
    with forwarder(service.url, **lie) as url:
        tally = play(url, games=["chinese-poker"], faults=1.0, seconds=2, tables=4)
    assert tally.errors
    assert all("the same request was answered with 201" in error for error in tally.errors)


def test_without_a_lie_there_is_no_error(service):
    with forwarder(service.url) as url:
        tally = play(url, games=["chinese-poker"], tables=4)
    assert tally.errors == []
    assert tally.counts["rounds"] >= 4


def test_an_error_ends_with_status_1_and_is_told(service):
    with forwarder(service.url, **altered("ledger/", forget_a_booking)) as url:
        done = run_command(
            *("--url", url, "--games", "chinese-poker", "--tables", "1", "--people", "1"),
            *("--seconds", "1", "--think", "0.1"),
        )
    assert done.returncode == 1
    assert re.search(r"^Errors: [1-9]", done.stdout, re.MULTILINE)
    assert "has booked [] for seat 0" in done.stdout
    assert "errors that cannot be explained." in done.stderr


def test_a_game_that_the_service_does_not_know(service):
    refused = run_command("--url", service.url, "--games", "tiddlywinks")
    assert refused.returncode == 1
    assert "The service knows none of the games tiddlywinks." in refused.stderr
    assert "Traceback" not in refused.stderr
