"""Calls that Schemathesis makes up from the document, held against it by all its checks.

Every run makes the same calls. FUZZ_EXAMPLES asks for more of each kind (README.md).
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import CHECKS, load_all_checks
from schemathesis.config import SchemathesisConfig

from config.wsgi import application
from tests.fuzz.caller import Caller
from tests.openapi import check_answer, document

pytestmark = pytest.mark.fuzz

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "3"))
# The rules of a game are no part of a schema: they refuse cards that it takes (422). A sent
# `Idempotency-Key` may also be that of another call.
BY_THE_RULES = ["2xx", "304", "401", "403", "404", "409", "422"]
# One flat body serves every game, move or seat: what does not go together is a 400 by one of these.
NOT_TOGETHER = {
    *("not_for_this_game", "not_for_this_kind", "not_for_this_type", "not_in_this_game"),
    *("required", "rows_or_special", "wrong_number_of_seats"),
    # Nor can a schema say which passwords and names are too easily guessed or read wrongly.
    *("password_entirely_numeric", "password_too_common", "password_too_similar"),
    *("password_too_short", "blank", "invalid", "invalid_cursor"),
}
load_all_checks()
# The sandbox is off here, and then its calls are not there.
schema = schemathesis.openapi.from_dict(
    document(),
    config=SchemathesisConfig.from_dict(
        {
            "generation": {"deterministic": True, "max-examples": EXAMPLES},
            "checks": {
                "positive_data_acceptance": {"expected-statuses": [*BY_THE_RULES, "400"]},
            },
        }
    ),
).exclude(path_regex="/sandbox/")
schema.app = application
FEW = settings(
    max_examples=EXAMPLES,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture
def callers(transactional_db: Any) -> Iterator[list[Caller]]:
    """Whoever called; what they were answered is shown by `pytest -rP`."""
    callers: list[Caller] = []
    yield callers
    print("answers by status:", sorted(sum((c.statuses for c in callers), Counter()).items()))


@pytest.fixture
def caller(callers: list[Caller]) -> Caller:
    callers.append(Caller())
    return callers[0]


def hold(response: Any, case: schemathesis.Case, headers: dict[str, str]) -> None:
    """Put the answer to every check, theirs and ours."""
    # For Schemathesis an event's schema is that of its lines; ours is that of its data.
    is_stream = case.operation.definition.raw["operationId"] == "stream_events"
    excluded = [CHECKS.get_one("response_schema_conformance")] if is_stream else []
    case.validate_response(response, headers=headers, excluded_checks=excluded)
    told = {name.title(): values[0] for name, values in response.headers.items()}
    answer = SimpleNamespace(
        status_code=response.status_code, content=response.content, headers=told
    )
    if response.status_code != 405:
        check_answer(case.method, _path(response), b"", answer)
    if case.meta and case.meta.generation.mode.is_positive and response.status_code == 400:
        codes = {error["code"] for error in response.json()["errors"]}
        assert codes
        assert codes <= NOT_TOGETHER, response.json()


def _path(response: Any) -> str:
    return str(response.request.url).removeprefix("http://localhost")


@schema.parametrize()
@FEW
def test_an_answer_is_what_the_document_says(case: schemathesis.Case, caller: Caller):
    caller.aim(case)
    headers = caller.headers()
    response = case.call(headers=headers)
    caller.note(case, response)
    hold(response, case, headers)


def test_so_is_one_after_another(callers: list[Caller]):
    """Calls that take their ids from the answers before, as a client's do."""

    class Calls(schema.as_state_machine()):  # type: ignore[misc]
        def setup(self) -> None:
            callers.append(Caller())

        def get_call_kwargs(self, case: schemathesis.Case) -> dict[str, Any]:
            return {"headers": callers[-1].headers()}

        def after_call(self, response: Any, case: schemathesis.Case) -> None:
            callers[-1].note(case, response)

        def validate_response(self, response: Any, case: schemathesis.Case, **kwargs: Any) -> None:
            hold(response, case, callers[-1].headers())

    Calls.run(settings=settings(FEW, stateful_step_count=10))
    assert sum(sum(caller.statuses.values()) for caller in callers) >= EXAMPLES
