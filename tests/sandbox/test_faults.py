"""Faults that are forced by `Sandbox-Fault`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from django.http import StreamingHttpResponse
from django.test import RequestFactory

from config.faults import FaultMiddleware
from config.models import StoredAnswer
from games.models import Session
from tests.clients import Api, Table
from tests.sandbox.rehearsals import rehearse

LEAD: Any = {"type": "play", "cards": ["3C"]}


@pytest.fixture
def table(builder: Api) -> Table:
    deal = {"hands": [["3C", "3D"], [], [], []]}
    return rehearse(builder, game="big-two-tw", deal=deal)


def test_a_move_is_refused_as_stale_with_the_fresh_state_and_may_be_made_again(table: Table):
    before = table.row()
    refused = table.post("moves/", LEAD, Sandbox_Fault="stale_turn", Idempotency_Key="k")
    assert (refused.status, refused.code) == (409, "stale_turn")
    assert refused.json["state"] == table.state()
    assert refused.json["params"] == {"turn": before.turn - 1, "open_turn": before.turn}
    assert table.row().version == before.version
    assert table.post("moves/", LEAD, Idempotency_Key="k").status == 201


def test_a_call_is_refused_as_one_too_many(table: Table):
    version = table.row().version
    refused = table.post("moves/", LEAD, Sandbox_Fault="rate_limited", Idempotency_Key="k")
    assert (refused.status, refused.code) == (429, "rate_limited")
    assert refused.headers["Retry-After"] == "1"
    assert refused.json["params"]["retry_after_ms"] == 1000
    assert table.get("state/", Sandbox_Fault="rate_limited").status == 429
    assert table.row().version == version
    assert not StoredAnswer.objects.exists()
    assert table.post("moves/", LEAD, Idempotency_Key="k").status == 201


def test_an_answer_is_lost_but_the_move_is_made_and_the_retry_gets_the_answer(table: Table):
    version = table.row().version
    headers = {"Authorization": f"Bearer {table.api.token}", "Idempotency-Key": "k"}
    lost = table.api.client.post(
        f"/api/v1/{table.path('moves/')}",
        LEAD,
        content_type="application/json",
        headers={**headers, "Sandbox-Fault": "lost_answer"},
    )
    assert (lost.status_code, lost.content) == (502, b"")
    assert "Content-Type" not in lost.headers
    assert table.row().version == version + 1
    again = table.post("moves/", LEAD, Idempotency_Key="k")
    assert (again.status, again.json["move"]["cards"]) == (201, ["3C"])
    assert table.row().version == version + 1


@pytest.mark.parametrize("fault", ["stale_turn", "dropped_stream"])
def test_a_fault_that_does_not_fit_the_call_does_nothing(table: Table, fault: str):
    assert table.get("state/", Sandbox_Fault=fault).json == table.state()


def test_a_fault_that_there_is_not_is_refused_by_its_name(table: Table):
    refused = table.post("moves/", LEAD, Sandbox_Fault="fire")
    assert (refused.status, refused.code) == (400, "invalid_input")
    assert [error["field"] for error in refused.json["errors"]] == ["Sandbox-Fault"]
    refused = table.post("moves/", LEAD, Sandbox_Fault="fire", Accept_Language="zh-CN")
    assert "只能是其中之一" in refused.json["errors"][0]["detail"]
    assert Session.objects.get().version == table.row().version == 2


def test_who_may_not_see_the_table_learns_nothing_by_a_fault(table: Table, stranger: Api):
    for api, status in ((stranger, 404), (Api(), 401)):
        refused = table.seen_by(api).post("moves/", LEAD, Sandbox_Fault="stale_turn")
        assert refused.status == status
        assert "state" not in refused.json


PARTS = [b"retry\n\nid: 1\ndata: {}\n\n", b": heartbeat\n\n", b"id: 2\ndata: {}\n\n", b"id: 3\n\n"]


@pytest.mark.parametrize(("fault", "told"), [("dropped_stream", 3), ("stale_turn", 4), (None, 4)])
def test_a_stream_ends_after_its_next_event(settings: Any, fault: str | None, told: int):
    settings.SANDBOX = True
    closed = []

    async def content() -> AsyncIterator[bytes]:
        try:
            for part in PARTS:
                yield part
        finally:
            closed.append(True)

    async def read() -> list[bytes]:
        request = RequestFactory().get("/", headers={"Sandbox-Fault": fault} if fault else {})
        middleware = FaultMiddleware(lambda _: StreamingHttpResponse(content()))  # type: ignore[arg-type] - a view that only streams
        response: Any = middleware(request)
        return [part async for part in response.streaming_content]

    assert asyncio.run(read()) == PARTS[:told]
    assert closed == [True]
