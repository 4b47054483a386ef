"""Whole rounds of every game over the API with several people, phase by phase, in any order."""

from __future__ import annotations

import itertools
import threading
from typing import Any

import pytest
from django.db import connection

from games.rules.moves import parse_cards
from games.rules.variants.chinese_poker import CHINESE_POKER
from scoring.models import LedgerEntry
from tests.api.test_sessions import everything
from tests.clients import Answer, Api, People, Table
from tests.deals import deal_from, hands_of, host_leads, redeal

pytestmark = pytest.mark.django_db(transaction=True)

GAMES = ["big-two-tw", "big-two-hk", "dou-dizhu", "chinese-poker", "thirteen"]
CALLER = 1


def redeal_table(
    monkeypatch: pytest.MonkeyPatch,
    *,
    others: int,
    options: dict[str, Any],
    qualifies: bool = True,
    host_leads: bool = False,
) -> tuple[People, int]:
    """Big Two (Hong Kong); the seat that may call is the host's, or 1 where others are people."""
    caller = CALLER if others else 0
    leader = 0 if host_leads else 2
    deal_from(monkeypatch, redeal(caller, leader, qualifies=qualifies))
    return People.at_a_table("big-two-hk", others=others, options=options), caller


def refused(answer: Answer, status: int, code: str) -> None:
    assert (answer.status, answer.json.get("code")) == (status, code), answer.bytes


# --- every game, every number of people


@pytest.mark.parametrize(
    ("game", "others"),
    [(game, others) for game in GAMES for others in (0, 1, 2 if game == "dou-dizhu" else 3)],
)
def test_a_round_is_played_to_its_settlement(game: str, others: int) -> None:
    people = People.at_a_table(game, others=others, options={"turn_seconds": 0})
    state = people.play_on()
    assert (state["status"], state["phase"]) == ("between_rounds", "settled")
    points = state["settlement"]["points"]
    assert sum(points) == 0
    booked = LedgerEntry.objects.filter(session_id=people.host.id, kind="settlement")
    assert {entry.seat: entry.amount for entry in booked} == dict(enumerate(points[: others + 1]))
    for seat, table in enumerate(people.tables):
        own = table.state()
        assert own["you"]["seat"] == seat
        assert own["settlement"] == state["settlement"]
    log = people.host.get("moves/?round=1").json["results"]
    assert [move["number"] for move in log] == list(range(1, len(log) + 1))
    replay = people.host.get("rounds/1/").json
    assert replay["moves"] == log
    assert replay["players"] == [
        people.tables[seat].api.player["id"] if seat <= others else None
        for seat in range(len(points))
    ]
    assert people.host.post("rounds/").status == 201
    assert people.play_on()["round"] == 2


# --- bidding


def test_bids_are_shown_in_turn_and_the_landlord_takes_the_kitty() -> None:
    people = People.at_a_table("dou-dizhu", others=2)
    state = people.host.state()
    assert (state["phase"], state["kitty"], state["stake"]) == ("bidding", None, None)
    first = state["to_act"][0]
    second, third = ((first + step) % 3 for step in (1, 2))
    before = everything(people.host)
    refused(people.by_seat(second).move(type="bid", bid=1), 409, "not_your_turn")
    refused(people.by_seat(first).move(type="pass"), 409, "wrong_phase")
    assert everything(people.host) == before
    assert people.by_seat(first).move(type="bid", bid=2).status == 201
    for table in people.tables:
        assert table.state()["bidding"] == {"bids": [{"seat": first, "bid": 2}], "highest": 2}
    before = everything(people.host)
    answer = people.by_seat(second).move(type="bid", bid=2)
    refused(answer, 422, "bid_too_low")
    assert answer.json["params"] == {"bid": 2, "highest": 2}
    preview = people.by_seat(second).post("moves/preview/", {"type": "bid", "bid": 3}).json
    assert (preview["accepted"], preview["code"]) == (True, None)
    assert everything(people.host) == before
    people.by_seat(second).move(type="bid", bid=0)
    people.by_seat(third).move(type="bid", bid=0)
    states = [table.state() for table in people.tables]
    assert {state["phase"] for state in states} == {"playing"}
    assert len({tuple(state["kitty"]) for state in states}) == 1
    assert states[0]["to_act"] == [first]
    assert [seat["role"] for seat in states[0]["seats"]] == [
        "landlord" if seat == first else "farmer" for seat in range(3)
    ]
    assert [seat["cards_left"] for seat in states[0]["seats"]] == [
        20 if seat == first else 17 for seat in range(3)
    ]
    assert set(states[first]["kitty"]) <= set(states[first]["you"]["hand"])
    assert states[0]["stake"] == {"bid": 2, "doublings": 0, "value": 20}
    refused(people.by_seat(first).move(type="pass"), 422, "must_lead")


def test_if_all_pass_the_cards_are_dealt_anew() -> None:
    people = People.at_a_table("dou-dizhu", others=2)
    hands = [table.state()["you"]["hand"] for table in people.tables]
    first = people.host.state()["to_act"][0]
    for step in range(3):
        assert people.by_seat((first + step) % 3).move(type="bid", bid=0).status == 201
    state = people.host.state()
    assert (state["round"], state["deal"], state["phase"]) == (1, 2, "bidding")
    assert state["bidding"] == {"bids": [], "highest": 0}
    assert [table.state()["you"]["hand"] for table in people.tables] != hands
    assert state["seats"][0]["total"] == 0
    assert len(people.host.get("moves/").json["results"]) == 3


# --- redeal


def test_a_redeal_that_all_accept_deals_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    people, caller = redeal_table(monkeypatch, others=3, options={})
    calling = people.by_seat(caller)
    assert calling.state()["you"]["can_call_redeal"] is True
    assert calling.state()["you"]["actions"] == ["call_redeal"]
    assert people.host.state()["you"]["can_call_redeal"] is False
    assert people.host.state()["to_act"] == [2]
    hand = calling.state()["you"]["hand"]
    answer = calling.move(type="call_redeal")
    assert answer.status == 201
    state = people.host.state()
    assert (state["phase"], sorted(state["to_act"])) == ("redeal", [0, 2, 3])
    assert state["redeal"] == {"caller": 1, "answers": []}
    before = everything(people.host)
    refused(people.by_seat(2).play_lowest({"turn": state["turn"]}), 409, "wrong_phase")
    refused(calling.move(type="answer_redeal", accept=True), 409, "not_your_turn")
    assert everything(people.host) == before
    turn = state["turn"]
    for seat in (3, 0, 2):
        assert people.host.state()["turn"] == turn
        answer = people.by_seat(seat).move(type="answer_redeal", accept=True, turn=turn)
        assert answer.status == 201
    state = people.host.state()
    assert (state["round"], state["deal"], state["phase"]) == (1, 2, "playing")
    assert state["redeal"] is None
    assert calling.state()["you"]["hand"] != hand
    people.play_on()
    assert len(people.host.get("rounds/1/").json["deals"]) == 2


def test_one_who_declines_ends_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    people, caller = redeal_table(monkeypatch, others=3, options={})
    calling = people.by_seat(caller)
    hand = calling.state()["you"]["hand"]
    calling.move(type="call_redeal")
    assert people.by_seat(0).move(type="answer_redeal", accept=True).status == 201
    assert people.by_seat(3).move(type="answer_redeal", accept=False).status == 201
    state = calling.state()
    assert (state["deal"], state["phase"], state["to_act"]) == (1, "playing", [2])
    assert state["you"]["hand"] == hand
    assert state["you"]["can_call_redeal"] is False
    before = everything(people.host)
    refused(calling.move(type="call_redeal"), 422, "redeal_already_called")
    refused(people.host.move(type="call_redeal"), 422, "redeal_not_eligible")
    assert everything(people.host) == before


def test_with_only_bots_beside_the_caller_it_is_done_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    people, _ = redeal_table(monkeypatch, others=0, options={})
    version = people.host.row().version
    answer = people.host.move(type="call_redeal")
    assert answer.status == 201
    assert answer.json["move"]["type"] == "call_redeal"
    assert answer.json["state"] == people.host.state()
    assert (answer.json["state"]["deal"], answer.json["state"]["redeal"]) == (2, None)
    assert people.host.row().version == version + 1
    log = people.host.get("moves/").json["results"]
    assert [(move["seat"], move["accept"], move["actor"]) for move in log] == [
        (0, None, "person"),
        (1, True, "bot"),
        (2, True, "bot"),
        (3, True, "bot"),
    ]
    assert people.play_on()["status"] == "between_rounds"
    assert len(people.host.get("rounds/1/").json["deals"]) == 2


def test_bots_accept_at_once_and_people_are_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    people, _ = redeal_table(monkeypatch, others=1, options={})
    people.by_seat(1).move(type="call_redeal")
    state = people.host.state()
    assert [answer["seat"] for answer in state["redeal"]["answers"]] == [2, 3]
    assert state["to_act"] == [0]
    people.host.move(type="answer_redeal", accept=True)
    assert people.host.state()["deal"] == 2


def test_a_person_who_leads_at_once_ends_the_chance_to_call(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    people, caller = redeal_table(monkeypatch, others=3, options={}, host_leads=True)
    assert people.host.play_lowest(people.host.state()).status == 201
    before = everything(people.host)
    refused(people.by_seat(caller).move(type="call_redeal"), 422, "redeal_not_eligible")
    assert everything(people.host) == before
    assert people.by_seat(caller).state()["you"]["can_call_redeal"] is False


def test_who_may_call_is_nobody_elses_knowledge(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = []
    for qualifies in (True, False):
        people, _ = redeal_table(monkeypatch, others=3, options={}, qualifies=qualifies)
        state = people.host.state()
        answer = people.host.move(type="pass")
        refused(answer, 409, "not_your_turn")
        shown.append((state["to_act"], state["seats"][1]["has_acted"], answer.json["params"]))
    assert shown[0] == shown[1]


# --- cutting


def cutters(people: People) -> tuple[int, list[int]]:
    leader = people.host.state()["cutting"]["leader"]
    return leader, [seat for seat in range(4) if seat != leader]


def test_draws_are_shown_and_cuts_only_when_all_are_made() -> None:
    people = People.at_a_table("thirteen", others=3)
    state = people.host.state()
    leader, others = cutters(people)
    assert state["phase"] == "cutting"
    assert {draw["seat"] for draw in state["cutting"]["draws"]} == {0, 1, 2, 3}
    assert state["seats"][leader]["wind"] == "east"
    assert sorted(state["to_act"]) == others
    before = everything(people.host)
    refused(people.by_seat(leader).move(type="cut", position=3), 422, "cannot_cut")
    refused(people.by_seat(others[0]).move(type="cut", position=52), 422, "cut_out_of_range")
    refused(people.by_seat(others[0]).move(type="cut", position=-1), 422, "cut_out_of_range")
    assert everything(people.host) == before
    turn = state["turn"]
    last, middle, first = others[2], others[1], others[0]
    assert people.by_seat(last).move(type="cut", position=7, turn=turn).status == 201
    refused(people.by_seat(last).move(type="cut", position=8, turn=turn), 422, "cannot_cut")
    assert people.by_seat(middle).move(type="cut", position=0, turn=turn).status == 201
    for seat in (leader, first):
        state = people.by_seat(seat).state()
        assert (state["cutting"]["cuts"], state["cutting"]["turned_card"]) == ([], None)
        assert [s["seat"] for s in state["seats"] if s["has_acted"]] == sorted([last, middle])
        assert people.by_seat(seat).get("moves/").json["results"] == []
        assert state["you"]["hand"] == []
    assert [m["position"] for m in people.by_seat(last).get("moves/").json["results"]] == [7]
    assert people.by_seat(first).move(type="cut", position=11, turn=turn).status == 201
    state = people.host.state()
    assert state["phase"] == "arranging"
    assert state["cutting"]["cuts"] == [
        {"seat": first, "position": 11},
        {"seat": middle, "position": 0},
        {"seat": last, "position": 7},
    ]
    assert state["cutting"]["turned_card"] is not None
    assert [len(table.state()["you"]["hand"]) for table in people.tables] == [13] * 4
    hands = [set(table.state()["you"]["hand"]) for table in people.tables]
    people.play_on()
    replay = people.host.get("rounds/1/").json
    assert [set(hand) for hand in replay["deals"][0]["hands"]] == hands
    cuts = [(m["seat"], m["position"]) for m in replay["moves"] if m["type"] == "cut"]
    assert cuts == [(last, 7), (middle, 0), (first, 11)]


def test_cuts_count_in_order_of_seat_whatever_order_they_arrive_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    deal_from(monkeypatch, bytes(32))
    dealt = []
    for order in ((0, 1, 2), (2, 0, 1), (1, 2, 0)):
        people = People.at_a_table("thirteen", others=3)
        _, others = cutters(people)
        for place in order:
            people.by_seat(others[place]).move(type="cut", position=10 + place)
        dealt.append([table.state()["you"]["hand"] for table in people.tables])
    assert dealt[0] == dealt[1] == dealt[2]
    assert all(len(hand) == 13 for hand in dealt[0])


# --- arranging


def rows_of(hand: list[str]) -> dict[str, list[str]]:
    return {"front": hand[:3], "middle": hand[3:8], "back": hand[8:]}


def hint_rows(table: Table) -> dict[str, Any]:
    move = table.get("hint/").json["move"]
    return {name: value for name, value in move.items() if value is not None}


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 1, 0, 2)])
def test_what_is_set_is_hidden_until_all_have_set(order: tuple[int, ...]) -> None:
    people = People.at_a_table("chinese-poker", others=3)
    turn = people.host.state()["turn"]
    hands = [table.state()["you"]["hand"] for table in people.tables]
    for place, seat in enumerate(order):
        answer = people.by_seat(seat).move(**hint_rows(people.by_seat(seat)))
        assert answer.status == 201
        if place == 3:
            break
        for viewer, table in enumerate(people.tables):
            resumed = table.api.get("players/me/resume/").json["results"][0]
            assert resumed["must_act"] is (viewer not in order[: place + 1])
            state = table.state()
            assert state["turn"] == turn
            acted = [s["seat"] for s in state["seats"] if s["has_acted"]]
            assert acted == sorted(order[: place + 1])
            assert [s["cards_left"] for s in state["seats"]] == [13] * 4
            text = table.get("state/").bytes + table.get("moves/").bytes + table.get("hint/").bytes
            text += table.get("unseen/").bytes + table.get("rounds/1/").bytes
            for other in set(range(4)) - {viewer}:
                assert not [card for card in hands[other] if f'"{card}"'.encode() in text]
            log = table.get("moves/").json["results"]
            assert {move["seat"] for move in log} <= {viewer}
    state = people.host.state()
    assert state["status"] == "between_rounds"
    assert all(hand["back"] or hand["special"] for hand in state["settlement"]["hands"])
    assert len(people.host.get("moves/?round=1").json["results"]) == 4


def test_a_hand_may_be_set_again_until_all_have_set() -> None:
    people = People.at_a_table("chinese-poker", others=3)
    host = people.host
    good = {k: v for k, v in hint_rows(host).items() if k != "turn"}
    turn = host.state()["turn"]
    assert host.move(**good).status == 201
    foul = foul_of(host)
    before = everything(host)
    refused(host.move(type="arrange", **foul), 422, "foul_arrangement")
    assert host.post("moves/preview/", {"type": "arrange", **foul}).json["foul"] is True
    assert everything(host) == before
    assert host.move(type="arrange", **foul, accept_foul=True, turn=turn).status == 201
    assert host.state()["you"]["arrangement"]["foul"] is True
    assert host.post("moves/preview/", good).json["foul"] is False
    assert host.move(**good).status == 201
    assert host.state()["you"]["arrangement"]["foul"] is False
    for table in people.tables[1:]:
        assert table.follow_hint().status == 201
    before = everything(host)
    refused(host.move(**good), 409, "round_over")
    assert everything(host) == before
    assert host.state()["settlement"]["hands"][0]["foul"] in (False, None)
    assert len(host.get("moves/?round=1").json["results"]) == 6


def foul_of(table: Table) -> dict[str, list[str]]:
    """Rows of the hand that are a foul: the front the hint's best cards."""
    hand = table.state()["you"]["hand"]
    for front in itertools.combinations(reversed(hand), 3):
        rest = [card for card in hand if card not in front]
        for middle in itertools.islice(itertools.combinations(reversed(rest), 5), 40):
            back = [card for card in rest if card not in middle]
            rows = {"front": list(front), "middle": list(middle), "back": back}
            preview = table.post("moves/preview/", {"type": "arrange", **rows}).json
            if preview["code"] == "foul_arrangement":
                return rows
    raise AssertionError("no foul in this hand")


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda rows: {**rows, "front": rows["front"][:2]}, "wrong_row_sizes"),
        (lambda rows: {**rows, "back": [*rows["back"][:4], rows["front"][0]]}, "duplicate_card"),
        (lambda rows: {**rows, "front": ["XX", *rows["front"][1:]]}, "unknown_card"),
    ],
)
def test_bad_rows_are_refused(change: Any, code: str) -> None:
    people = People.at_a_table("thirteen", others=0, options={"turn_seconds": 0})
    state = people.host.bots_play()
    if state["phase"] == "cutting":
        people.host.move(type="cut", position=0)
        people.host.bots_play()
    rows = change(rows_of(people.host.state()["you"]["hand"]))
    before = everything(people.host)
    answer = people.host.move(type="arrange", **rows, accept_foul=True)
    assert answer.status == 422
    assert answer.code in (code, "wrong_cards")
    assert everything(people.host) == before


def test_a_special_hand_is_declared_and_shown_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    deal_from(monkeypatch, special_seed())
    people = People.at_a_table("chinese-poker", others=1)
    state = people.host.state()
    special = state["you"]["special"]
    assert special is not None
    assert state["you"]["actions"] == ["arrange", "declare"]
    assert people.by_seat(1).state()["you"]["special"] is None
    before = everything(people.host)
    refused(people.by_seat(1).move(type="declare"), 422, "no_special_hand")
    preview = people.host.post("moves/preview/", {"type": "declare"}).json
    assert (preview["accepted"], preview["special"]) == (True, special)
    assert everything(people.host) == before
    assert people.host.move(type="declare").status == 201
    assert people.host.state()["you"]["arrangement"]["special"] == special
    other = people.by_seat(1)
    assert special not in other.get("state/").bytes.decode()
    assert other.get("moves/").json["results"] == []
    state = people.play_on()
    assert state["settlement"]["hands"][0]["special"] == special
    assert state["settlement"]["points"][0] > 0


def special_seed() -> bytes:
    """Seat 0, and not seat 1, is dealt a special hand of Chinese poker."""
    for number in range(5000):
        seed = number.to_bytes(32, "big")
        first, second = hands_of(seed, "chinese-poker")[:2]
        special_of = CHINESE_POKER.arranging.special_of
        if special_of(parse_cards(first)) and not special_of(parse_cards(second)):
            return seed
    raise AssertionError("no such deal")


def test_moves_of_games_without_them_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    people = People.at_a_table("chinese-poker", others=1)
    before = everything(people.host)
    for move in (
        {"type": "extend"},
        {"type": "cut", "position": 1},
        {"type": "bid", "bid": 1},
        {"type": "call_redeal"},
        {"type": "pass"},
    ):
        refused(people.host.move(**move), 409, "wrong_phase")
    assert everything(people.host) == before


# --- the turns of four people


def test_a_pass_that_arrives_after_the_trick_has_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    """T1: seat 0 played, 1 and 2 passed; seat 3's pass arrives twice."""
    deal_from(monkeypatch, host_leads())
    people = People.at_a_table("big-two-tw", others=3)
    assert people.host.move(type="play", cards=["3C"]).status == 201
    for seat in (1, 2):
        assert people.by_seat(seat).move(type="pass").status == 201
    last = people.by_seat(3)
    body = {"type": "pass", "turn": last.state()["turn"]}
    first = last.post("moves/", body, Idempotency_Key="the pass")
    assert first.status == 201
    state = last.state()
    assert (state["trick"]["plays"], state["trick"]["to_beat"]) == ([], None)
    assert state["to_act"] == [0]
    before = everything(last)
    second = last.post("moves/", body)
    refused(second, 409, "stale_turn")
    assert {k: v for k, v in second.json["state"].items() if k != "remaining_ms"} == {
        k: v for k, v in state.items() if k != "remaining_ms"
    }
    again = last.post("moves/", body, Idempotency_Key="the pass")
    assert (again.status, again.bytes) == (first.status, first.bytes)
    assert everything(last) == before


def test_one_play_sent_three_times_is_played_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """T6: key K1; K1 again; K2 at the same moment as the first."""
    deal_from(monkeypatch, host_leads())
    people = People.at_a_table("big-two-tw", others=3)
    host = people.host
    body = {"type": "play", "cards": ["3C"], "turn": host.state()["turn"]}
    answers: dict[str, Answer] = {}

    def send(name: str, key: str) -> None:
        table = Table(Api(host.api.token), host.id)
        answers[name] = table.post("moves/", body, Idempotency_Key=key)
        connection.close()

    threads = [threading.Thread(target=send, args=pair) for pair in (("a", "K1"), ("b", "K2"))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    won, lost = sorted("ab", key=lambda name: answers[name].status)
    assert (answers[won].status, answers[lost].status) == (201, 409)
    assert answers[lost].code == "stale_turn"
    assert answers[lost].json["state"]["version"] == host.state()["version"]
    before = everything(host)
    send("again", {"a": "K1", "b": "K2"}[won])
    assert (answers["again"].status, answers["again"].bytes) == (201, answers[won].bytes)
    assert everything(host) == before
    assert len(host.get("moves/").json["results"]) == 1
