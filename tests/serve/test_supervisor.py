"""The supervisor with small programs of its own."""

import contextlib
import io
import math
import os
import sys
import threading
import time
from collections.abc import Callable, Generator
from itertools import pairwise
from pathlib import Path

import psutil
import pytest

from config.supervisor import PrefixedLog, Program, Supervisor
from tests.serve.serve_process import lives

SLEEP = "import time; print('up', flush=True); time.sleep(60)"
STUBBORN = (
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
    "print('up', flush=True); time.sleep(60)"
)
WITH_CHILD = (
    "import subprocess, sys, time;"
    "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']);"
    "print('child', child.pid, flush=True); time.sleep(60)"
)


def python(name: str, code: str) -> Program:
    """Return a program that runs a line of Python."""
    return Program(name, (sys.executable, "-c", code))


def eventually(condition: Callable[[], bool]) -> bool:
    """Wait a few seconds for a condition."""
    deadline = time.monotonic() + 5
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def tended(supervisor: Supervisor, condition: Callable[[], bool]) -> bool:
    """Let the supervisor work until a condition holds."""

    def after_a_look() -> bool:
        supervisor.tend()
        return condition()

    return eventually(after_a_look)


@pytest.fixture
def out() -> io.StringIO:
    """Where the log goes."""
    return io.StringIO()


@pytest.fixture
def supervisor(out: io.StringIO, tmp_path: Path) -> Generator[Supervisor]:
    """A supervisor that is stopped at the end, whatever happened."""
    supervisor = Supervisor(os.environ, tmp_path, PrefixedLog(out, ["one", "second"]))
    yield supervisor
    hurry = threading.Event()
    hurry.set()
    supervisor.stop(hurry)


def own_children() -> set[int]:
    """Return the numbers of all processes below this one."""
    return {child.pid for child in psutil.Process().children(recursive=True) if lives(child)}


def test_lines_carry_an_aligned_name_and_empty_ones_are_dropped(
    supervisor: Supervisor, out: io.StringIO
) -> None:
    code = "import sys; print('a\\n\\nb'); print('\\xff problem', file=sys.stderr)"
    assert supervisor.run(python("one", code), threading.Event()) == 0
    lines = out.getvalue().splitlines()
    assert sorted(lines) == ["one    | a", "one    | b", "one    | ÿ problem"]


@pytest.mark.parametrize(
    ("printed", "shown"),
    [
        ("GET /x\x1b[31m", r"GET /x\x1b[31m"),
        ("a\x00b\x07c\x7fd", r"a\x00b\x07c\x7fd"),
        ("written over\rby this", r"written over\rby this"),
        ("one\x9b31m character", r"one\x9b31m character"),
        ("turned \u202eround", r"turned \u202eround"),
        ("kept:\ta tab, 大老二\u3000é", "kept:\ta tab, 大老二\u3000é"),
    ],
    ids=["escape", "nul, bell, delete", "carriage return", "C1", "bidi", "harmless"],
)
def test_what_could_command_a_terminal_is_escaped(
    supervisor: Supervisor, out: io.StringIO, printed: str, shown: str
) -> None:
    code = f"import sys; sys.stdout.buffer.write({f'{printed} end'.encode()!r})"
    assert supervisor.run(python("one", code), threading.Event()) == 0
    assert out.getvalue() == f"one    | {shown} end\n"


def test_run_returns_the_exit_status(supervisor: Supervisor) -> None:
    assert supervisor.run(python("one", "raise SystemExit(3)"), threading.Event()) == 3


def test_run_ends_the_program_when_a_stop_is_asked_for(supervisor: Supervisor) -> None:
    before = own_children()
    stop = threading.Event()
    threading.Timer(0.3, stop.set).start()
    assert supervisor.run(python("one", SLEEP), stop) is None
    assert own_children() == before


def test_a_program_that_ends_is_started_again(supervisor: Supervisor, out: io.StringIO) -> None:
    supervisor.start([python("one", SLEEP), python("second", f"{SLEEP}  # other")])
    assert eventually(lambda: out.getvalue().count("up") == 2)
    first = next(p for p in psutil.Process().children() if p.cmdline()[-1] == SLEEP)
    first.kill()
    assert tended(supervisor, lambda: out.getvalue().count("up") == 3)
    assert "serve  | one was ended by SIGKILL; started again now" in out.getvalue()
    assert (supervisor.starts("one"), supervisor.starts("second")) == (2, 1)


def test_a_program_that_keeps_ending_is_started_ever_more_rarely(
    supervisor: Supervisor, out: io.StringIO
) -> None:
    code = "import time; print(time.monotonic(), flush=True); time.sleep(0.2); raise SystemExit(1)"
    supervisor.start([python("one", code)])
    assert tended(supervisor, lambda: supervisor.starts("one") == 4)
    assert eventually(lambda: out.getvalue().count("one    | ") == 4)
    lines = out.getvalue().splitlines()
    assert [line for line in lines if line.startswith("serve")] == [
        "serve  | one ended with status 1; started again now",
        "serve  | one ended with status 1; started again in 1 s",
        "serve  | one ended with status 1; started again in 2 s",
    ]
    starts = [float(line.split()[-1]) for line in lines if line.startswith("one")]
    pauses = [later - earlier - 0.2 for earlier, later in pairwise(starts)]
    assert [math.floor(pause) for pause in pauses] == [0, 1, 2], pauses


def test_a_pause_is_counted_from_when_all_of_a_program_has_ended(
    supervisor: Supervisor, out: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it leaves behind may take longer to end than the first pause."""
    monkeypatch.setattr("config.supervisor._kill_group", lambda leader: time.sleep(1.2))
    supervisor.start([python("one", "raise SystemExit(1)")])
    assert tended(supervisor, lambda: "again in 1 s" in out.getvalue())
    said = time.monotonic()
    assert tended(supervisor, lambda: supervisor.starts("one") == 3)
    assert time.monotonic() - said > 0.9


def test_pauses_stop_growing_and_are_forgotten_after_a_long_life(
    supervisor: Supervisor, out: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("config.supervisor.FIRST_DELAY", 0.1)
    monkeypatch.setattr("config.supervisor.LONGEST_DELAY", 0.15)
    supervisor.start([python("one", "raise SystemExit(1)")])
    assert tended(supervisor, lambda: supervisor.starts("one") == 5)
    pauses = [line.split(" again ")[1] for line in out.getvalue().splitlines()]
    assert pauses == ["now", "in 0.1 s", "in 0.15 s", "in 0.15 s"]
    monkeypatch.setattr("config.supervisor.SETTLED_AFTER", 0.0)
    assert tended(supervisor, lambda: supervisor.starts("one") == 6)
    assert out.getvalue().endswith("one ended with status 1; started again now\n")


def test_what_a_program_started_ends_with_it(supervisor: Supervisor, out: io.StringIO) -> None:
    supervisor.start([python("one", WITH_CHILD)])
    assert eventually(lambda: "child" in out.getvalue())
    grandchild = psutil.Process(int(out.getvalue().split()[-1]))
    supervisor.stop(threading.Event())
    assert eventually(lambda: not lives(grandchild))


def test_stop_in_a_hurry_does_not_wait_for_a_stubborn_program(
    supervisor: Supervisor, out: io.StringIO
) -> None:
    supervisor.start([python("one", STUBBORN)])
    assert eventually(lambda: "up" in out.getvalue())
    hurry = threading.Event()
    threading.Timer(0.3, hurry.set).start()
    began = time.monotonic()
    supervisor.stop(hurry)
    assert 0.2 < time.monotonic() - began < 3


def test_a_stubborn_program_is_killed_in_the_end(
    supervisor: Supervisor, out: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("config.supervisor.PATIENCE", 0.5)
    before = own_children()
    supervisor.start([python("one", STUBBORN)])
    assert eventually(lambda: "up" in out.getvalue())
    supervisor.stop(threading.Event())
    assert own_children() == before


def test_programs_go_on_when_nobody_reads_the_log(tmp_path: Path) -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    closed_pipe = os.fdopen(write_end, "w")
    supervisor = Supervisor(os.environ, tmp_path, PrefixedLog(closed_pipe, ["one"]))
    code = "for _ in range(20_000): print('x' * 50)"
    assert supervisor.run(python("one", code), threading.Event()) == 0
    with contextlib.suppress(BrokenPipeError):
        closed_pipe.close()
