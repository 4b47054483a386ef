"""What a crowd has counted: calls, deliberate faults and how each was answered, errors."""

from __future__ import annotations

import re
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from statistics import quantiles
from typing import Final

COUNTED: Final = ("tables", "people", "sessions", "rounds", "moves", "events", "bookings")
ERRORS_SHOWN: Final = 20
OWN_PATH: Final = re.compile(r"sessions/[0-9a-f-]{36}/")


@cache
def _kind_of_place(place: str) -> str:
    return re.sub(r"(?<=/)[0-9]+(?=/)", "{n}", place)


def kind_of_call(method: str, path: str) -> str:
    """The call without the ids in it, such as `POST moves/`."""
    place = path.partition("/api/v1/")[2] or path
    place = OWN_PATH.sub("", place.partition("?")[0]) or "sessions/{id}/"
    return f"{method} {_kind_of_place(place)}"


class Tally:
    """The counts of one run."""

    def __init__(self) -> None:
        self.began_at = time.monotonic()
        self.played_for = 0.0
        self.seconds: defaultdict[str, list[float]] = defaultdict(list)
        """How long each kind of call took, its repeats not counted."""
        self.delays: list[float] = []
        """Seconds from the answer to a move until its event is with a viewer."""
        self.faults: defaultdict[str, Counter[str]] = defaultdict(Counter)
        """How each deliberate fault was answered."""
        self.late: Counter[str] = Counter()
        """Moves that came too late, by the code of the refusal."""
        self.repeats: Counter[str] = Counter()
        """Calls that were sent again, by the reason."""
        self.ways: Counter[str] = Counter()
        """How people got together, and how their apps followed the table."""
        self.counts: Counter[str] = Counter()
        self.errors: list[str] = []

    def fault(self, kind: str, answer: str) -> None:
        """A deliberate fault was answered so."""
        self.faults[kind][answer] += 1

    def error(self, text: str) -> None:
        """Something that cannot be explained."""
        self.errors.append(f"after {time.monotonic() - self.began_at:.0f} s: {text}")

    def progress(self) -> str:
        """One line on how it goes."""
        counted = ", ".join(f"{self.counts[name]} {name}" for name in ("sessions", "moves"))
        calls = sum(map(len, self.seconds.values()))
        return (
            f"{time.monotonic() - self.began_at:5.0f} s: {counted}, {calls} calls, "
            f"{len(self.errors)} errors"
        )

    def report(self) -> Iterator[str]:
        """The lines of the whole."""
        calls = sum(map(len, self.seconds.values()))
        yield ", ".join(f"{self.counts[name]} {name}" for name in COUNTED)
        yield f"Ways: {_listed(self.ways)}"
        if self.played_for:
            yield f"{calls} calls in {self.played_for:.0f} s: {calls / self.played_for:.0f}/s"
        yield from _table("Calls (ms)", self.seconds)
        yield from _table("Events (ms from a move's answer to its viewer)", {"told": self.delays})
        yield "Deliberate faults and their answers"
        for kind, answers in sorted(self.faults.items()):
            yield f"  {kind:<24} {_listed(answers)}"
        yield f"Moves that came too late: {_listed(self.late)}"
        yield f"Calls sent again: {_listed(self.repeats)}"
        yield f"Errors: {len(self.errors)}"
        for text in self.errors[:ERRORS_SHOWN]:
            yield "  " + text.replace("\n", "\n  ")
        if len(self.errors) > ERRORS_SHOWN:
            yield f"  and {len(self.errors) - ERRORS_SHOWN} more"


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.most_common()) or "none"


def _table(title: str, figures: dict[str, list[float]]) -> Iterator[str]:
    yield f"{title:<48} {'count':>8} {'p50':>7} {'p90':>7} {'p99':>7} {'max':>7}"
    for name, seconds in sorted(figures.items()):
        if seconds:
            yield f"  {name:<46} {len(seconds):>8}" + "".join(
                f" {value * 1000:>7.0f}" for value in _percentiles(seconds)
            )


def _percentiles(seconds: list[float]) -> tuple[float, float, float, float]:
    if len(seconds) == 1:
        return (seconds[0],) * 4
    cuts = quantiles(seconds, n=100, method="inclusive")
    return cuts[49], cuts[89], cuts[98], max(seconds)
