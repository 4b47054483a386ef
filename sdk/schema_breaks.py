"""What a change of one schema breaks, its fields and components apart (`sdk.compatibility`)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

Json = dict[str, Any]

# Limits of input that must not grow, and those that must not shrink.
LOWER_LIMITS: Final = ("minimum", "minLength", "minItems")
UPPER_LIMITS: Final = ("maximum", "maxLength", "maxItems")
# Limits of input that must not come, nor change.
OTHER_LIMITS: Final = ("pattern", "multipleOf")
# The default of a reference has no other place (config.flat_references).
DEFAULT_TOLD: Final = re.compile(r"^`(\w+)`: .*Default: `([^`]*)`", re.MULTILINE)


def choices_breaks(where: str, old: Json, new: Json) -> Iterator[str]:
    """Choices that came or went."""
    if "enum" in new and "enum" not in old:
        yield f"{where}: has choices, was free"
    if "enum" in old and "enum" not in new:
        yield f"{where}: is free, had choices"
    for choice in old.get("enum", ()):
        # null is no choice, but said by `nullable`.
        if choice is not None and choice not in new.get("enum", [choice]):
            yield f"{where}: choice {choice} is gone"


def default_breaks(where: str, old: Json, new: Json, *, sent: bool) -> Iterator[str]:
    """Another default, for who leaves the value out."""
    if sent and old.get("default") != new.get("default"):
        yield f"{where}: default is {new.get('default')!r}, was {old.get('default')!r}"
    before, after = (DEFAULT_TOLD.findall(one.get("description", "")) for one in (old, new))
    if sent and before != after:
        yield f"{where}: tells other defaults, {after}, was {before}"


def nullable_breaks(where: str, old: Json, new: Json, *, sent: bool) -> Iterator[str]:
    """A null that must not be sent any more, or that is read where none was."""
    before, after = bool(old.get("nullable")), bool(new.get("nullable"))
    if sent and before and not after:
        yield f"{where}: must not be null"
    if not sent and after and not before:
        yield f"{where}: may be null"


def limits_breaks(where: str, old: Json, new: Json) -> Iterator[str]:
    """Tighter limits of what is sent."""
    for limits, sign in ((LOWER_LIMITS, 1), (UPPER_LIMITS, -1)):
        for limit in limits:
            if limit in new and (limit not in old or sign * new[limit] > sign * old[limit]):
                yield f"{where}: {limit} is {new[limit]}, was {old.get(limit)}"
    for limit in OTHER_LIMITS:
        if limit in new and new[limit] != old.get(limit):
            yield f"{where}: {limit} is {new[limit]}, was {old.get(limit)}"
    for limit in ("exclusiveMinimum", "exclusiveMaximum", "uniqueItems"):
        if new.get(limit) and not old.get(limit):
            yield f"{where}: {limit} is new"
    if new.get("additionalProperties", True) is False and old.get("additionalProperties", True):
        yield f"{where}: takes no other fields"
