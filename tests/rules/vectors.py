"""The shared vectors: questions and answers about the rules (see their README)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

VECTORS = Path(__file__).parents[2].parent / "shared" / "vectors"


def load(path: str) -> list[dict[str, Any]]:
    """The cases of one file, such as `big-two-tw/classify.jsonl`."""
    with (VECTORS / path).open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
