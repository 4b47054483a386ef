"""Nobody is sent a card that they may not know: P1, by searching every byte that leaves (P2 is with
the card counter)."""

from __future__ import annotations

import hashlib
import itertools
import random
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import transaction

from bots.services import bot_turn_play
from games import clock
from games.models import Round, Session
from games.selectors.live import live_rounds_forget
from tests.api.test_clocks import START
from tests.api.test_phases import GAMES
from tests.clients import Api, People, Table
from tests.deals import hands_of, may_call
from tests.knowledge import Knowledge
from tests.leaks import Body
from tests.privacy import Reader, Viewer

pytestmark = pytest.mark.django_db(transaction=True)

ARRANGING = GAMES[3:]
LEAVER = 2


@pytest.fixture(autouse=True)
def _nothing_differs_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither what is left of a deadline nor a bot's choice by chance, between two readings."""
    monkeypatch.setattr(clock, "now", lambda: START)
    same = SimpleNamespace(Random=lambda: random.Random("a bot"))
    monkeypatch.setattr("bots.services.random", same)


@cache
def seat_1_may_call() -> bytes:
    """A server seed of Big Two (Hong Kong): seat 1 may call for a redeal, seat 0 leads. It looks
    like one that was drawn, so that it can be searched for."""
    seeds = (hashlib.sha256(str(number).encode()).digest() for number in itertools.count())
    for seed in seeds:
        hands = hands_of(seed)
        if "3D" in hands[0] and may_call(hands[1]):
            return seed
    raise AssertionError


class Game:
    """A public table with people on seats 0, 1 and 2, of whom the last leaves, and others who look
    on; moves are made at random."""

    def __init__(self, game: str) -> None:
        self.game, self.rng = game, random.Random(game)
        self.people = People.at_a_table(game, others=2, visibility="public")
        self.host = self.people.host
        self.reader = Reader(self.host.id, game=game, host=self.host.api.player["id"])
        self.seated = [
            Viewer(f"seat {seat}", table.api, seat, dealt=seat)
            for seat, table in enumerate(self.people.tables)
        ]
        self.watcher = Viewer("a watcher", Api.guest())
        self.viewers = [*self.seated, self.watcher]
        self.anonymous = Viewer("nobody", Api(), shut_out=401)

    def bodies(self, viewer: Viewer, count: int) -> list[Body]:
        return self.rng.sample(bodies_for(self.reader.knowledge(), viewer.seat, self.rng), count)

    def read(self, viewer: Viewer) -> None:
        self.reader.read(viewer, bodies=self.bodies(viewer, 3))

    def read_from_beside(self) -> None:
        """By those who do not sit there, and by a stranger while the table is private."""
        for viewer in (*(v for v in self.viewers if v.seat is None), self.anonymous):
            self.read(viewer)
        session = Session.objects.filter(pk=self.host.id)
        session.update(visibility="private")
        self.read(Viewer("a stranger", self.watcher.api, shut_out=404))
        session.update(visibility="public")

    def leave(self) -> None:
        viewer = self.seated[LEAVER]
        assert viewer.api.post(self.host.path("leave/")).status == 200
        viewer.name, viewer.seat = "one who has left", None

    def step(self, state: dict[str, Any]) -> None:
        """One of those who are asked acts."""
        awaited = [s for s in state["to_act"] if not state["seats"][s]["has_acted"]]
        seat = self.rng.choice(awaited)
        if state["seats"][seat]["kind"] == "bot":
            assert bot_turn_play(session_id=self.host.row().id, turn=state["turn"], seat=seat)
            return
        table, viewer = self.people.by_seat(seat), self.seated[seat]
        body = self.move(table, state)
        answer = table.post("moves/", body, Idempotency_Key=f"{state['version']}")
        assert answer.status == 201, answer.bytes
        self.reader.tell(viewer, answer, body)

    def move(self, table: Table, state: dict[str, Any]) -> Body:
        own = table.state()["you"]
        if "answer_redeal" in own["actions"]:
            return {"type": "answer_redeal", "accept": self.rng.random() < 0.7}
        if "cut" in own["actions"]:
            return {"type": "cut", "position": self.rng.randrange(52)}
        if "bid" in own["actions"] and state["bidding"]["highest"] < 3:
            return {"type": "bid", "bid": self.rng.choice([0, 3])}
        plays = table.get("legal-plays/").json["plays"]
        if plays and self.rng.random() < 0.6:
            return {"type": "play", **self.rng.choice(plays)}
        hint = table.get("hint/").json["move"]
        return {name: value for name, value in hint.items() if value is not None}

    def play(self) -> Iterator[tuple[int, bool]]:
        """Play on until the round is over, stopping before each change: their number, and whether
        a phase begins."""
        phase = ""
        for made in itertools.count():
            state = self.host.state()
            yield made, state["phase"] != phase
            phase = state["phase"]
            if state["status"] != "playing":
                return
            knowledge = self.reader.knowledge()
            callers = [seat for seat in (0, 1) if state["phase"] == "playing" and made < 2]
            callers = [seat for seat in callers if knowledge.may_call_redeal(seat)]
            if made == 3:
                self.leave()
            elif callers and self.game == "big-two-hk":
                assert self.people.by_seat(callers[0]).move(type="call_redeal").status == 201
            else:
                self.step(state)


def bodies_for(knowledge: Knowledge, seat: int | None, rng: random.Random) -> list[Body]:
    """Moves of every kind, with own cards and with others': most are refused for some reason."""
    own = sorted(knowledge.known_to(seat) - knowledge.shown)
    foreign = sorted(knowledge.hidden_from(seat)) or ["3C", "4C"]
    some = rng.sample(own, min(5, len(own)))
    others = rng.sample(foreign, min(13, len(foreign)))
    rows = [*rng.sample(own, len(own)), *others][:13]
    bodies: list[Body] = [
        {"type": "play", "cards": others[:1]},
        {"type": "play", "cards": others[:2]},
        {"type": "play", "cards": [*some[:1], *others[:1]]},
        {"type": "play", "cards": some},
        {"type": "play", "cards": some[:1], "pattern": "straight"},
        {"type": "play", "cards": some[:1], "turn": 0},
        {"type": "arrange", "front": others[:3], "middle": others[3:8], "back": others[8:]},
        {"type": "arrange", "front": rows[:3], "middle": rows[3:8], "back": rows[8:]},
        {"type": "arrange", "front": rows[:2], "middle": rows[2:7], "back": rows[7:]},
        {"type": "bid", "bid": 1},
        {"type": "answer_redeal", "accept": True},
        {"type": "cut", "position": 52},
        {"type": "cut", "position": 7},
    ]
    if seat is not None:
        bodies.append({"type": "play", "cards": ["10D"]})
        bodies.append({"type": "play", "cards": [*some[:1], *some[:1]]})
    return bodies + [{"type": name} for name in ("pass", "call_redeal", "declare", "extend")]


@pytest.mark.parametrize("game", GAMES)
def test_no_answer_holds_what_its_reader_may_not_know(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """P1."""
    if game == "big-two-hk":
        monkeypatch.setattr("games.services.sessions.server_seed_draw", seat_1_may_call)
    table = Game(game)
    in_turn = itertools.cycle(table.viewers)
    for made, is_new_phase in table.play():
        if made == 0:
            for viewer in table.seated:
                table.read(viewer)
        elif made == 4:
            table.read_from_beside()
        elif is_new_phase or game in ARRANGING or table.rng.random() < 1 / 12:
            table.read(next(in_turn))
        table.reader.states(table.viewers)
        assert table.reader.found == []
    assert made >= 4
    assert sum(table.reader.searched.values()) > 400


# --- what follows from hidden cards


def dealt_otherwise(
    session_id: str, knowledge: Knowledge, seat: int | None, rng: random.Random
) -> None:
    """Let what this seat may not know be different: all hidden cards change places, and so do
    those in the others' rows; others have cut elsewhere and set rows instead of declaring."""
    pinned = set(knowledge.known_to(seat)) | set(knowledge.named[-1:])
    for mover, move in knowledge.moves:
        if move["type"] == "call_redeal":  # it was allowed
            pinned |= knowledge.hands[mover]
    free = [card for card in knowledge.deck if card not in pinned]
    new = dict(zip(free, rng.sample(free, len(free)), strict=True))
    round_ = Round.objects.filter(session_id=session_id).latest("number")
    deal = round_.deals[-1]
    deal["deck"] = [new.get(card, card) for card in deal["deck"]]
    round_.save()
    for stored in round_.moves.filter(deal=len(round_.deals)):
        data = stored.data
        if stored.seat == seat:
            continue
        if data["type"] == "cut" and not knowledge.hands:
            data["position"] = rng.randrange(52)
        elif data["type"] in ("arrange", "declare"):
            hand = [new.get(card, card) for card in sorted(knowledge.hands[stored.seat])]
            rows = {"front": hand[:3], "middle": hand[3:8], "back": hand[8:]}
            data = {"type": "arrange", **rows, "accept_foul": True}
        stored.data = data
        stored.save()
    live_rounds_forget()


@contextmanager
def undone() -> Iterator[None]:
    """What is done inside is undone."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
    live_rounds_forget()


@pytest.mark.parametrize("game", GAMES)
def test_no_answer_differs_by_what_its_reader_may_not_know(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Byte by byte, length and order included: the same after all hidden cards changed places."""
    if game == "big-two-hk":
        monkeypatch.setattr("games.services.sessions.server_seed_draw", seat_1_may_call)
    table = Game(game)
    compared = 0
    for made, is_new_phase in table.play():
        knowledge = table.reader.knowledge()
        is_chosen = is_new_phase or game in ARRANGING or made % 15 == 0
        if not knowledge.running or not is_chosen:
            continue
        # Before the first play by everybody: it is then that a hand decides who may act.
        for viewer in table.viewers if made == 0 else [table.viewers[compared % 4]]:
            bodies = table.bodies(viewer, 8 if made == 0 else 4)
            before = table.reader.read(viewer, bodies=bodies)
            with undone():
                dealt_otherwise(table.host.id, knowledge, viewer.seat, table.rng)
                after = table.reader.read(viewer, bodies=bodies)
            differing = [told for told, other in zip(after, before, strict=True) if told != other]
            assert (viewer.name, differing) == (viewer.name, [])
            compared += 1
    assert compared >= 6
