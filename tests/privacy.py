"""A reader that asks for everything that a viewer of a table can, and searches what comes back."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from tests.clients import Answer, Api
from tests.knowledge import Knowledge
from tests.leaks import EXPORT, Body, Told, leaks
from tests.openapi import document

# The same for everybody, of no session and no caller.
CATALOGUE = "/api/v1/games/"
SESSION = "/api/v1/sessions/{session_id}/"
QUERIES = {
    f"{SESSION}state/wait/": ["?since=0&timeout=0"],
    f"{SESSION}moves/": ["", "?round={number}", "?after=1"],
    "/api/v1/sessions/": ["", "?scope=open", "?status=playing"],
}
# What is sent in a running round besides moves, and is refused or changes nothing.
REFUSED: dict[tuple[str, str], Body] = {
    ("POST", f"{SESSION}start/"): {},
    ("POST", f"{SESSION}rounds/"): {},
    ("POST", f"{SESSION}rematch/"): {},
    ("PATCH", f"{SESSION}seats/{{number}}/"): {"kind": "open"},
}
# What is done by those who play, whose answers are read there.
DONE = {
    ("POST", f"{SESSION}{name}/")
    for name in ("moves", "moves/preview", "join", "leave", "finish", "autoplay")
}


@dataclass
class Viewer:
    """Somebody who looks at a table: from a seat, or from beside it."""

    name: str
    api: Api
    seat: int | None = None
    dealt: int | None = None
    """The seat whose hand was the viewer's, also of one who has left: their export tells what they
    were told then."""
    shut_out: int | None = None
    """The status of everything that is asked of the session, for who may not even see that it
    is there."""


class Reader:
    """Reads a session as its viewers can, and searches all that comes back."""

    def __init__(self, session_id: str, *, game: str, host: str) -> None:
        self.session_id, self.game, self.host = session_id, game, host
        self.searched: Counter[str] = Counter()
        self.found: list[str] = []

    def knowledge(self) -> Knowledge:
        return Knowledge.of(self.session_id)

    def search(self, viewer: Viewer, told: Iterable[Told], knowledge: Knowledge) -> None:
        for one in told:
            self.searched[one.where.split("?")[0]] += 1
            seat = viewer.dealt if EXPORT in one.where else viewer.seat
            self.found += [
                f"{viewer.name} got {leak} from {one.where} ({one.status})"
                for leak in leaks(one, knowledge, seat)
            ]

    def read(self, viewer: Viewer, *, bodies: Iterable[Body] = ()) -> list[Told]:
        """Everything that this viewer can ask for now; with these bodies, what they would be and,
        where that is a refusal, the refusal."""
        knowledge = self.knowledge()
        told = list(self._gets(viewer))
        if knowledge.running:
            told += self._refusals(viewer)
        for body in bodies:
            told += self._tried(viewer, body)
        self.search(viewer, told, knowledge)
        return told

    def states(self, viewers: Iterable[Viewer]) -> None:
        """Only the state, of each of these."""
        knowledge = self.knowledge()
        for viewer in viewers:
            self.search(viewer, [self._ask(viewer, "GET", f"{SESSION}state/")], knowledge)

    def tell(self, viewer: Viewer, answer: Answer, sent: Body) -> None:
        """Search an answer that was had elsewhere: of a move that was made."""
        told = Told("a move", answer.bytes, _lines(answer.headers), sent, answer.status)
        self.search(viewer, [told], self.knowledge())

    def _gets(self, viewer: Viewer) -> Iterator[Told]:
        for template, operations in document()["paths"].items():
            if "get" in operations and not template.startswith(CATALOGUE):
                for query in QUERIES.get(template, [""]):
                    yield self._ask(viewer, "GET", template + query)
        # From its beginning: every event of the table.
        yield self._ask(viewer, "GET", f"{SESSION}events/", Last_Event_ID="1")

    def _refusals(self, viewer: Viewer) -> Iterator[Told]:
        for template, operations in document()["paths"].items():
            if template.startswith(SESSION):
                for method in {"POST", "PATCH", "PUT", "DELETE"} & set(map(str.upper, operations)):
                    if (method, template) not in DONE:
                        yield self._ask(viewer, method, template, REFUSED[method, template])

    def _tried(self, viewer: Viewer, body: Body) -> Iterator[Told]:
        preview = self._ask(viewer, "POST", f"{SESSION}moves/preview/", body)
        yield preview
        if preview.status != 200 or not json.loads(preview.body)["accepted"]:
            refused = self._ask(viewer, "POST", f"{SESSION}moves/", body)
            assert refused.status in (401, 403, 404, 409, 422), refused
            yield refused

    def _ask(
        self,
        viewer: Viewer,
        method: str,
        template: str,
        sent: Body | None = None,
        **headers: str,
    ) -> Told:
        """The answer, which is not held against the OpenAPI document: that would take longer than
        all else, and is done where each address is tested."""
        values = {"session_id": self.session_id, "number": 1, "game": self.game, "id": self.host}
        headers |= {"X-Request-ID": "the-reader", "Accept-Language": "en"}
        if viewer.api.token:
            headers["Authorization"] = f"Bearer {viewer.api.token}"
        response: Any = viewer.api.client.generic(
            method,
            template.format(**values),
            b"" if sent is None else json.dumps(sent),
            content_type="application/json",
            headers={name.replace("_", "-"): value for name, value in headers.items()},
        )
        body = b"".join(response)
        where = f"{method} {template}"
        expected: tuple[int, ...] = (200, 304, 401, 403, 404, 409, 422)
        if viewer.shut_out and template.startswith(SESSION):
            expected = (viewer.shut_out,)
        assert response.status_code in expected, (viewer.name, where, response.status_code, body)
        return Told(where, body, _lines(response.headers), sent, response.status_code)


def _lines(headers: Any) -> str:
    return "\n".join(f"{name}: {value}" for name, value in sorted(headers.items()))
