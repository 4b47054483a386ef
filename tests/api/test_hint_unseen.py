"""The hint and the card counter: useful, and from what the seat may know only."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from bots.policies import registry
from games.rules.moves import Move
from games.rules.variant import View
from tests.api.test_phases import GAMES
from tests.api.test_sessions import everything
from tests.clients import Answer, Api, People, Table
from tests.deals import deal_from, host_leads

pytestmark = pytest.mark.django_db(transaction=True)

# The kitty is 9C 9D 9H, and seat 0 has no 9; seat 1 bids first.
THREE_NINES_IN_THE_KITTY = (134108).to_bytes(32, "big")


def refused(answer: Answer, status: int, code: str) -> None:
    assert (answer.status, answer.json.get("code")) == (status, code), answer.bytes


def counts(table: Table) -> dict[str, int]:
    answer = table.get("unseen/")
    assert answer.status == 200, answer.bytes
    listed = {entry["rank"]: entry["count"] for entry in answer.json["ranks"]}
    assert sum(listed.values()) == answer.json["count"]
    return listed


# --- the hint


@pytest.mark.parametrize("game", GAMES)
def test_every_hint_of_a_round_can_be_sent_as_it_is(game: str) -> None:
    people = People.at_a_table(game, others=1, options={"turn_seconds": 0})
    state = people.host.bots_play()
    while state["status"] == "playing":
        asked = next(s for s in state["to_act"] if not state["seats"][s]["has_acted"])
        table = people.by_seat(asked)
        before = everything(table)
        hint = table.get("hint/").json["move"]
        assert hint["turn"] == state["turn"]
        assert hint["type"] in table.state()["you"]["actions"]
        body = {name: value for name, value in hint.items() if value is not None}
        assert table.post("moves/preview/", body).json["accepted"] is True
        assert everything(table) == before
        answer = table.post("moves/", hint)
        assert answer.status == 201, answer.bytes
        assert answer.json["move"]["pattern"] == hint["pattern"]
        assert answer.json["move"]["actor"] == "person"
        state = people.host.bots_play()


def test_nobody_is_hinted_out_of_turn_or_between_rounds(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_from(monkeypatch, host_leads())
    table = api.open_table(start=False)
    assert table.get("hint/").json == {"move": None}
    table.post("start/")
    assert table.get("hint/").json["move"]["type"] == "play"
    table.move(type="play", cards=["3C"])
    assert table.get("hint/").json == {"move": None}
    table.play_on()
    assert table.get("hint/").json == {"move": None}


@pytest.mark.parametrize("game", GAMES)
def test_the_hint_thinks_on_the_view_of_its_seat(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    views: list[View] = []

    class Witness:
        name = "witness"
        version = "1"

        def choose(self, view: View, moves: Iterable[Move], rng: Any) -> Move:
            views.append(view)
            return next(iter(moves))

    people = People.at_a_table(game, others=2, options={"turn_seconds": 0})
    state = people.host.bots_play()
    asked = next(s for s in state["to_act"] if not state["seats"][s]["has_acted"])
    monkeypatch.setitem(registry.POLICIES[game], "normal", Witness())  # type: ignore[arg-type]
    assert people.by_seat(asked).get("hint/").status == 200
    [view] = views
    assert view.you is not None
    assert view.you.seat == asked
    own = set(people.by_seat(asked).state()["you"]["hand"])
    others = {card for t in people.tables for card in t.state()["you"]["hand"]} - own
    text = people.by_seat(asked).get("hint/").bytes.decode()
    assert not [card for card in others if f'"{card}"' in text]


# --- the card counter


def test_a_kitty_counts_as_unseen_until_it_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """P2: kitty 9C 9D 9H, seat 0 has no 9."""
    deal_from(monkeypatch, THREE_NINES_IN_THE_KITTY)
    people = People.at_a_table("dou-dizhu", others=2)
    assert people.host.state()["kitty"] is None
    before = counts(people.host)
    assert (before["9"], sum(before.values())) == (4, 37)
    assert {"BJ", "RJ"} <= set(before)
    assert people.by_seat(1).move(type="bid", bid=3).status == 201
    states = [table.state() for table in people.tables]
    assert [state["kitty"] for state in states] == [["9C", "9D", "9H"]] * 3
    after = counts(people.host)
    assert (after["9"], sum(after.values())) == (1, 34)
    landlord = counts(people.by_seat(1))
    assert sum(landlord.values()) == 34


@pytest.mark.parametrize("game", GAMES)
def test_what_is_unseen_is_what_the_others_hold(game: str) -> None:
    people = People.at_a_table(game, others=2, options={"turn_seconds": 0})
    state = people.host.bots_play()
    while state["status"] == "playing" and state["phase"] in ("bidding", "cutting"):
        asked = next(s for s in state["to_act"] if not state["seats"][s]["has_acted"])
        if state["phase"] == "bidding":
            people.by_seat(asked).move(type="bid", bid=3)
        else:
            people.by_seat(asked).follow_hint()
        state = people.host.bots_play()
    for _ in range(6):
        if state["status"] != "playing":
            break
        for viewer, table in enumerate(people.tables):
            held = [seat["cards_left"] for seat in state["seats"] if seat["seat"] != viewer]
            # A farmer has seen the kitty in the landlord's hand, as long as it lies there.
            shown = set(state["kitty"] or []) - {
                card for move in table.get("moves/").json["results"] for card in move["cards"] or []
            }
            landlord = next((s["seat"] for s in state["seats"] if s["role"] == "landlord"), None)
            known = len(shown) if landlord not in (None, viewer) else 0
            assert sum(counts(table).values()) == sum(held) - known
        asked = next(s for s in state["to_act"] if not state["seats"][s]["has_acted"])
        assert people.by_seat(asked).follow_hint().status == 201
        state = people.host.bots_play()


def test_there_is_nothing_to_count_without_a_round(api: Api) -> None:
    table = api.open_table(start=False)
    refused(table.get("unseen/"), 409, "round_over")
    table.post("start/")
    table.play_on()
    refused(table.get("unseen/"), 409, "round_over")
