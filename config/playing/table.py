"""One session as its host's app handles it: its calls, and the newest version that was seen."""

from __future__ import annotations

import time
from typing import Any, Final

from config.playing.client import Client
from config.playing.errors import PlayError, Refused, require

State = dict[str, Any]

LONGEST_WAIT: Final = 20


class Table:
    """A session of the client's player. `patience` is how long it may stand still, in seconds."""

    def __init__(self, client: Client, session: dict[str, Any], patience: float) -> None:
        self.client = client
        self.id: str = session["id"]
        self._patience = patience
        self._version = 0
        self._changed_at = 0.0
        self._note(session)

    def get(self, rest: str, **query: Any) -> Any:
        """What the service says below the session's path. Raises as `Client.get` does."""
        return self.client.get(f"sessions/{self.id}/{rest}", **query)

    def post(self, rest: str, body: dict[str, Any]) -> Any:
        """The same for a change that answers with the session."""
        return self._note(self.client.post(f"sessions/{self.id}/{rest}", body))

    def state(self) -> State:
        """What the player may see now."""
        return self._note(self.get("state/"))

    def wait(self, state: State) -> State:
        """The next state, or the same after a while. Raises PlayError if patience is at its end."""
        self._require_movement(state)
        seconds = max(1, min(LONGEST_WAIT, int(self._patience)))
        return self._note(
            self.get("state/wait/", takes=seconds, since=state["version"], timeout=seconds)
        )

    def would_be_accepted(self, move: dict[str, Any]) -> bool:
        """Whether the service would accept this move now."""
        return bool(self.client.post(f"sessions/{self.id}/moves/preview/", move)["accepted"])

    def move(self, move: dict[str, Any], state: State) -> State:
        """The state after a move that was chosen for `state`; where others were faster, theirs.

        Raises Refused for any other refusal.
        """
        body = {**move, "turn": state["turn"]}
        try:
            answer = self.client.post(f"sessions/{self.id}/moves/", body)
        except Refused as refusal:
            if refusal.status != 409 or refusal.state is None:
                raise
            self._require_movement(state)
            return self._note(refusal.state)
        return self._note(answer["state"])

    def _note(self, told: dict[str, Any]) -> dict[str, Any]:
        version = told["version"]
        require(version >= self._version, f"The version went from {self._version} to {version}.")
        if version > self._version:
            self._version, self._changed_at = version, time.monotonic()
        return told

    def _require_movement(self, state: State) -> None:
        if time.monotonic() - self._changed_at >= self._patience:
            raise PlayError(
                f"Session {self.id} has stood still for {self._patience:g} s at version "
                f"{self._version}, waiting for seat {state['to_act']}. Is a worker running?"
            )
