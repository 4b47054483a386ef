"""Child processes of one service: started together, kept alive, shown in one log, stopped.

Each child leads a session of its own: Ctrl-C in the terminal reaches only the supervisor, which
stops the children in order, and whatever a child started ends with it.
"""

import contextlib
import os
import signal
import subprocess
import threading
import time
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Protocol

FIRST_DELAY = 1.0
LONGEST_DELAY = 30.0
SETTLED_AFTER = 60.0
PATIENCE = 10.0
OWN_NAME = "serve"  # before what the supervisor itself says of its programs


class Output(Protocol):
    """Where the log goes: a text file, or a management command's `stdout`."""

    def write(self, text: str, /) -> object:
        """Write text."""
        ...

    def flush(self) -> None:
        """Pass it on."""
        ...


@dataclass(frozen=True)
class Program:
    """A command with the name that stands before its lines in the log."""

    name: str
    command: Sequence[str]


class PrefixedLog:
    """Writes whole lines, each behind the aligned name of its process."""

    def __init__(self, out: Output, names: Sequence[str]) -> None:
        """Write to `out`, with room for the longest of `names`."""
        self._out = out
        self._width = max(map(len, names), default=0)
        self._lock = threading.Lock()
        self._hidden: str | None = None

    def write(self, name: str, line: str) -> None:
        """Write one line behind its name."""
        self.write_plainly(f"{name:<{self._width}} | {line}")

    def write_plainly(self, text: str) -> None:
        """Write text without a name before it; if nobody reads any more, go on without."""
        with self._lock, contextlib.suppress(OSError, ValueError):
            self._out.write(f"{text}\n")
            self._out.flush()

    def hide(self, words: str | None) -> None:
        """Leave out what children say with these words in it, until told otherwise."""
        self._hidden = words

    def relay(self, name: str, stream: IO[bytes]) -> None:
        """Write all that comes out of a child's stream, without empty lines, until it ends.

        A client can bring characters into the log that command a terminal: they are escaped.
        """
        for raw in stream:
            line = raw.decode(errors="replace").rstrip()
            if line and (self._hidden is None or self._hidden not in line):
                self.write(name, _escaped(line))
        stream.close()


@dataclass
class _Child:
    program: Program
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    starts: int = 0
    delay: float = 0.0
    next_start: float = 0.0
    relay: threading.Thread | None = field(default=None, repr=False)


class Supervisor:
    """Keeps programs running until told to stop. Use it from one thread."""

    def __init__(self, environment: Mapping[str, str], directory: Path, log: PrefixedLog) -> None:
        """Run programs with this environment, in this folder."""
        self._environment = dict(environment)
        self._directory = directory
        self._log = log
        self._children: list[_Child] = []

    def run(self, program: Program, stop: threading.Event) -> int | None:
        """Run a program to its end and return its exit status, or None if `stop` came first."""
        child = _Child(program)
        process = self._start(child)
        while not stop.is_set():
            status = process.poll()
            if status is not None:
                self._finish(child)
                return status
            stop.wait(0.05)
        self._stop([child], threading.Event())
        return None

    def start(self, programs: Sequence[Program]) -> None:
        """Start programs that are to run on."""
        for program in programs:
            child = _Child(program)
            self._children.append(child)
            self._start(child)

    def tend(self) -> None:
        """Start again what has ended: at once, or after a growing delay if it ends early."""
        for child in self._children:
            if child.process is not None and child.process.poll() is not None:
                how = f"{child.program.name} {_describe(child.process.returncode)}"
                settled = time.monotonic() - child.started >= SETTLED_AFTER or child.starts == 1
                self._finish(child)
                child.delay = 0.0 if settled else _longer(child.delay)
                child.next_start = time.monotonic() + child.delay
                when = f"in {child.delay:g} s" if child.delay else "now"
                self._log.write(OWN_NAME, f"{how}; started again {when}")
            if child.process is None and time.monotonic() >= child.next_start:
                self._start(child)

    def starts(self, name: str) -> int:
        """Return how often the program of this name has been started."""
        return sum(child.starts for child in self._children if child.program.name == name)

    def stop(self, hurry: threading.Event) -> None:
        """Stop everything: kindly, after PATIENCE seconds or once `hurry` is set by force."""
        self._stop(self._children, hurry)
        self._children.clear()

    def _start(self, child: _Child) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(  # noqa: S603
            list(child.program.command),
            env=self._environment,
            cwd=self._directory,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        child.process = process
        child.started = time.monotonic()
        child.starts += 1
        child.relay = threading.Thread(
            target=self._log.relay, args=(child.program.name, process.stdout), daemon=True
        )
        child.relay.start()
        return process

    def _stop(self, children: Sequence[_Child], hurry: threading.Event) -> None:
        for child in children:
            if child.process is not None and child.process.poll() is None:
                child.process.terminate()
        deadline = time.monotonic() + PATIENCE
        while any(child.process and child.process.poll() is None for child in children):
            if hurry.wait(0.05) or time.monotonic() > deadline:
                break
        for child in children:
            self._finish(child)

    def _finish(self, child: _Child) -> None:
        """End all that is left of a child: itself, its own children, its log."""
        if child.process is None:
            return
        if child.process.poll() is None:
            child.process.kill()
            child.process.wait()
        _kill_group(child.process.pid)
        if child.relay is not None:
            child.relay.join(timeout=2.0)
        child.process = None


def _kill_group(leader: int) -> None:
    """Kill what is left of the group of an ended child, and wait a moment until it is gone."""
    deadline = time.monotonic() + 1.0
    while time.monotonic() < deadline:
        try:
            os.killpg(leader, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):  # macOS says the latter of zombies
            return
        time.sleep(0.02)


def _describe(status: int) -> str:
    if status < 0:
        return f"was ended by {signal.Signals(-status).name}"
    return f"ended with status {status}"


def _escaped(line: str) -> str:
    """Return the line with control, format and unassigned characters as Python would write them."""
    if line.isprintable():
        return line
    return "".join(
        char.encode("unicode_escape").decode()
        if unicodedata.category(char).startswith("C") and char != "\t"
        else char
        for char in line
    )


def _longer(delay: float) -> float:
    return min(max(delay * 2, FIRST_DELAY), LONGEST_DELAY)
