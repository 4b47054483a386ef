"""The README's curl lines, run as they stand, against the real processes."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

from tests.e2e.service_processes import ServiceProcesses

README = Path(__file__).parents[2] / "README.md"
MARK = "=== next block"


def curl_blocks() -> list[str]:
    """The shell blocks of «Play with curl»."""
    section = README.read_text().partition("## Play with curl")[2].partition("\n## ")[0]
    return re.findall(r"```bash\n(.*?)```", section, flags=re.DOTALL)


def test_the_curl_lines_play_two_rounds_and_read_the_scores(
    service: ServiceProcesses, tmp_path: Path
) -> None:
    blocks = curl_blocks()
    script = f"\necho; echo '{MARK}'\n".join(blocks)
    assert "URL=http://127.0.0.1:8000/api/v1" in script
    script = script.replace("http://127.0.0.1:8000", service.url)
    moves = tmp_path / "moves"
    script = script.replace("> /dev/null", f">> {moves}")
    done = subprocess.run(["bash", "-eu", "-c", script], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    printed = done.stdout.split(MARK)
    assert len(printed) == len(blocks) == 8
    state = json.loads(printed[1])
    assert len(state["you"]["hand"]) == 13
    refused = re.findall(r'"code":"([a-z_]+)"', printed[3])
    assert refused  # the two cards are no pair, and passing may not be open
    settled, replay, _dealt, finished = documents(printed[5])
    assert sum(settled["settlement"]["points"]) == 0
    assert replay["number"] == 1
    assert finished["status"] == "finished"
    # The loops send what is asked for and nothing else.
    answers = documents(moves.read_text())
    assert len(answers) > 2
    assert [answer["code"] for answer in answers if "code" in answer] == []
    history, rounds, scores, ledger, _stats, board = documents(printed[6])
    assert history["results"][0]["rounds_played"] == 2
    assert next(s for s in scores["results"] if s["game"] == "big-two-tw")["rounds"] == 2
    assert len(ledger["results"]) == len(rounds["results"]) == 2
    assert board["results"]
    assert "right" in printed[7]


def documents(text: str) -> list[Any]:
    """The JSON documents of an output; curl writes nothing between them."""
    decoder, found, text = json.JSONDecoder(), [], text.strip()
    while text:
        document, end = decoder.raw_decode(text)
        found.append(document)
        text = text[end:].strip()
    return found
