"""A player with nothing but HTTP, as `curl` would be used. Knows no code of the service."""

from __future__ import annotations

import time
from typing import Any

import httpx

from tests.openapi import check_http

Json = dict[str, Any]


class HttpPlayer:
    """A guest of a running service."""

    def __init__(self, url: str) -> None:
        # Every answer is held against the OpenAPI document.
        self.http = httpx.Client(
            base_url=f"{url}/api/v1/", timeout=40.0, event_hooks={"response": [check_http]}
        )
        answer = self.http.post("players/guest/", json={})
        assert answer.status_code == 201, answer.text
        self.http.headers["Authorization"] = f"Bearer {answer.json()['token']}"

    def open_table(self, **options: Any) -> HttpTable:
        answer = self.http.post("sessions/", json={"game": "big-two-tw", "options": options})
        assert answer.status_code == 201, answer.text
        return HttpTable(self, answer.json()["id"])


class HttpTable:
    """A session of that player."""

    def __init__(self, player: HttpPlayer, session_id: str) -> None:
        self.player = player
        self.id = session_id
        self.path = f"sessions/{session_id}/"

    def get(self, rest: str, **query: Any) -> httpx.Response:
        return self.player.http.get(f"{self.path}{rest}", params=query)

    def post(self, rest: str, body: Json, key: str | None = None) -> httpx.Response:
        headers = {"Idempotency-Key": key} if key else {}
        return self.player.http.post(f"{self.path}{rest}", json=body, headers=headers)

    def state(self) -> Json:
        return self.get("state/").json()

    def log(self, **query: Any) -> list[Json]:
        return self.get("moves/", **query).json()["results"]

    def wait_for_turn(self, state: Json, *, within: float = 30.0) -> Json:
        """The state in which the player must act, or in which the round is over."""
        deadline = time.monotonic() + within
        while state["status"] == "playing" and state["to_act"] != [0]:
            assert time.monotonic() < deadline, f"stands still: {state}"
            state = self.get("state/wait/", since=state["version"], timeout=5).json()
        return state

    def weakest_move(self, state: Json) -> Json:
        plays = self.get("legal-plays/").json()["plays"]
        chosen: Json = {"type": "play", **plays[0]} if plays else {"type": "pass"}
        return {**chosen, "turn": state["turn"]}

    def act(self, state: Json) -> Json:
        """The state after the player's weakest move, as the service answers it."""
        answer = self.post("moves/", self.weakest_move(state))
        assert answer.status_code == 201, answer.text
        return answer.json()["state"]

    def play_on(self, state: Json, *, moves: int = 1000) -> Json:
        """Play until the round is over, or for so many own moves."""
        state = self.wait_for_turn(state)
        while state["status"] == "playing" and moves > 0:
            state = self.wait_for_turn(self.act(state))
            moves -= 1
        return state
