"""The base of every refusal outside the rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar


class Refusal(Exception):
    """A request that is refused, with a stable code and structured facts; nothing was changed.

    It knows no HTTP and no language: `config.errors` gives each code its status and its texts.
    Facts are JSON values, shown to clients as the problem's `params`. `fresh_state`, where
    there is one, reads the caller's state of the session for the answer to a conflict.
    """

    code: ClassVar[str]

    def __init__(self, **facts: Any) -> None:
        super().__init__(self.code, facts)
        self.facts = facts
        self.fresh_state: Callable[[], dict[str, Any]] | None = None
