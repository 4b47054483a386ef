"""Processes that a killed `serve` left behind: found and ended at the next start.

No list of process numbers is kept: numbers are used again, and start times move with the clock.
Instead every child carries the data folder in its environment (OWNER_VARIABLE), which its own
children inherit. A server may run under an account whose environment cannot be read, so it is
known also by the data folder in its command line.
"""

import os
import signal
from collections.abc import Iterable
from pathlib import Path

import psutil

OWNER_VARIABLE = "EMBEDDED_OWNER"
DATABASE = "postgres"
SERVERS = (DATABASE, "valkey-server")


def end_leftovers(data_dir: Path) -> list[str]:
    """End every process that belongs to this data folder; return a line about each.

    Call this only with the folder locked and nothing of one's own started yet.
    """
    databases: list[psutil.Process] = []
    others: list[psutil.Process] = []
    for process in psutil.process_iter():
        if process.pid == os.getpid():
            continue
        if _carries_owner(process, data_dir) or _serves_from(process, data_dir):
            (databases if _name(process) == DATABASE else others).append(process)
    ended = [f"process {process.pid} ({_name(process)})" for process in (*others, *databases)]
    _end(others, signal.SIGTERM, patience=5)  # first those that use the database
    _end(databases, signal.SIGINT, patience=15)  # PostgreSQL's fast shutdown
    return ended


def _carries_owner(process: psutil.Process, data_dir: Path) -> bool:
    try:
        return process.environ().get(OWNER_VARIABLE) == str(data_dir)
    except (psutil.Error, OSError):  # gone, a zombie, or another user's
        return False


def _serves_from(process: psutil.Process, data_dir: Path) -> bool:
    if _name(process) not in SERVERS:
        return False
    try:
        return any(word.startswith(f"{data_dir}{os.sep}") for word in process.cmdline())
    except (psutil.Error, OSError):
        return False


def _name(process: psutil.Process) -> str:
    try:
        return process.name()
    except psutil.Error:
        return "ended by itself"


def _end(processes: Iterable[psutil.Process], sign: signal.Signals, patience: float) -> None:
    """Ask with a signal, wait, then kill what is still there."""
    remaining = list(processes)
    for how, wait in ((sign, patience), (signal.SIGKILL, 2.0)):
        for process in remaining:
            try:
                process.send_signal(how)
            except psutil.Error:
                continue
        _, remaining = psutil.wait_procs(remaining, timeout=wait)
