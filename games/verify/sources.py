"""Where replays come from: a file, standard input or an address; one, or JSON lines of them."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, BinaryIO
from urllib.request import Request, urlopen

STANDARD_INPUT = "-"
ADDRESSES = ("http://", "https://")


def replays_from(source: str, *, token: str | None = None) -> Iterator[Any]:
    """The replays of a source, one at a time.

    Raises OSError for a source that cannot be read, ValueError for what is no JSON.
    """
    with _opened(source, token) as lines:
        yield from _parsed(lines)


def _opened(source: str, token: str | None) -> AbstractContextManager[Iterable[bytes]]:
    if source == STANDARD_INPUT:
        return nullcontext(sys.stdin.buffer)
    if source.startswith(ADDRESSES):
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        opened: AbstractContextManager[BinaryIO] = urlopen(Request(source, headers=headers))  # noqa: S310 - http or https
        return opened
    return Path(source).open("rb")


def _parsed(lines: Iterable[bytes]) -> Iterator[Any]:
    """One value a line; or, where the first line is none by itself, all of it as one."""
    remaining = iter(lines)
    first = next(remaining, b"")
    try:
        value = _value(first)
    except ValueError:
        yield _value(first + b"".join(remaining))
        return
    yield value
    for line in remaining:
        if line.strip():
            yield _value(line)


def _value(text: bytes) -> Any:
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
