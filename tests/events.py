"""Reading Server-Sent Events as a client does."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """One event: its id, and its data read."""

    id: str
    data: dict[str, Any]


def events_in(lines: Iterable[str]) -> Iterator[ServerEvent | None]:
    """The events of a stream as they come; None for a comment."""
    event_id, data = "", ""
    for line in lines:
        name, _, value = line.partition(": ")
        if line.startswith(":"):
            yield None
        elif name == "id":
            event_id = value
        elif name == "data":
            data += value
        elif not line and data:
            yield ServerEvent(event_id, json.loads(data))
            data = ""
