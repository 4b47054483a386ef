"""What a refusal looks like, and that it changed nothing."""

from __future__ import annotations

import uuid
from typing import Any

from games.models import Move, Round, Seat, Session
from players.models import Device, Player
from tests.clients import Answer

NOWHERE = uuid.UUID(int=7)


def everything() -> list[Any]:
    tables = (Session, Seat, Round, Move, Player)
    rows: list[Any] = [list(table.objects.order_by("pk").values()) for table in tables]
    return [*rows, list(Device.objects.order_by("pk").values("pk"))]


def refused(answer: Answer, status: int, code: str) -> dict[str, Any]:
    assert (answer.status, answer.code) == (status, code), answer.bytes[:300]
    body: dict[str, Any] = answer.json
    assert {name: type(value) for name, value in body.items() if name != "state"} == {
        "type": str,
        "title": str,
        "status": int,
        "detail": str,
        "code": str,
        "request_id": str,
        "errors": list,
        "params": dict,
    }
    assert body["type"] == f"urn:problem:{code.replace('_', '-')}"
    assert body["title"]
    assert body["detail"]
    assert body["request_id"] == answer.headers["X-Request-ID"]
    return body
