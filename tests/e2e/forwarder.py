"""A bad connection: forwards calls to the service, and loses or alters what it answers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx

Alter = Callable[[str, str, bytes], bytes | None]
KEPT = ("authorization", "content-type", "idempotency-key")


@contextmanager
def forwarder(url: str, alter: Alter) -> Generator[str]:
    """The URL of a forwarder to `url`.

    `alter(method, path, body)` says what becomes of a good answer's body; None loses the answer.
    """

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._forward()

        def do_POST(self) -> None:
            self._forward()

        def _forward(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            headers = {name: self.headers[name] for name in KEPT if name in self.headers}
            answer = client.request(
                self.command, self.path, content=self.rfile.read(length), headers=headers
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
        client.close()
