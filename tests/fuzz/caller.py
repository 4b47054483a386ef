"""Who sends the generated calls: guests with tables of their own."""

from __future__ import annotations

import itertools
import re
import uuid
from collections import Counter
from typing import Any

from django.core.management import call_command
from schemathesis import Case

from games.rules.registry import VARIANTS
from games.selectors.live import live_rounds_forget
from sandbox.scenarios import SCENARIOS
from tests.clients import Api

# After these the token, or the table, is of no use to the next call.
ENDS_THE_TOKEN = {"delete_me", "log_out_device", "log_out_all_devices", "end_device"}
KEY = re.compile("[!-~]{1,255}")
ENDS_THE_TABLE = {"finish_session", "leave_session", "rematch_session"}


class Caller:
    """Gives calls a token, and two in three calls about a table or a player the caller's own."""

    def __init__(self) -> None:
        self.answers: Counter[tuple[str, int]] = Counter()
        """By operation and status."""
        self._games = itertools.cycle(VARIANTS)
        self._scenarios = itertools.cycle(SCENARIOS)
        self._turns = itertools.count()
        self._guest: Api | None = None
        self._tables: dict[bool, str] = {}

    @property
    def guest(self) -> Api:
        """The guest whose token is sent."""
        if self._guest is None:
            self._guest = Api.guest()
            self._tables = {}
        return self._guest

    def forget(self) -> None:
        """Be somebody else from now on: the tables are empty."""
        self._guest = None

    def headers(self) -> dict[str, str]:
        """Who calls; the checks read no gzip."""
        return {"Authorization": f"Bearer {self.guest.token}", "Accept-Encoding": "identity"}

    def aim(self, case: Case) -> None:
        """Put what is the caller's in the place of an id that nobody has.

        And a new `Idempotency-Key` in the place of one that any call may have sent.
        """
        case.headers.pop("host", None)  # whose name the server does not go by: for a library to say
        names = case.path_parameters or {}
        key = case.headers.get("Idempotency-Key")
        if key and KEY.fullmatch(key) and next(self._turns) % 3:
            case.headers["Idempotency-Key"] = f"{next(self._turns)}"
        for name, own in (("session_id", self._table), ("id", self._player)):
            if _is_id(names.get(name)) and next(self._turns) % 3:
                names[name] = own("/sandbox/" in case.path)

    def note(self, case: Case, status: int) -> None:
        """Count the answer, and let go of what the call may have ended."""
        name = operation_of(case)
        self.answers[name, status] += 1
        if name in ENDS_THE_TOKEN:
            self._guest = None
        if name in ENDS_THE_TABLE:
            self._tables = {}

    def told(self) -> str:
        """What was answered, a line for each operation."""
        lines = [f"{sum(self.answers.values())} calls"]
        for name in sorted({name for name, _ in self.answers}):
            statuses = sorted((s, n) for (other, s), n in self.answers.items() if other == name)
            lines.append(f"{name}: " + ", ".join(f"{status} x {n}" for status, n in statuses))
        return "\n".join(lines)

    def _table(self, in_sandbox: bool) -> str:
        guest = self.guest
        if in_sandbox not in self._tables:
            if in_sandbox:
                game, scenario = next(self._scenarios)
                answer = guest.post("sandbox/sessions/", {"game": game, "scenario": scenario})
                assert answer.status == 201, answer.bytes
                self._tables[True] = answer.json["id"]
            else:
                self._tables[False] = guest.open_table(game=next(self._games)).id
        return self._tables[in_sandbox]

    def _player(self, _: bool) -> str:
        return str(self.guest.player["id"])


def operation_of(case: Case) -> str:
    """Its name."""
    return str(case.operation.definition.raw["operationId"])


def tables_empty() -> None:
    """As after a test."""
    call_command(
        "flush",
        interactive=False,
        verbosity=0,
        reset_sequences=False,
        allow_cascade=False,
        inhibit_post_migrate=True,
    )
    live_rounds_forget()


def _is_id(value: Any) -> bool:
    try:
        return bool(uuid.UUID(str(value)))
    except ValueError:
        return False
