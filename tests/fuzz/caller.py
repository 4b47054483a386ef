"""Who sends the generated calls: guests with tables of their own."""

from __future__ import annotations

import itertools
import uuid
from collections import Counter
from typing import Any

from schemathesis import Case

from games.rules.registry import VARIANTS
from tests.clients import Api

# After these the token, or the table, is of no use to the next call.
ENDS_THE_TOKEN = {"delete_me", "log_out_device", "log_out_all_devices", "end_device"}
ENDS_THE_TABLE = {"finish_session", "leave_session", "rematch_session"}


class Caller:
    """Gives calls a token, and two in three calls about a table one of the caller's."""

    def __init__(self) -> None:
        self.statuses: Counter[int] = Counter()
        self._games = itertools.cycle(VARIANTS)
        self._turns = itertools.count()
        self._guest: Api | None = None
        self._table: str | None = None

    @property
    def guest(self) -> Api:
        """The guest whose token is sent."""
        if self._guest is None:
            self._guest = Api.guest()
            self._table = None
        return self._guest

    def headers(self) -> dict[str, str]:
        """Who calls; the checks read no gzip."""
        return {"Authorization": f"Bearer {self.guest.token}", "Accept-Encoding": "identity"}

    def aim(self, case: Case) -> None:
        """Put a table of the caller's in the place of an id that nobody has."""
        names = case.path_parameters or {}
        if _is_id(names.get("session_id")) and next(self._turns) % 3:
            if self._table is None:
                self._table = self.guest.open_table(game=next(self._games)).id
            names["session_id"] = self._table

    def note(self, case: Case, response: Any) -> None:
        """Count the answer, and let go of what the call may have ended."""
        self.statuses[response.status_code] += 1
        name = case.operation.definition.raw["operationId"]
        if name in ENDS_THE_TOKEN:
            self._guest = None
        if name in ENDS_THE_TABLE:
            self._table = None


def _is_id(value: Any) -> bool:
    try:
        return bool(uuid.UUID(str(value)))
    except ValueError:
        return False
