"""Remembering that a part is out of reach, so that not every request waits to find out."""

from __future__ import annotations

import time


class Outage:
    """After a failure, say for `seconds` that it lasts; then let one more try find out."""

    def __init__(self, *, seconds: float) -> None:
        self.seconds = seconds
        self._until = 0.0

    def begin(self) -> None:
        """A try has failed."""
        self._until = time.monotonic() + self.seconds

    def lasts(self) -> bool:
        """Whether to leave out the next try."""
        return time.monotonic() < self._until
