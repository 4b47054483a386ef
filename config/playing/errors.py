"""Why a session could not be played, in words for the person who asked for it."""

from __future__ import annotations

from typing import Any


class PlayError(Exception):
    """The session was not played to its end, or something in it is wrong."""


class Refused(PlayError):
    """The service refused a call. `state` is the fresh state that it sent along, if any."""

    def __init__(self, call: str, status: int, problem: dict[str, Any]) -> None:
        self.status = status
        self.code: str = problem["code"]
        self.state: dict[str, Any] | None = problem.get("state")
        lines = [f"{call} was refused: {status} {problem['code']}. {problem.get('detail', '')}"]
        lines += [f"  {error['field']}: {error['detail']}" for error in problem.get("errors", [])]
        lines.append(f"  request id {problem.get('request_id')}")
        super().__init__("\n".join(lines))


def require(holds: object, complaint: str) -> None:
    """Raise PlayError with the complaint unless `holds`."""
    if not holds:
        raise PlayError(complaint)
