"""A round that ends is settled once, whole or not at all; its parts agree with each other."""

from __future__ import annotations

from typing import Any

import pytest

from games.models import Move, Round
from games.rules.registry import VARIANTS
from games.selectors import live
from scoring.models import LedgerEntry, Standing
from tests.api.test_sessions import everything
from tests.clients import Answer, Api, Table
from tests.deals import deal_from, host_leads
from tests.races import at_once


def one_move_from_the_end(table: Table) -> tuple[dict[str, Any], dict[str, Any]]:
    """The state, and the move of the host that will end the round."""
    while True:
        state = table.bots_play()
        if state["status"] != "playing":
            assert table.post("rounds/").status == 201
            continue
        plays = table.get("legal-plays/").json["plays"]
        whole = [play for play in plays if len(play["cards"]) == len(state["you"]["hand"])]
        if whole:
            return state, {"type": "play", **whole[0], "turn": state["turn"]}
        assert table.play_lowest(state).status == 201


def test_the_last_card_settles_in_the_same_answer(api: Api) -> None:
    table = api.open_table(options={"bot_level": "easy"})
    state, last = one_move_from_the_end(table)
    answer = table.move(**last)
    assert answer.status == 201
    after = answer.json["state"]
    assert after["status"] == "between_rounds"
    assert (after["phase"], after["to_act"], after["you"]["actions"]) == ("settled", [], [])
    settlement = after["settlement"]
    assert settlement["winner"] == 0
    assert sum(settlement["points"]) == 0
    before = [seat["total"] for seat in state["seats"]]
    assert settlement["totals"] == [
        a + b for a, b in zip(before, settlement["points"], strict=True)
    ]
    assert [seat["total"] for seat in after["seats"]] == settlement["totals"]
    assert sum(pair["points"] for pair in settlement["pairs"]) == settlement["points"][0]
    for pair in settlement["pairs"]:
        assert pair["points"] == sum(reason["points"] for reason in pair["reasons"])
    assert after["next_commitment"] != after["commitment"]
    entry = LedgerEntry.objects.latest("id")
    assert (entry.amount, entry.balance) == (settlement["points"][0], settlement["totals"][0])


def test_settled_four_times_at_once_counts_once(api: Api) -> None:
    """S14: settled 4 times at once, and again later."""
    table = api.open_table(options={"bot_level": "easy"})
    _, last = one_move_from_the_end(table)
    round_number = table.state()["round"]

    def settle() -> Answer:
        return Table(Api(api.token), table.id).move(**last)

    answers = at_once(*[settle] * 4)
    assert sorted(answer.status for answer in answers) == [201, 409, 409, 409]
    before = everything(table)
    later = settle()
    assert (later.status, later.code) == (409, "round_over")
    assert everything(table) == before
    assert LedgerEntry.objects.filter(round_number=round_number).count() == 1
    assert {standing.rounds for standing in Standing.objects.filter(period="all")} == {round_number}


@pytest.mark.parametrize(
    "broken",
    ["games.services.rounds.results_book", "games.services.moves.change_finish"],
)
def test_killed_between_two_writes_leaves_nothing(
    api: Api, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    """S14: the move that ends the round fails late; neither the move nor the points are there."""
    table = api.open_table(options={"bot_level": "easy"})
    _, last = one_move_from_the_end(table)
    before = (
        everything(table),
        list(LedgerEntry.objects.values()),
        list(Standing.objects.values()),
    )

    def fail(*_: Any, **__: Any) -> None:
        raise RuntimeError("killed")

    with monkeypatch.context() as patched:
        patched.setattr(broken, fail)
        assert table.move(**last).status == 500
    assert before == (
        everything(table),
        list(LedgerEntry.objects.values()),
        list(Standing.objects.values()),
    )
    assert table.move(**last).status == 201


def test_the_state_is_a_replay_of_the_moves(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that has forgotten everything, or knows only an older state, says the same."""
    deal_from(monkeypatch, host_leads())
    table = api.open_table()
    remembered = live._memory
    older: dict[Any, Any] = {}
    for _ in range(3):
        state = table.bots_play()
        live.live_rounds_forget()
        assert table.state() == state
        for key, known in older.items():
            remembered._rounds[key] = known
        assert table.state() == state
        older = dict(remembered._rounds)
        table.play_lowest(state)


def test_the_log_replays_to_the_settlement_by_the_rules_alone(api: Api) -> None:
    table = api.open_table()
    state = table.play_round()
    round_ = Round.objects.get()
    variant = VARIANTS["big-two-tw"]
    current = variant.start(live.deal_from_json(round_.deals[0]))
    for move in Move.objects.order_by("number"):
        current = variant.play(current, move.seat, live.move_from_json(move.data))
    outcome = variant.outcome(current)
    assert outcome is not None
    assert list(outcome.points) == state["settlement"]["points"]


def test_scores_show_best_and_the_running_total(api: Api) -> None:
    table = api.open_table()
    first = table.play_round()["settlement"]["totals"][0]

    def score() -> dict[str, Any]:
        results = api.get("players/me/scores/").json["results"]
        return next(entry for entry in results if entry["game"] == "big-two-tw")

    assert (score()["best"], score()["running_total"], score()["rounds"]) == (first, first, 1)
    assert score()["best_session"] == score()["running_session"] == table.id
    table.post("rounds/")
    second = table.play_round()["settlement"]["totals"][0]
    table.post("finish/")
    assert (score()["best"], score()["running_total"]) == (max(first, second), None)
    ledger = api.get("players/me/ledger/").json["results"]
    assert [(entry["amount"], entry["balance"]) for entry in ledger] == [
        (second - first, second),
        (first, first),
    ]
