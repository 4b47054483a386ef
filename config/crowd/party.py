"""A few people who play one session after another with each other, and how they get together."""

from __future__ import annotations

import asyncio
import math
import random
import secrets
import time
from typing import Any

from config.crowd.person import Person
from config.crowd.scene import Run
from config.crowd.sitting import SHORT_TURN, Sitting
from config.playing.errors import require

Body = dict[str, Any]


class Party:
    """People and their game, as the catalogue describes it."""

    def __init__(self, run: Run, rng: random.Random, game: Body, people: list[Person]) -> None:
        self.people = people
        self.sittings: list[Sitting] = []
        self._run, self._rng, self._game = run, rng, game

    async def play(self) -> None:
        """Play sessions until the run is over. What cannot be explained ends it and is told."""
        try:
            async with asyncio.TaskGroup() as tasks:
                for person in self.people:
                    tasks.create_task(person.device.sign_in())
            while not self._run.is_over:
                await self._play_session()
        except* Exception as group:  # whatever it is, the others go on
            for error in _causes(group):
                told = f"{self._game['slug']}: {str(error) or repr(error)}"
                self._run.tally.error(told)

    async def _play_session(self) -> None:
        at_the_last = await self._still_seated()
        if at_the_last and self._rng.random() < 0.5:
            sitting = await self._rematch(at_the_last)
        else:
            sitting = await self._new_session()
        self.sittings.append(sitting)
        self._run.tally.counts["sessions"] += 1
        async with asyncio.TaskGroup() as tasks:
            for person in self.people:
                if person.device.player_id in sitting.players:
                    tasks.create_task(person.play())
        await self._require_an_end(sitting)

    async def _require_an_end(self, sitting: Sitting) -> None:
        """If all have left, bots play the round to its end, and that is the session's."""
        reader = next(p for p in self.people if p.device.player_id in sitting.players)
        version, changed_at = 0, time.monotonic()
        while not sitting.is_over:
            state = await reader.sight.look()
            if state["version"] > version:
                version, changed_at = state["version"], time.monotonic()
            require(
                time.monotonic() - changed_at < self._run.scene.patience,
                f"Session {sitting.id} did not end, though everybody has left.",
            )
            await asyncio.sleep(1.0)

    async def _still_seated(self) -> list[Person]:
        """Who sat at the last session when it ended."""
        if not self.sittings:
            return []
        last = self.sittings[-1]
        reader = next(p for p in self.people if p.device.player_id in last.players)
        seats = await self._seats(reader, last.id)
        return [person for person in self.people if person.device.player_id in seats]

    async def _seats(self, reader: Person, session_id: str) -> dict[str, int]:
        session = (await reader.device.get(f"sessions/{session_id}/")).body
        return {seat["player"]["id"]: seat["seat"] for seat in session["seats"] if seat["player"]}

    async def _rematch(self, people: list[Person]) -> Sitting:
        last = self.sittings[-1]
        before = await self._seats(people[0], last.id)
        sitting = await self._all_post(people, f"{last.path}rematch/", {}, "rematch")
        after = await self._seats(people[0], sitting.id)
        require(before == after, f"The rematch of {before} in session {last.id} seats {after}.")
        return sitting

    async def _new_session(self) -> Sitting:
        if len(self.people) > 1 and self._rng.random() < 0.3:
            # Options that nobody else has asked for, so that they find each other only.
            options = {**self._options(), "rounds": 100 + secrets.randbelow(900)}
            body = {"game": self._game["slug"], "options": options}
            return await self._all_post(self.people, "sessions/quick-join/", body, "quick-join")
        return await self._open_and_join()

    async def _all_post(self, people: list[Person], path: str, body: Body, name: str) -> Sitting:
        """All ask at once, and must find themselves at one table."""
        answers = await asyncio.gather(*(person.device.post(path, body) for person in people))
        found = {answer.body["id"] for answer in answers}
        require(
            len(found) == 1, f"{len(people)} people were led to the sessions {found} by {name}."
        )
        self._run.tally.ways[f"by {name}"] += 1
        return self._sit_down(answers[0].body, people)

    async def _open_and_join(self) -> Sitting:
        host, *guests = self.people
        others = self._game["seats"] - 1
        kinds = ["open"] * len(guests)
        kinds += self._rng.choices(["open", "bot"], k=others - len(guests))
        is_public = self._rng.random() < 0.5
        body = {
            "game": self._game["slug"],
            "options": self._options(),
            "seats": [{"kind": kind} for kind in kinds],
            "visibility": "public" if is_public else "private",
            "start": self._rng.random() < 0.5,
        }
        session = (await host.device.post("sessions/", body)).body
        for guest in guests:
            if is_public:
                await guest.device.post(f"sessions/{session['id']}/join/", {})
            else:
                code = {"code": session["join_code"].lower()}
                await guest.device.post("sessions/join/", code)
        self._run.tally.ways["by public join" if is_public else "by code"] += bool(guests)
        return self._sit_down(session, self.people)

    def _sit_down(self, session: Body, people: list[Person]) -> Sitting:
        sitting = Sitting(session, self._run.tally)
        for person in people:
            person.sit_down(sitting)
        return sitting

    def _options(self) -> Body:
        think = self._run.scene.think
        options: Body = {
            "bot_delay_ms": min(5000, round(1000 * think * self._rng.uniform(0.2, 0.6))),
            "bot_level": self._rng.choice(["easy", "normal"]),
        }
        if self._rng.random() < 0.4:
            options["turn_seconds"] = min(SHORT_TURN, 2 + math.ceil(think * 2))
        if self._rng.random() < 0.3:
            options["rounds"] = self._rng.randint(1, 4)
        known = self._game["options"]["properties"]
        short = {"redeal_window_ms": round(think * 500), "extension_seconds": 2}
        return options | {name: value for name, value in short.items() if name in known}


def _causes(group: BaseExceptionGroup[BaseException]) -> list[BaseException]:
    """The errors themselves, each once."""
    found: list[BaseException] = []
    for error in group.exceptions:
        inner = _causes(error) if isinstance(error, BaseExceptionGroup) else [error]
        found += [one for one in inner if one not in found]
    return found
