"""A frontend in the tests: JSON over Django's handler stack, as one player."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.test import Client

from bots.services import bot_turn_play
from games.models import Session, SessionStatus
from games.rules.registry import VARIANTS
from games.selectors.clocks import waiting_for
from games.selectors.live import live_round_get
from games.selectors.tables import table_for_service
from tests.openapi import check_answer

GAME = "big-two-tw"


class Answer:
    """A response with its JSON read."""

    def __init__(self, response: Any) -> None:
        self.response = response
        self.status: int = response.status_code
        self.headers = response.headers
        self.bytes: bytes = response.content
        is_json = "json" in response.headers.get("Content-Type", "")
        self.json: Any = json.loads(response.content) if is_json and response.content else None

    @property
    def code(self) -> str:
        """The problem's code."""
        assert self.headers["Content-Type"] == "application/problem+json", self.bytes
        assert self.json["status"] == self.status
        return str(self.json["code"])


class Api:
    """One player's device. Every answer is held against the OpenAPI document, as everywhere.

    `raise_request_exception` is off: a 500 is an answer here too.
    """

    def __init__(self, token: str | None = None, player: dict[str, Any] | None = None) -> None:
        self.client = Client(raise_request_exception=False)
        self.token = token
        self.player = player or {}

    @classmethod
    def guest(cls) -> Api:
        answer = cls().post("players/guest/", {})
        assert answer.status == 201, answer.bytes
        return cls(answer.json["token"], answer.json["player"])

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """`headers` with underscores for dashes; `body` bytes are sent as they are."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token:
            sent.setdefault("Authorization", f"Bearer {self.token}")
        content_type = sent.pop("Content-Type", "application/json")
        data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body)
        url = path if path.startswith("/") else f"/api/v1/{path}"
        response = self.client.generic(method, url, data, content_type=content_type, headers=sent)
        if response.streaming:
            whole = b"".join(response)
            response = HttpResponse(whole, status=response.status_code, headers=response.headers)
            check_answer(method, url, b"", response)
        return Answer(response)

    def get(self, path: str, **headers: str) -> Answer:
        return self.call("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Answer:
        return self.call("POST", path, body, **headers)

    # --- a table ---

    def open_table(self, **body: Any) -> Table:
        answer = self.post("sessions/", {"game": GAME, **body})
        assert answer.status == 201, answer.bytes
        return Table(self, answer.json["id"])


class Table:
    """A session as its host's app handles it."""

    def __init__(self, api: Api, session_id: str) -> None:
        self.api = api
        self.id = session_id

    def path(self, rest: str = "") -> str:
        return f"sessions/{self.id}/{rest}"

    def get(self, rest: str = "", **headers: str) -> Answer:
        return self.api.get(self.path(rest), **headers)

    def post(self, rest: str, body: Any = None, **headers: str) -> Answer:
        return self.api.post(self.path(rest), body, **headers)

    def state(self) -> dict[str, Any]:
        answer = self.get("state/")
        assert answer.status == 200, answer.bytes
        return dict(answer.json)

    def move(self, **body: Any) -> Answer:
        return self.post("moves/", body)

    def row(self) -> Session:
        return Session.objects.get(pk=self.id)

    def bots_play(self) -> dict[str, Any]:
        """Let the bots act, here instead of in a worker, until a person must."""
        while True:
            while waiting := self._bot_awaited():
                turn, seat = waiting
                assert bot_turn_play(session_id=UUID(self.id), turn=turn, seat=seat)
            state = self.state()
            if not self._bot_awaited():  # the look itself acts for whose time is up
                return state

    def _bot_awaited(self) -> tuple[int, int] | None:
        """The open turn and the first seat that a bot is to play in it; cheaper than a state."""
        table = table_for_service(session_id=UUID(self.id))
        assert table is not None
        if table.session.status != SessionStatus.PLAYING:
            return None
        live = live_round_get(table.session)
        assert live is not None
        bots = waiting_for(table, live).bots
        return (table.session.turn, bots[0]) if bots else None

    def seen_by(self, api: Api) -> Table:
        """The same session as another player's app handles it."""
        return Table(api, self.id)

    def follow_hint(self) -> Answer:
        """Make the move that the hint names; good in every phase of every game."""
        hint = self.get("hint/")
        assert hint.status == 200, hint.bytes
        move = {name: value for name, value in hint.json["move"].items() if value is not None}
        return self.move(**move)

    def play_lowest(self, state: dict[str, Any]) -> Answer:
        """The weakest play, else a pass."""
        plays = self.get("legal-plays/").json
        if plays["plays"]:
            body: dict[str, Any] = {"type": "play", **plays["plays"][0]}
        else:
            body = {"type": "pass"}
        return self.move(**body, turn=state["turn"])

    def play_on(self, *people: Table) -> dict[str, Any]:
        """Let this player, the others and the bots play the round to its end by their hints."""
        tables = {table.state()["you"]["seat"]: table for table in (self, *people)}
        state = self.bots_play()
        while state["status"] == "playing":
            awaited = [s for s in state["to_act"] if not state["seats"][s]["has_acted"]]
            answer = tables[awaited[0]].follow_hint()
            assert answer.status == 201, answer.bytes
            state = self.bots_play()
        return state

    def play_round(self) -> dict[str, Any]:
        """Play the running round to its end; the state after it."""
        state = self.bots_play()
        while state["status"] == "playing":
            answer = self.play_lowest(state)
            assert answer.status == 201, answer.bytes
            state = self.bots_play()
        return state


class People:
    """Several people at one private table in a round, each with an app of their own."""

    def __init__(self, tables: list[Table]) -> None:
        self.host = tables[0]
        self.tables = tables

    @classmethod
    def at_a_table(cls, game: str, *, others: int, **body: Any) -> People:
        """A guest in seat 0, as many others in the seats after it, bots in the rest; dealt."""
        seats = VARIANTS[game].info.seats
        plan = [{"kind": "open"}] * others + [{"kind": "bot"}] * (seats - 1 - others)
        host = Api.guest().open_table(game=game, seats=plan, start=False, **body)
        tables = [host]
        for _ in range(others):
            guest = Api.guest()
            answer = guest.post("sessions/join/", {"code": host.get().json["join_code"]})
            assert answer.status == 200, answer.bytes
            tables.append(host.seen_by(guest))
        assert host.post("start/").status == 200
        return cls(tables)

    def by_seat(self, seat: int) -> Table:
        """The table as the person of this seat sees it."""
        return self.tables[seat]

    def play_on(self) -> dict[str, Any]:
        """Play the round to its end by everybody's hints; the host's state after it."""
        return self.host.play_on(*self.tables[1:])
