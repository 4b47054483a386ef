"""What the verifier says of what it was given."""

from __future__ import annotations


class NoReplay(ValueError):
    """What was given is something else than a replay, as one sentence."""


class Wrong(Exception):
    """What is wrong with a replay, as one sentence."""
