"""One session from a new guest to the best score: played, told, and checked on the way."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from config.playing.choices import move_choose, must_act
from config.playing.client import Client
from config.playing.errors import require
from config.playing.review import review_history, review_round, review_scores
from config.playing.story import RoundStory
from config.playing.table import State, Table
from config.playing.wording import Wording, seat_name


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be played. None leaves a choice to the service.

    `client_seed` None draws one for each round; `timeout` is how long the table may stand still.
    """

    game: str
    rounds: int = 1
    level: str | None = None
    bot_delay_ms: int | None = None
    client_seed: str | None = None
    timeout: float = 60.0


class SessionPlay:
    """One guest at one table against bots."""

    def __init__(self, client: Client, plan: Plan, encoding: str, say: Callable[[str], None]):
        """Play by `plan`, and give every line to `say`, in characters of this encoding."""
        self._client = client
        self._plan = plan
        self._wording = Wording(encoding)
        self._write = say

    def run(self) -> None:
        """Play to the end. Raises PlayError if that cannot be, or if anything does not add up."""
        table = self._open_table()
        settlements = [
            self._play_round(table, number) for number in range(1, self._plan.rounds + 1)
        ]
        self._look_back(table.post("finish/", {}), table, settlements)

    def _say(self, line: str = "") -> None:
        self._write(self._wording.printable(line))

    def _open_table(self) -> Table:
        plan = self._plan
        guest = self._client.post("players/guest/", {"device_secret": secrets.token_urlsafe(32)})
        self._client.log_in(guest["token"])
        options = {"bot_level": plan.level, "bot_delay_ms": plan.bot_delay_ms}
        chosen = {name: value for name, value in options.items() if value is not None}
        body = {"game": plan.game, "options": chosen, "start": False}
        table = Table(self._client, self._client.post("sessions/", body), plan.timeout)
        self._say(f"{self._wording.game(plan.game)} at {self._client.url}, session {table.id}")
        return table

    def _play_round(self, table: Table, number: int) -> dict[str, Any]:
        """The settlement of a whole round."""
        promised = table.state()["next_commitment"]
        require(promised, f"No commitment is shown before round {number} is dealt.")
        client_seed = self._plan.client_seed
        if client_seed is None:
            client_seed = secrets.token_hex(8)
        table.post("start/" if number == 1 else "rounds/", {"client_seed": client_seed})
        state = table.state()
        require(
            state["commitment"] == promised,
            f"Round {number} was dealt under {state['commitment']}; committed to was {promised}.",
        )
        self._say()
        self._say(f"Round {number}. Commitment {promised}, then client seed {client_seed!r}")
        names = [seat_name(seat, state["you"]["seat"]) for seat in state["seats"]]
        story = RoundStory(table, number, names, self._wording, self._say)
        while state["status"] == "playing":
            story.tell(state)
            state = self._act(table, state) if must_act(state) else table.wait(state)
        story.tell(state)

        settlement: dict[str, Any] = state["settlement"]
        review_round(
            number,
            commitment=promised,
            settlement=settlement,
            replay=table.get(f"rounds/{number}/"),
            moves=story.told,
        )
        self._say(f"Settled after {story.told} moves.")
        for line in self._wording.settlement(settlement, names):
            self._say(f"  {line}")
        self._say(f"  Server seed {settlement['server_seed']}, as committed")
        return settlement

    def _act(self, table: Table, state: State) -> State:
        move = move_choose(
            state,
            legal_plays=lambda: table.get("legal-plays/"),
            is_accepted=table.would_be_accepted,
        )
        return table.move(move, state)

    def _look_back(
        self, session: dict[str, Any], table: Table, settlements: list[dict[str, Any]]
    ) -> None:
        client = self._client
        rounds = list(client.pages(f"sessions/{table.id}/rounds/"))[::-1]
        newest = client.get("sessions/", limit=1)["results"]
        ledger = list(client.pages("players/me/ledger/"))[::-1]
        scores = client.get("players/me/scores/")["results"]
        score = next(score for score in scores if score["game"] == self._plan.game)
        own = table.state()["you"]["seat"]
        points = [settlement["points"][own] for settlement in settlements]
        self._say()
        for line in self._wording.history(rounds, ledger, score):
            self._say(line)
        review_history(session, rounds=rounds, newest=newest, settlements=settlements)
        review_scores(score, ledger=ledger, points=points)
        self._say()
        self._say(
            "All is well: no version went down, points add up to 0, history, ledger and best "
            "score agree with them, and every server seed is the one committed to."
        )
