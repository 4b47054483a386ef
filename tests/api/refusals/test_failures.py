"""What is not the client's fault: bugs, outages, foreign hosts. Told without a word too many."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import InterfaceError, OperationalError

from config.logging import configure_logging
from tests.api.refusals.answers import NOWHERE, everything, refused
from tests.clients import Api


class Lines(logging.Handler):
    """What is written to the log, as it is written."""

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(logging.getLogger().handlers[0].formatter)
        self.written: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.written.append(self.format(record))

    @property
    def text(self) -> str:
        return "\n".join(self.written)


@pytest.fixture(params=["json", "console"])
def log(request: pytest.FixtureRequest) -> Iterator[Lines]:
    handlers = logging.getLogger().handlers[:]
    configure_logging(request.param)
    lines = Lines()
    logging.getLogger().addHandler(lines)
    yield lines
    configure_logging("console")
    logging.getLogger().handlers[:] = handlers


def raising(error: Exception) -> Any:
    def function(*args: Any, **kwargs: Any) -> Any:
        raise error

    return function


READS = "games.api.sessions.table_get"
WRITES = "games.api.play.move_make"


@pytest.mark.parametrize("accept", ["*/*", "text/html", "application/json"])
@pytest.mark.parametrize("debug", [False, True])
def test_a_bug_is_a_500_without_a_traceback(
    api: Api, monkeypatch: pytest.MonkeyPatch, settings: Any, log: Lines, accept: str, debug: bool
):
    settings.DEBUG = debug
    monkeypatch.setattr(READS, raising(RuntimeError("boom in the pantry")))
    answer = api.get(f"sessions/{NOWHERE}/", Accept=accept)
    body = refused(answer, 500, "internal_error")
    assert b"pantry" not in answer.bytes
    assert b"Traceback" not in answer.bytes
    assert "boom in the pantry" in log.text
    assert body["request_id"] in log.text


def test_a_token_is_in_no_answer_and_no_log(api: Api, monkeypatch: pytest.MonkeyPatch, log: Lines):
    assert api.token
    table = api.open_table()
    hand = "".join(table.state()["you"]["hand"])
    answers = [
        api.get(f"players/me/?access_token={api.token}"),
        api.post("sessions/", {"game": "zzz"}),
        table.post("moves/", {"type": "pass", "turn": 99}),
    ]
    monkeypatch.setattr(READS, raising(RuntimeError("boom")))
    answers.append(api.get(f"sessions/{NOWHERE}/?access_token={api.token}"))
    monkeypatch.setattr(WRITES, raising(RuntimeError("boom")))
    answers.append(table.post("moves/", {"type": "pass"}, Idempotency_Key="k"))
    assert [answer.status for answer in answers] == [200, 400, 409, 500, 500]
    assert "RuntimeError" in log.text
    for text in (log.text, *(answer.bytes.decode() for answer in answers)):
        assert api.token not in text
    assert hand not in log.text.replace('", "', "")


OUTAGES = [OperationalError("server closed the connection"), InterfaceError("already closed")]


@pytest.mark.parametrize("outage", OUTAGES, ids=lambda error: type(error).__name__)
def test_a_database_out_of_reach_is_a_503_with_a_time_to_retry(
    api: Api, monkeypatch: pytest.MonkeyPatch, outage: Exception
):
    monkeypatch.setattr(READS, raising(outage))
    answer = api.get(f"sessions/{NOWHERE}/")
    refused(answer, 503, "temporarily_unavailable")
    assert answer.headers["Retry-After"] == "2"
    assert b"server closed" not in answer.bytes


@pytest.mark.parametrize("outage", OUTAGES, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize(
    "part", ["players.api.authentication.device_find", "config.idempotency._claim", WRITES]
)
def test_a_database_out_of_reach_before_the_view_is_a_503_too(
    api: Api, monkeypatch: pytest.MonkeyPatch, part: str, outage: Exception
):
    table = api.open_table()
    before = everything()
    with monkeypatch.context() as patched:
        patched.setattr(part, raising(outage))
        answer = table.post("moves/", {"type": "pass"}, Idempotency_Key="k")
    refused(answer, 503, "temporarily_unavailable")
    assert answer.headers["Retry-After"] == "2"
    assert everything() == before
    later = table.post("moves/", {"type": "pass"}, Idempotency_Key="k")
    assert later.status in (409, 422)


@pytest.mark.parametrize("debug", [False, True])
@pytest.mark.parametrize("accept", ["text/html", "application/json"])
def test_a_host_that_is_not_ours_is_a_400(anonymous: Api, settings: Any, debug: bool, accept: str):
    settings.DEBUG = debug
    settings.ALLOWED_HOSTS = ["cards.example"]
    answer = anonymous.get("/api/schema/", Host="evil.example", Accept=accept)
    refused(answer, 400, "bad_request")
    assert b"evil" not in answer.bytes


@pytest.mark.parametrize("length", ["-1", "x", "\u00b2", "9" * 5_000])
def test_a_content_length_that_is_none_breaks_nothing(anonymous: Api, length: str):
    answer = anonymous.client.get("/api/v1/players/me/", CONTENT_LENGTH=length)
    assert answer.status_code == 401
