"""Commands of the project in processes of their own, which need not import Django each."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass

from django.conf import settings

# Reads a command and its environment from each line, runs it as a new process that has Django and
# the like in memory already, and writes how it ended and what it said.
RUNS_COMMANDS = """
import json, os, runpy, sys, tempfile
import celery.app.base, django.core.management, environ, limits, psycopg, redis, structlog
import corsheaders.defaults, django.contrib.postgres, django.db.models, rest_framework.fields

for line in sys.stdin:
    command, environment = json.loads(line)
    with tempfile.TemporaryFile() as said:
        if (process := os.fork()) == 0:
            os.environ.clear()
            os.environ.update(environment)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            for stream in (1, 2):
                os.dup2(said.fileno(), stream)
            sys.argv = ["manage.py", *command]
            runpy.run_path("manage.py", run_name="__main__")
            sys.exit()
        status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        said.seek(0)
        print(json.dumps([status, said.read().decode()]), flush=True)
"""


@dataclass(frozen=True)
class Done:
    """How a command ended, and all that it said."""

    returncode: int
    told: str


class Manage:
    """Commands of the project, each a process of its own."""

    def __init__(self) -> None:
        self._runner = subprocess.Popen(
            [sys.executable, "-c", RUNS_COMMANDS],
            cwd=settings.BASE_DIR,
            env={"PATH": os.environ["PATH"]},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __call__(self, *command: str, **environment: str | None) -> Done:
        """Run one with this environment and nothing else of ours."""
        given = {name: value for name, value in environment.items() if value is not None}
        assert self._runner.stdin
        assert self._runner.stdout
        asked = json.dumps([command, {"PATH": os.environ["PATH"], **given}])
        print(asked, file=self._runner.stdin, flush=True)
        return Done(*json.loads(self._runner.stdout.readline()))

    def end(self) -> None:
        self._runner.communicate(timeout=60)
