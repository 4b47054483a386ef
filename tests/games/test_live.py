"""Each process remembers rounds by itself: what one has advanced must be what another replays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from games.rules.registry import VARIANTS
from games.selectors import live
from tests.clients import People, Table
from tests.deals import deal_from, redeal


class Processes:
    """Two processes: one in which moves are made, and one that only reads."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, table: Table) -> None:
        self._monkeypatch, self._table = monkeypatch, table
        self._reader, self._writer = live._Memory(), live._memory

    def compare(self) -> dict[str, Any]:
        """The state as the reader has advanced it, after holding it against a replay."""
        state = self._in(self._reader, self._table.state)
        assert state == self._in(live._Memory(), self._table.state)
        return state

    def _in(self, memory: live._Memory, read: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        self._monkeypatch.setattr(live, "_memory", memory)
        try:
            return read()
        finally:
            self._monkeypatch.setattr(live, "_memory", self._writer)


@pytest.mark.parametrize("game", VARIANTS)
def test_a_round_read_move_by_move_is_the_round_replayed(
    transactional_db: Any, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    everybody = VARIANTS[game].info.seats - 1
    people = People.at_a_table(game, others=everybody, options={"turn_seconds": 0})
    processes = Processes(monkeypatch, people.host)
    state = processes.compare()
    while state["status"] == "playing":
        awaited = [s for s in state["to_act"] if not state["seats"][s]["has_acted"]]
        assert people.by_seat(awaited[0]).follow_hint().status == 201
        state = processes.compare()
    assert state["status"] == "between_rounds"


def test_three_passes_deal_anew_also_for_who_only_reads(
    transactional_db: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = People.at_a_table("dou-dizhu", others=2, options={"turn_seconds": 0})
    processes = Processes(monkeypatch, people.host)
    state = processes.compare()
    for _ in range(3):
        assert state["deal"] == 1
        assert people.by_seat(state["to_act"][0]).move(type="bid", bid=0).status == 201
        state = processes.compare()
    assert (state["deal"], state["phase"], len(state["to_act"])) == (2, "bidding", 1)


def test_an_accepted_redeal_deals_anew_also_for_who_only_reads(
    transactional_db: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_from(monkeypatch, redeal(0, 1))
    people = People.at_a_table("big-two-hk", others=3, options={"turn_seconds": 0})
    processes = Processes(monkeypatch, people.host)
    processes.compare()
    assert people.host.move(type="call_redeal").status == 201
    for seat in (1, 2, 3):
        state = processes.compare()
        assert (state["deal"], state["phase"]) == (1, "redeal")
        assert people.by_seat(seat).move(type="answer_redeal", accept=True).status == 201
    state = processes.compare()
    assert state["deal"] == 2
    assert state["to_act"]
