"""What an answer of the service means to a player's device."""

from __future__ import annotations

from typing import Any, Final

import httpx

from config.playing.errors import PlayError, Refused

LONGEST_PAUSE: Final = 10.0


def answer_read(call: str, response: httpx.Response) -> Any:
    """The JSON of a good answer. Raises Refused, or PlayError where the API has not answered."""
    try:
        body = response.json()
    except ValueError:
        body = None
    if response.is_success and body is not None:
        return body
    if isinstance(body, dict) and "code" in body:
        raise Refused(call, response.status_code, body)
    where = response.headers.get("Location")
    hint = f", and sends to {where}" if where else ""
    raise PlayError(
        f"{call} was answered with {response.status_code} but not by the card games' API{hint}. "
        "Is the --url right?"
    )


def retry_after(response: httpx.Response) -> float:
    """The seconds for which the service asks to be left alone, at most LONGEST_PAUSE."""
    seconds = response.headers.get("Retry-After", "")
    return min(float(seconds), LONGEST_PAUSE) if seconds.isdigit() else 0.0
