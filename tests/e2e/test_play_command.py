"""`manage.py play` against a running service: it tells a session, and notices what is wrong."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from itertools import count

import pytest

from config.embedded.data_directory import PROJECT_DIR
from config.playing import Client, Plan, PlayError, SessionPlay
from games.rules.registry import VARIANTS
from tests.e2e.forwarder import forwarder
from tests.serve.serve_process import clean_environment

ALL_IS_WELL = "All is well: "


def run_command(*arguments, **variables):
    """The command in a shell that knows of no database and no Redis."""
    return subprocess.run(
        [sys.executable, "manage.py", "play", "--bot-delay-ms", "0", *arguments],
        cwd=PROJECT_DIR,
        env=clean_environment(**variables),
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )


def play(url, **plan):
    """The lines that a session is told in."""
    lines: list[str] = []
    with Client(url) as client:
        SessionPlay(
            client, Plan(**{"game": "big-two-tw", "bot_delay_ms": 0, **plan}), "utf-8", lines.append
        ).run()
    return lines


def test_a_session_of_two_rounds_is_told_from_the_deal_to_the_best_score(service):
    done = run_command("--url", service.url, "--rounds", "2", PYTHONIOENCODING="utf-8")
    assert (done.returncode, done.stderr) == (0, "")
    told = done.stdout
    assert told.startswith(f"Big Two (Taiwan) 大老二 at {service.url}, session ")
    assert len(re.findall(r"^Round [12]\. Commitment [0-9a-f]{64}", told, re.M)) == 2
    assert len(re.findall(r"^Your hand: (\S[♣♦♥♠] ?){13}$", told, re.M)) == 2
    assert len(re.findall(r"^Trick 1\n  .+ 3♣", told, re.M)) == 2
    assert len(re.findall(r"^Settled after \d+ moves\.$", told, re.M)) == 2
    assert told.splitlines()[-1].startswith(ALL_IS_WELL)


def test_a_terminal_without_the_signs_gets_letters(service):
    what = ("--game", "chinese-poker", "--client-seed", "my own 字")
    done = run_command("--url", service.url, *what, PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"Chinese Poker at {service.url}, session ")
    assert "then client seed 'my own ?'" in done.stdout
    assert re.search(r"^Your hand: ([2-9TJQKA][CDHS] ?){13}$", done.stdout, re.M)


@pytest.mark.parametrize("game", sorted(VARIANTS.keys() - {"big-two-tw"}))
def test_every_other_game_is_played_to_its_end(service, game):
    assert play(service.url, game=game, level="easy")[-1].startswith(ALL_IS_WELL)


def test_lost_answers_cost_nothing_but_time(service, monkeypatch):
    monkeypatch.setattr("config.playing.client.FIRST_PAUSE", 0.01)
    numbers, lost = count(1), set()

    def lose_every_third(method, path, body):
        if next(numbers) % 3:
            return body
        lost.add(method)
        return None

    with forwarder(service.url, lose_every_third) as url:
        assert play(url)[-1].startswith(ALL_IS_WELL)
    assert lost == {"GET", "POST"}


def altered(path_part, change):
    """Answers whose path holds `path_part`, with their JSON changed."""

    def alter(method, path, body):
        if path_part not in path:
            return body
        said = json.loads(body)
        change(said)
        return json.dumps(said).encode()

    return alter


def settle_with_another_seed(said):
    """In a state, and in the answer to the move that ends the round."""
    state = said.get("state", said)
    if state.get("settlement"):
        state["settlement"]["server_seed"] = "00" * 32


@pytest.mark.parametrize(
    ("path_part", "change", "complaint"),
    [
        pytest.param(
            "sessions/", settle_with_another_seed, "is not the one committed to", id="seed"
        ),
        pytest.param(
            "state/wait/", lambda said: said.update(version=1), "went from .* to 1", id="version"
        ),
        pytest.param(
            "legal-plays/",
            lambda said: said.update(plays=[{"cards": ["4X"]}]),
            "POST .*moves/ was refused: 422 unknown_card",
            id="a play that is none",
        ),
    ],
)
def test_what_does_not_add_up_is_an_error(service, path_part, change, complaint):
    with (
        forwarder(service.url, altered(path_part, change)) as url,
        pytest.raises(PlayError, match=complaint),
    ):
        play(url)


def test_an_error_ends_with_status_1_and_a_message(service):
    refused = run_command("--url", service.url, "--game", "tiddlywinks")
    assert refused.returncode == 1
    assert "POST sessions/ was refused: 400 invalid_input." in refused.stderr
    assert "  game: " in refused.stderr
    assert "Traceback" not in refused.stderr


def test_a_table_that_stands_still_is_an_error(service):
    with pytest.raises(PlayError, match=r"has stood still for 1 s at version \d+, waiting for"):
        play(service.url, bot_delay_ms=5000, timeout=1)
