"""The examples in TypeScript and Python play whole rounds with the generated clients."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from games.rules.registry import VARIANTS
from tests.e2e.service_processes import ServiceProcesses
from tests.sdk.conftest import COMPILES_WITHIN, SDK, run

pytestmark = pytest.mark.sdk

PLAYS_WITHIN = 200.0


def play(program: tuple[str | Path, ...], url: str, game: str, *flags: str) -> dict[str, Any]:
    path = str(SDK / "out" / "python")
    printed = run(*program, url, game, *flags, within=PLAYS_WITHIN, PYTHONPATH=path)
    report: dict[str, Any] = json.loads(printed)
    return report


@pytest.mark.parametrize("game", VARIANTS)
@pytest.mark.parametrize("language", ["typescript", "python"])
def test_a_round_is_played_over_a_bad_network(
    service: ServiceProcesses,
    programs: Mapping[str, tuple[str | Path, ...]],
    language: str,
    game: str,
):
    report = play(programs[language], service.url, game, "--bad-network")
    # Every second answer was lost and its call sent again, and yet each move was made once.
    assert report["lost"] >= 2
    assert report["accepted"] == report["logged"] >= 1
    # A move for a decision that was closed is answered with the fresh state, and played on from it.
    assert report["conflicts"] == 1
    # The streams were cut, and still each change was told once.
    assert report["cut"] == 2
    versions = report["versions"]
    assert versions == list(range(versions[0], versions[-1] + 1))
    assert sum(report["points"]) == 0
    assert len(report["points"]) == VARIANTS[game].info.seats


def test_the_long_poll_is_what_a_player_waits_by(
    service: ServiceProcesses, programs: Mapping[str, tuple[str | Path, ...]]
):
    for program in programs.values():
        report = play(program, service.url, "big-two-tw")
        assert report["waits"] >= 1
        assert report["conflicts"] == 0
        assert report["accepted"] == report["logged"] >= 1


def test_the_python_client_and_its_example_pass_the_type_checker(clients: Mapping[str, Path]):
    mypy = (sys.executable, "-m", "mypy", "--config-file", "mypy.ini")
    run(*mypy, "-p", "five_card_games_client", within=COMPILES_WITHIN)
    run(*mypy, "examples/python", within=COMPILES_WITHIN)
