"""A bad connection: forwards calls to the service, and loses or alters what it answers."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx

Alter = Callable[[str, str, bytes], bytes | None]
Retell = Callable[[bytes], bytes]
KEPT = ("authorization", "content-type", "idempotency-key", "last-event-id")


def unaltered(method: str, path: str, body: bytes) -> bytes:
    """The answer as it came."""
    return body


def as_told(event: bytes) -> bytes:
    """The event as it came."""
    return event


@contextmanager
def forwarder(url: str, alter: Alter = unaltered, retell: Retell = as_told) -> Generator[str]:
    """The URL of a forwarder to `url`.

    `alter(method, path, body)` says what becomes of a good answer's body; None loses the answer.
    `retell(event)` says what is told instead of an event of a stream, with the empty line after it.
    """

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path.endswith("/events/"):
                self._forward_stream()
            else:
                self._forward()

        def do_POST(self) -> None:
            self._forward()

        def _kept_headers(self) -> dict[str, str]:
            return {name: self.headers[name] for name in KEPT if name in self.headers}

        def _forward_stream(self) -> None:
            # Either side may hang up at any time.
            with (
                suppress(OSError, httpx.HTTPError, httpx.StreamError),
                client.stream("GET", self.path, headers=self._kept_headers()) as answer,
            ):
                streams.append(answer.extensions["network_stream"].get_extra_info("socket"))
                self.send_response(answer.status_code)
                self.send_header("Content-Type", answer.headers["Content-Type"])
                self.end_headers()
                event = b""
                for line in answer.iter_lines():
                    event += f"{line}\n".encode()
                    if not line:
                        self.wfile.write(retell(event))
                        event = b""

        def _forward(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            answer = client.request(
                self.command,
                self.path,
                content=self.rfile.read(length),
                headers=self._kept_headers(),
            )
            body: bytes | None = answer.content
            if answer.is_success:
                body = alter(self.command, self.path.removeprefix("/api/v1/"), answer.content)
            if body is None:
                self.close_connection = True
                return
            self.send_response(answer.status_code)
            self.send_header("Content-Type", answer.headers["Content-Type"])
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    streams: list[socket.socket] = []
    client = httpx.Client(base_url=url, timeout=40.0)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
        for connection in streams:
            # Closing alone would leave it to the thread that reads from it.
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        client.close()
