"""Where the setting is off, which it is unless said otherwise, there is nothing of the sandbox."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings as project_settings
from django.core.exceptions import MiddlewareNotUsed

from bots.signals import move_wanted
from config.faults import FAULTS, FaultMiddleware
from sandbox.models import Rehearsal
from tests.clients import Api
from tests.commands import Manage
from tests.openapi import document

CALLS = [
    ("GET", "sandbox/scenarios/"),
    ("POST", "sandbox/sessions/"),
    ("POST", "sandbox/sessions/00000000-0000-4000-8000-000000000000/clock/"),
]


def test_the_setting_is_off_and_production_refuses_it():
    """`tests/config/test_settings.py` starts production with it, and says that it does not."""
    assert project_settings.SANDBOX is False


@pytest.mark.parametrize(("method", "path"), CALLS)
@pytest.mark.parametrize("key", [{}, {"Idempotency_Key": "k"}, {"Idempotency_Key": "é" * 300}])
def test_its_calls_are_not_there_for_anybody(
    api: Api, anonymous: Api, method: str, path: str, key: dict[str, str]
):
    for caller in (api, anonymous):
        answer = caller.call(method, path, None if method == "GET" else {"game": "thirteen"}, **key)
        assert (answer.status, answer.code) == (404, "not_found")
    unknown = api.call(method, "sandbox/nothing/")
    assert unknown.json.keys() == answer.json.keys()
    assert not Rehearsal.objects.exists()


def test_with_it_on_the_same_calls_are_there(settings: Any, api: Api):
    settings.SANDBOX = True
    found = [
        api.call(method, path, {} if method == "POST" else None).status for method, path in CALLS
    ]
    assert found == [200, 400, 400]


@pytest.mark.parametrize("fault", [*FAULTS, "fire"])
def test_the_header_is_ignored(api: Api, fault: str):
    table = api.open_table()
    answer = table.get("state/", Sandbox_Fault=fault)
    assert (answer.status, answer.json) == (200, table.state())
    with pytest.raises(MiddlewareNotUsed):
        FaultMiddleware(lambda request: None)  # type: ignore[arg-type,return-value]


def test_nobody_tells_the_bots_what_to_do():
    assert move_wanted.receivers == []


@pytest.mark.parametrize(("value", "listening"), [("0", "0"), ("1", "1")])
def test_a_process_sets_it_up_by_the_setting_alone(manage: Manage, value: str, listening: str):
    code = "from bots.signals import move_wanted as wanted; print(len(wanted.receivers))"
    done = manage("shell", "-v", "0", "-c", code, ENVIRONMENT="embedded", SANDBOX=value)
    assert done.told.strip() == listening


def test_the_document_says_so():
    tags = {tag["name"]: tag["description"] for tag in document()["tags"]}
    assert tags["sandbox"].startswith("Only where the service runs with `SANDBOX` on")
