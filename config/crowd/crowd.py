"""The whole run: people gather, play until the time is over, and everything is looked at again."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from typing import Final

import httpx

from config.crowd.device import Device
from config.crowd.faults import FAULTS
from config.crowd.party import Party
from config.crowd.person import Person
from config.crowd.review import (
    Json,
    SessionStory,
    review_ledger,
    review_scores,
    review_story,
    story_read,
)
from config.crowd.scene import Deck, Run, Scene
from config.crowd.tally import Tally
from config.playing.errors import PlayError, require

PROGRESS_EVERY: Final = 10.0
COME_WITHIN: Final = 20.0
READERS: Final = 8


class Crowd:
    """Many parties at once."""

    def __init__(self, scene: Scene, say: Callable[[str], None]) -> None:
        """Play `scene`, and give every line to `say`."""
        self._scene, self._say = scene, say
        self._tls = httpx.create_ssl_context()
        self._tally = Tally()
        self._stories: list[SessionStory] = []

    async def play(self) -> Tally:
        """What came of it. Raises PlayError if the service cannot be asked at all."""
        run = Run(self._scene, self._tally)
        games = await self._games()
        parties = self._gather(run, games)
        telling = asyncio.create_task(self._tell_progress())
        try:
            await asyncio.gather(*map(self._come_and_play, parties, range(len(parties))))
            self._tally.played_for = time.monotonic() - self._tally.began_at
            scopes = {game["slug"]: game["score_scope"] for game in games}
            await self._review(parties, scopes)
        finally:
            telling.cancel()
            people = [person for party in parties for person in party.people]
            await asyncio.gather(*(person.device.close() for person in people))
        return self._tally

    async def _games(self) -> list[Json]:
        device = Device(self._scene.url, self._tls, self._tally)
        try:
            found = (await device.get("games/")).body["results"]
        finally:
            await device.close()
        chosen = self._scene.games or [game["slug"] for game in found]
        games = [game for game in found if game["slug"] in chosen]
        require(games, f"The service knows none of the games {', '.join(chosen)}.")
        return games

    def _gather(self, run: Run, games: list[Json]) -> list[Party]:
        scene = self._scene
        rng = random.Random(scene.seed)  # noqa: S311 - a crowd that can be called again
        decks = {moment: Deck(faults, rng) for moment, faults in FAULTS.items()}
        parties = []
        for number in range(scene.tables):
            game = games[number % len(games)]
            most = min(scene.people, game["seats"])
            # Every number of people in turn, in every game.
            count = 1 + (number // len(games) + number) % most
            people = [
                Person(
                    Device(scene.url, self._tls, self._tally),
                    run,
                    random.Random(rng.random()),  # noqa: S311
                    decks,
                )
                for _ in range(count)
            ]
            self._tally.counts["people"] += count
            parties.append(Party(run, random.Random(rng.random()), game, people))  # noqa: S311
        self._tally.counts["tables"] = len(parties)
        return parties

    async def _come_and_play(self, party: Party, number: int) -> None:
        """Not all in the same second."""
        share = number / self._scene.tables
        await asyncio.sleep(share * min(COME_WITHIN, self._scene.seconds / 4))
        await party.play()

    async def _tell_progress(self) -> None:
        while True:
            await asyncio.sleep(PROGRESS_EVERY)
            self._say(self._tally.progress())

    async def _review(self, parties: list[Party], scopes: dict[str, str]) -> None:
        readers = asyncio.Semaphore(READERS)

        async def review(party: Party) -> None:
            async with readers:
                try:
                    await self._review_party(party, scopes)
                except PlayError as error:
                    self._tally.error(str(error))

        await asyncio.gather(*map(review, parties))

    async def _review_party(self, party: Party, scopes: dict[str, str]) -> None:
        stories = []
        for sitting in party.sittings:
            if not sitting.is_over:  # an error that has been told
                continue
            device = next(p.device for p in party.people if p.device.player_id in sitting.players)
            story = await story_read(device, sitting)
            stories.append(story)
            self._tally.counts["rounds"] += len(story.replays)
            for text in review_story(story, sitting, scopes[sitting.game]):
                self._tally.error(text)
        for person in party.people:
            device = person.device
            ledger = [entry async for entry in device.pages("players/me/ledger/")][::-1]
            self._tally.counts["bookings"] += len(ledger)
            scores = (await device.get("players/me/scores/")).body["results"]
            for text in (
                *review_ledger(device.player_id, ledger, stories, scopes),
                *review_scores(device.player_id, scores, ledger),
            ):
                self._tally.error(text)
