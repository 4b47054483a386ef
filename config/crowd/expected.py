"""What a deliberate fault must be answered with, and that it was committed."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from config.crowd.device import Answer
from config.playing.choices import Body
from config.playing.errors import require

if TYPE_CHECKING:
    from config.crowd.person import Person


def require_equal(name: str, person: Person, first: Answer, again: Answer) -> None:
    """Raise PlayError unless both answers are the same, to the byte."""
    require(
        (first.status, first.content) == (again.status, again.content),
        f"{name}: the same request was answered with {first.word} and then with {again.word}:\n"
        f"{first.content!r}\n{again.content!r}",
    )
    person.run.tally.fault(name, f"equal {again.word}")


async def require_refused(
    name: str, person: Person, path: str, body: Body, codes: Collection[str], key: str | None = None
) -> None:
    """Raise PlayError unless the body is refused with one of the codes."""
    answer = await person.device.post(path, body, key=key, expect=codes)
    require(answer.code, f"{name}: {body} at {path} was accepted.")
    person.run.tally.fault(name, answer.word)
