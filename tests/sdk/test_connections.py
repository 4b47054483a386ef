"""What the examples in TypeScript and Python make of each answer: one rule for both."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.sdk.conftest import SDK, run

pytestmark = pytest.mark.sdk

NO_ANSWER = 0
GONE = json.dumps(
    {
        "type": "urn:problem:not-found",
        "title": "Not found",
        "status": 404,
        "detail": "There is nothing here for you.",
        "code": "not_found",
        "request_id": "",
        "errors": [],
        "params": {},
    }
)
SESSION = "6c1d1f5e-9d0b-4f6a-8c3e-2b7a9e4d5f10"
PYTHON = f"""
import asyncio, sys, uuid
sys.path.insert(0, "examples/python")
from connection import Refused, send
from events import changes
from five_card_games_client import AuthenticatedClient
from five_card_games_client.api.play import get_state
from five_card_games_client.api.players import log_out_device

client = AuthenticatedClient(sys.argv[1], token="t")
at = uuid.UUID("{SESSION}")

async def first_change():
    async for _ in changes(client, at):
        return

calls = {{
    "log_out": lambda: send(lambda key: log_out_device.asyncio_detailed(client=client)),
    "state": lambda: send(lambda key: get_state.asyncio_detailed(at, client=client)),
    "changes": first_change,
}}
try:
    asyncio.run(calls[sys.argv[2]]())
    print("answered")
except Refused as refused:
    print(refused.problem.code)
"""
TYPESCRIPT = f"""
import {{ Refused, send }} from './out/javascript/examples/typescript/connection.js';
import {{ changes }} from './out/javascript/examples/typescript/events.js';
import {{ getState, logOutDevice }} from './out/javascript/out/typescript/index.js';
import {{ createClient }} from './out/javascript/out/typescript/client/index.js';

const client = createClient({{ baseUrl: process.argv[1], auth: () => 't' }});
const path = {{ session_id: '{SESSION}' }};
const signal = new AbortController().signal;
const calls = {{
  log_out: () => send(() => logOutDevice({{ client }})),
  state: () => send(() => getState({{ client, path }})),
  changes: () => changes(client, path.session_id, signal).next(),
}};
try {{
  await calls[process.argv[2]]();
  console.log('answered');
}} catch (error) {{
  if (!(error instanceof Refused)) throw error;
  console.log(error.problem.code);
}}
"""


class Answering(HTTPServer):
    """Answers with these statuses, one after the other, as a proxy would: without a problem."""

    statuses: list[int]
    asked = 0


class Handler(BaseHTTPRequestHandler):
    """One request to it."""

    def do_GET(self) -> None:
        """Answer, or hang up."""
        assert isinstance(self.server, Answering)
        self.server.asked += 1
        status = self.server.statuses.pop(0)
        if status == NO_ANSWER:
            return
        body = GONE.encode() if status == 404 else b""
        self.send_response(status)
        self.send_header("Content-Type", "application/problem+json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        """The same."""
        self.do_GET()

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""


@pytest.fixture
def answering() -> Iterator[Answering]:
    """A server that has nothing to say yet."""
    with Answering(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("call", "statuses", "told"),
    [
        ("log_out", [NO_ANSWER, 500, 502, 503, 504, 204], "answered"),
        ("log_out", [204], "answered"),
        ("state", [304], "answered"),
        ("state", [502, 404], "not_found"),
        ("changes", [NO_ANSWER, 503, 404], "not_found"),
    ],
)
@pytest.mark.parametrize("language", ["typescript", "python"])
def test_a_call_is_sent_until_it_has_an_answer(
    programs: Mapping[str, tuple[str | Path, ...]],
    answering: Answering,
    language: str,
    call: str,
    statuses: list[int],
    told: str,
):
    program = {
        "typescript": ("node", "--input-type=module", "--eval", TYPESCRIPT),
        "python": (sys.executable, "-c", PYTHON),
    }[language]
    answering.statuses = list(statuses)
    url = f"http://127.0.0.1:{answering.server_port}"
    path = str(SDK / "out" / "python")
    printed = run(*program, url, call, within=60.0, PYTHONPATH=path)
    assert printed.strip() == told
    assert answering.asked == len(statuses)
