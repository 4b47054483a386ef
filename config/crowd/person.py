"""One simulated person: follows a table, plays when it must, and now and then behaves badly."""

from __future__ import annotations

import asyncio
import random
import uuid
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from typing import Final

from config.crowd.device import Answer, Device
from config.crowd.following import MANNERS, Sight
from config.crowd.scene import Deck, Run
from config.crowd.sitting import Sitting, State
from config.playing.choices import Body, arrangements, move_evident, move_weakest, must_act
from config.playing.errors import Refused, require

OVERTAKEN: Final = frozenset({"stale_turn", "not_your_turn", "wrong_phase", "round_over"})
"""What a move may be refused with that comes too late."""
# Those who wait see many more states than they decide.
FAULTS_WHILE_WAITING: Final = 1 / 3
QUICK: Final = 0.1


DECIDING, WAITING, HOSTING = "deciding", "waiting", "hosting"
"""When a person may do something wrong."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One kind. `commit` says whether the person has nothing more to do for that state."""

    name: str
    fits: Callable[[Person, State], bool]
    commit: Callable[[Person, State], Awaitable[bool]]


class Person:
    """A guest. `decks` are the faults that the crowd has left to commit."""

    def __init__(
        self, device: Device, run: Run, rng: random.Random, decks: dict[str, Deck[Fault]]
    ) -> None:
        self.device, self.run, self.rng = device, run, rng
        self.has_left = False
        self.last_sent: tuple[str, Body, str, Answer] | None = None
        """Path, body, key and answer of the last move."""
        self._decks = decks
        self._sight: Sight | None = None

    @property
    def sight(self) -> Sight:
        """The table as this person sees it."""
        assert self._sight is not None
        return self._sight

    @property
    def sitting(self) -> Sitting:
        """The session at which this person sits."""
        return self.sight.sitting

    def sit_down(self, sitting: Sitting) -> None:
        """Be at this table from now on."""
        sitting.players.add(self.device.player_id)
        self._sight = Sight(self.device, sitting)
        self.has_left = False

    async def play(self) -> None:
        """Play until the session has ended, or until this person has left it for good.

        Raises PlayError for everything that cannot be explained.
        """
        try:
            state = await self.sight.look()
            self.open_app()
            while state["status"] != "finished":
                await self._attend_seated(state)
                if self.has_left:
                    return
                # A person who has gone is acted for when the time is up.
                patience = self.run.scene.patience + self.sitting.turn_seconds
                state = await self.sight.newer(state["version"], within=patience)
            await self.sight.hear_the_end(state["version"], within=self.run.scene.patience)
        finally:
            await self.sight.stop_following()

    def open_app(self) -> None:
        """Follow the table in one of the manners."""
        manner = self.rng.choices(list(MANNERS), weights=(6, 2, 2))[0]
        self.run.tally.ways[f"app: {manner}"] += 1
        self.sight.follow(manner)

    async def think(self) -> None:
        """Pause as a person does; not for long when it is time to go home."""
        mean = QUICK if self.run.is_over else self.run.scene.think
        await asyncio.sleep(mean * self.rng.uniform(0.5, 1.5))

    async def _attend_seated(self, state: State) -> None:
        """Whom the host has removed may learn it by a refusal."""
        try:
            await self._attend(state)
        except Refused as refusal:
            if refusal.code != "not_seated" or (await self.sight.look())["you"] is not None:
                raise
            await self._go()

    async def _go(self) -> None:
        codes = ("removed_from_table", "session_finished")
        await self.require_refused("came in again", f"{self.sitting.path}join/", {}, codes)
        self.has_left = True

    def require_equal(self, name: str, first: Answer, again: Answer) -> None:
        """Raise PlayError unless both answers to a deliberate fault are the same, to the byte."""
        require(
            (first.status, first.content) == (again.status, again.content),
            f"{name}: the same request was answered with {first.word} and then with {again.word}:\n"
            f"{first.content!r}\n{again.content!r}",
        )
        self.run.tally.fault(name, f"equal {again.word}")

    async def require_refused(
        self, name: str, path: str, body: Body, codes: Collection[str], key: str | None = None
    ) -> None:
        """Raise PlayError unless the body, a deliberate fault, is refused with one of the codes."""
        answer = await self.device.post(path, body, key=key, expect=codes)
        require(answer.code, f"{name}: {body} at {path} was accepted.")
        self.run.tally.fault(name, answer.word)

    async def _attend(self, state: State) -> None:
        if state["you"] is None:
            await self._go()
        elif state["status"] != "playing":
            await self._between_rounds(state)
        elif must_act(state):
            await self._decide()
        else:
            await self._wait(state)

    async def _between_rounds(self, state: State) -> None:
        session = (await self.device.get(self.sitting.path)).body
        if session["status"] != state["status"]:
            return
        if session["host"] != self.device.player_id:
            await self._commit(WAITING, self.run.scene.faults, state)
            return
        await self.think()
        seed = {"client_seed": f"{self.rng.random()} 牌"}
        if session["status"] == "lobby":
            await self._deal("start/", seed)
        elif self.run.is_over or self.rng.random() < 0.1:
            await self.device.post(f"{self.sitting.path}finish/", {})
        elif not await self._commit(HOSTING, self.run.scene.faults, state):
            await self._deal("rounds/", seed)

    async def _deal(self, rest: str, seed: Body) -> None:
        session = (await self.device.post(f"{self.sitting.path}{rest}", seed)).body
        # Without open seats fewer people may need a limit.
        self.sitting.turn_seconds = session["options"]["turn_seconds"]

    async def _decide(self) -> None:
        await self.think()
        state = self.sight.state
        if state is None or not must_act(state):
            return
        if state["you"]["autoplay"]:
            if self.run.is_over or self.rng.random() < 0.3:
                await self.set_autoplay(enabled=False)
            return
        if await self._commit(DECIDING, self.run.scene.faults, state):
            return
        await self.move(state, await self.choose(state))

    async def _wait(self, state: State) -> None:
        if "call_redeal" in state["you"]["actions"] and self.rng.random() < 0.5:
            refused = {*OVERTAKEN, "redeal_already_called"}
            await self.move(state, {"type": "call_redeal"}, expect=refused)
            return
        await self._commit(WAITING, self.run.scene.faults * FAULTS_WHILE_WAITING, state)

    async def _commit(self, moment: str, chance: float, state: State) -> bool:
        """Perhaps do something wrong; whether that was all for now."""
        if self.run.is_over or self.rng.random() >= chance:
            return False
        fault = self._decks[moment].draw(lambda fault: fault.fits(self, state))
        return fault is not None and await fault.commit(self, state)

    async def choose(self, state: State) -> Body | None:
        """A move; None where somebody was faster."""
        if "extend" in state["you"]["actions"] and self.rng.random() < 0.2:
            return {"type": "extend"}
        if self.rng.random() < 0.4:
            move = (await self.device.get(f"{self.sitting.path}hint/")).body["move"]
            return None if move is None else {**move, "turn": state["turn"]}
        if move := move_evident(state):
            return move
        if "arrange" in state["you"]["actions"]:
            first, second = arrangements(state["you"]["hand"])
            return first if await self._is_accepted(first) else second
        return await self._weakest_play()

    async def _weakest_play(self) -> Body | None:
        found = (await self.device.get(f"{self.sitting.path}legal-plays/")).body
        if not found["plays"] and not found["can_pass"]:
            return None
        return move_weakest(found["plays"])

    async def _is_accepted(self, move: Body) -> bool:
        answer = await self.device.post(f"{self.sitting.path}moves/preview/", move)
        return bool(answer.body["accepted"])

    def may_be_overtaken(self, state: State) -> bool:
        """Whether somebody else can close the decision before this person's move arrives."""
        alone = self.sitting.players == {self.device.player_id} and not self.sitting.turn_seconds
        opening = state["trick"] is not None and state["trick"]["must_include"] is not None
        # Rows may be set anew until the last seat has set its own, which may be a bot's.
        anew = state["seats"][state["you"]["seat"]]["has_acted"]
        redeal = state["phase"] == "redeal"
        return not alone or opening or redeal or anew or state["you"]["autoplay"]

    async def move(
        self, state: State, move: Body | None, *, expect: Collection[str] = OVERTAKEN
    ) -> None:
        """Make the move that was chosen for this state; None looks at what others have done."""
        if move is None:
            require(
                self.may_be_overtaken(state),
                f"Nobody but seat {state['you']['seat']} could act in version {state['version']} "
                f"of session {self.sitting.id}, and it has no move.",
            )
            await self.sight.look()
            return
        key = str(uuid.uuid4())
        await self.send(state, move, key, expect)

    async def send(
        self, state: State, move: Body, key: str, expect: Collection[str] = OVERTAKEN
    ) -> Answer:
        """The answer to a move for this state, with what it says taken note of."""
        path = f"{self.sitting.path}moves/"
        body = {**move, "turn": state["turn"]}
        answer = await self.device.post(
            path, body, key=key, expect=expect if self.may_be_overtaken(state) else ()
        )
        self.last_sent = (path, body, key, answer)
        self.take_note(answer)
        return answer

    def take_note(self, answer: Answer) -> None:
        """Of the answer to a move: every one but a 422 comes with the state."""
        if answer.code is None:
            self.sitting.moved(answer.body["state"]["version"], answer.came_at)
        else:
            self.run.tally.late[answer.word] += 1
        state = answer.body.get("state")
        require(state, f"A move at session {self.sitting.id} was answered without a state.")
        self.sight.show(state)

    async def set_autoplay(self, *, enabled: bool) -> None:
        """Let the server play, or not."""
        path = f"{self.sitting.path}autoplay/"
        answer = await self.device.post(path, {"enabled": enabled}, expect=("session_finished",))
        if answer.code is None:
            self.sight.show(answer.body)
