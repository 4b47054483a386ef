"""The shared vectors: questions and answers about the rules (see their README)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import pytest

VECTORS = Path(__file__).parents[2].parent / "shared" / "vectors"

Case: TypeAlias = dict[str, Any]
G = TypeVar("G")


def load(path: str) -> list[Case]:
    """The cases of one file, such as `big-two-tw/classify.jsonl`."""
    with (VECTORS / path).open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def every_case(
    file: str, games: Mapping[str, G]
) -> Callable[[Callable[[G, Case], None]], Callable[[str], None]]:
    """Make of a check of one case a test a game, of all its cases in that file.

    A failure names the file, the line and the case. `deals` is one file for all games.
    """

    def decorate(check: Callable[[G, Case], None]) -> Callable[[str], None]:
        @pytest.mark.parametrize("slug", games)
        def test(slug: str) -> None:
            path = f"{file}.jsonl" if file == "deals" else f"{slug}/{file}.jsonl"
            checked = 0
            for line, case in enumerate(load(path), 1):
                if case.get("game", slug) == slug:
                    try:
                        check(games[slug], case)
                    except Exception as error:
                        error.add_note(f"{path}, line {line}: {json.dumps(case)}")
                        raise
                    checked += 1
            assert checked

        return test

    return decorate
