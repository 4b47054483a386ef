"""Calls that Schemathesis makes up from the document, held against it by all its checks.

Every run makes the same calls. FUZZ_EXAMPLES asks for more of each kind (README.md).
"""

from __future__ import annotations

import itertools
import os
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import schemathesis
from django.utils.datastructures import CaseInsensitiveMapping
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize
from schemathesis.checks import CHECKS, load_all_checks
from schemathesis.config import SchemathesisConfig
from schemathesis.generation.stateful.state_machine import StepInput

from config.wsgi import application
from games.rules.registry import VARIANTS
from tests.fuzz.by_the_rules import codes_by_the_rules
from tests.fuzz.caller import Caller, operation_of, tables_empty
from tests.openapi import check_answer, document

pytestmark = pytest.mark.fuzz

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "3"))
STEPS = 50
# The rules of a game are no part of a schema: they refuse cards that it takes (422). A sent
# `Idempotency-Key` may also be that of another call.
# What may follow the opening of a table, by the document.
AT_A_TABLE = set(document()["components"]["links"])
# Statuses of a call that has found its table: it was done, or the rules refused it.
REACHED = (200, 201, 204, 409, 422)
BY_THE_RULES = ["2xx", "304", "401", "403", "404", "409", "422"]
load_all_checks()
schema = schemathesis.openapi.from_dict(
    document(),
    config=SchemathesisConfig.from_dict(
        {
            "generation": {"deterministic": True, "max-examples": EXAMPLES},
            "checks": {
                "positive_data_acceptance": {"expected-statuses": [*BY_THE_RULES, "400"]},
            },
            "phases": {
                # What is inferred from answers differs with them; the document has its own links.
                "stateful": {
                    "inference": {"algorithms": []},
                    "generation": {"mode": "positive"},
                },
            },
        }
    ),
)
schema.app = application
FEW = settings(
    max_examples=EXAMPLES,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],
)


def hold(response: Any, case: schemathesis.Case, headers: dict[str, str]) -> None:
    """Put the answer to every check, theirs and ours."""
    # For Schemathesis an event's schema is that of its lines; ours is that of its data.
    is_stream = operation_of(case) == "stream_events"
    excluded = ["response_schema_conformance"] if is_stream else []
    if _is_lost_on_the_way(case, response):
        excluded.append("negative_data_rejection")
    checks = [CHECKS.get_one(name) for name in excluded]
    case.validate_response(response, headers=headers, excluded_checks=checks)
    told = CaseInsensitiveMapping({name: v[0] for name, v in response.headers.items()})
    answer = SimpleNamespace(
        status_code=response.status_code, content=response.content, headers=told
    )
    if response.status_code != 405:
        check_answer(case.method, _path(response), b"", answer)
    if case.meta and case.meta.generation.mode.is_positive and response.status_code == 400:
        codes = {error["code"] for error in response.json()["errors"]}
        assert codes, response.json()
        assert codes <= codes_by_the_rules(case), response.json()


def _is_lost_on_the_way(case: schemathesis.Case, response: Any) -> bool:
    """Whether a wrong query has names that no address can show, such as that of an empty list."""
    sent = parse_qs(urlsplit(str(response.request.url)).query, keep_blank_values=True)
    return not set(case.query or ()) <= set(sent)


def _path(response: Any) -> str:
    return str(response.request.url).removeprefix("http://localhost")


@schema.parametrize()
@FEW
def test_an_answer_is_what_the_document_says(case: schemathesis.Case, caller: Caller):
    caller.aim(case)
    headers = caller.headers()
    response = case.call(headers=headers)
    caller.note(case, response.status_code)
    hold(response, case, headers)


def test_so_is_one_after_another(transactional_db: None, monkeypatch: pytest.MonkeyPatch):
    """Calls at a table that was opened before, and others with ids from the answers before.

    Each run of calls begins with empty tables and deals the same: how it goes on depends on the
    answers, and Hypothesis makes it again to find the shortest that fails.
    """
    caller = Caller()
    create = schema["/api/v1/sessions/"]["POST"]

    class Calls(schema.as_state_machine()):  # type: ignore[misc]
        def setup(self) -> None:
            tables_empty()
            caller.forget()
            seeds = itertools.count()
            for module in ("games.services.rounds", "games.services.sessions"):
                monkeypatch.setattr(
                    f"{module}.server_seed_draw", lambda: next(seeds).to_bytes(32, "big")
                )

        @initialize(game=st.sampled_from(list(VARIANTS)))
        def open_a_table(self, game: str) -> None:
            step = StepInput.initial(create.Case(body={"game": game}))
            self.recorder.record_case(case=step.case)
            self.control.record_step(step, self.recorder)
            opened = self.step(step)
            assert opened.response.status_code == 201
            self._add_results_to_targets(("catch_all",), [opened])

        def get_call_kwargs(self, case: schemathesis.Case) -> dict[str, Any]:
            return {"headers": caller.headers()}

        def after_call(self, response: Any, case: schemathesis.Case) -> None:
            caller.note(case, response.status_code)

        def validate_response(self, response: Any, case: schemathesis.Case, **kwargs: Any) -> None:
            hold(response, case, caller.headers())

    Calls.run(settings=settings(FEW, stateful_step_count=STEPS))
    print(caller.told())
    at_a_table = {
        (name, status): count
        for (name, status), count in caller.answers.items()
        if name in AT_A_TABLE and status in REACHED
    }
    # A short run may pass some over by chance.
    assert len({name for name, _ in at_a_table}) >= 0.75 * len(AT_A_TABLE), at_a_table
    assert sum(at_a_table.values()) >= 10 * EXAMPLES
