"""Tables of the sandbox, played by their scripts."""

from __future__ import annotations

from typing import Any

from bots.services import bot_turn_play
from tests.clients import Api, Table

Json = dict[str, Any]


def rehearse(api: Api, **body: Any) -> Table:
    answer = api.post("sandbox/sessions/", body)
    assert answer.status == 201, answer.bytes
    return Table(api, answer.json["id"])


def play_line(table: Table, line: Json) -> None:
    """Make the scripted move of the own seat; of another, let its bot do what it will."""
    row = table.row()
    if line["seat"] == 0:
        move = {name: value for name, value in line.items() if name != "seat"}
        answer = table.move(**move, turn=row.turn)
        assert answer.status == 201, answer.bytes
    else:
        assert bot_turn_play(session_id=row.id, turn=row.turn, seat=line["seat"])


def log(table: Table) -> list[Json]:
    return list(table.get("moves/?round=1").json["results"])
