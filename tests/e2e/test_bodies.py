"""Bodies in chunks, without a length, are read like any other; a charset needs a body."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import httpx
import pytest

from tests.e2e.service_processes import ServiceProcesses


def chunks(*parts: bytes) -> Iterator[bytes]:
    yield from parts


@pytest.mark.parametrize(
    ("parts", "status", "code"),
    [
        ((b'{"display_name": ', b'"In Chunks"}'), 201, None),
        ((b'{"foo":', b"1}"), 400, "invalid_input"),
        ((b'{"foo":',), 400, "malformed_json"),
        ((b'{"display_name": "', *[b"x" * 10_000] * 100, b'"}'), 413, "payload_too_large"),
    ],
    ids=["good", "unknown field", "cut off", "a megabyte"],
)
def test_chunks_are_read(
    service: ServiceProcesses, parts: tuple[bytes, ...], status: int, code: str | None
) -> None:
    answer = httpx.post(
        f"{service.url}/api/v1/players/guest/",
        content=chunks(*parts),
        headers={"Content-Type": "application/json"},
    )
    assert answer.status_code == status
    assert answer.json().get("code") == code
    if status == 201:
        assert answer.json()["player"]["display_name"] == "In Chunks"


@pytest.mark.parametrize("waiting", ["state/wait/?since=0", "events/"])
def test_what_waits_reads_no_more_than_the_limit(service: ServiceProcesses, waiting: str) -> None:
    def without_end() -> Iterator[bytes]:
        for _ in range(1000):
            yield b"x" * 10_000

    session = "00000000-0000-4000-8000-000000000000"
    with contextlib.suppress(httpx.WriteError):  # it hangs up on the rest
        answer = httpx.request(
            "GET", f"{service.url}/api/v1/sessions/{session}/{waiting}", content=without_end()
        )
        assert (answer.status_code, answer.json()["code"]) == (413, "payload_too_large")


CHARSETS = pytest.mark.parametrize(
    "parameter",
    [
        *("charset=hex", "charset=rot13", "charset=utf-16", "charset=nope"),
        *("charset*=utf-8''%00", "charset*=utf-99''a", "x*=bogus'' y"),
    ],
)


@CHARSETS
@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/v1/games/?x=%E5%A4%A7", 200),
        ("/api/docs/?x=1", 200),
        ("/admin/login/?x=1", 200),
        ("/api/v1/sessions/00000000-0000-4000-8000-000000000000/state/wait/?since=0", 401),
    ],
)
def test_where_there_is_no_body_its_charset_is_passed_over(
    service: ServiceProcesses, path: str, status: int, parameter: str
) -> None:
    claimed = {"Content-Type": f"text/plain; {parameter}"}
    answer = httpx.get(f"{service.url}{path}", headers=claimed)
    assert answer.status_code == status
    assert "X-Request-ID" in answer.headers


@CHARSETS
def test_a_body_in_another_charset_is_refused(service: ServiceProcesses, parameter: str) -> None:
    answer = httpx.post(
        f"{service.url}/api/v1/players/guest/",
        content=b"{}",
        headers={"Content-Type": f"application/json; {parameter}"},
    )
    assert (answer.status_code, answer.json()["code"]) == (415, "unsupported_media_type")
