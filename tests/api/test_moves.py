"""Moves over the API: accepted, refused with a reason and nothing changed, logged, previewed."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.db import connection

from games.rules.arranging.arrangement import ArrangingRules
from tests.api.test_sessions import everything
from tests.clients import Api, People, Table
from tests.deals import deal_from, hands_of, host_follows, host_leads, seed_where


@pytest.fixture
def leading(api: Api, monkeypatch: pytest.MonkeyPatch) -> Table:
    """A table whose host leads the first trick and holds `3C 3D`."""
    deal_from(monkeypatch, host_leads())
    return api.open_table()


@pytest.fixture
def following(api: Api, monkeypatch: pytest.MonkeyPatch) -> Table:
    """A table whose host follows the bot of seat 3."""
    deal_from(monkeypatch, host_follows())
    table = api.open_table()
    table.bots_play()
    return table


def foreign_card(hand: list[str]) -> str:
    return next(card for card in ("5S", "6S", "7S", "8S") if card not in hand)


def test_a_move_answers_with_itself_and_the_state_after_it(leading: Table) -> None:
    turn = leading.state()["turn"]
    answer = leading.move(type="play", cards=["3C"], turn=turn)
    assert answer.status == 201
    move, state = answer.json["move"], answer.json["state"]
    assert (move["number"], move["seat"], move["turn"]) == (1, 0, turn)
    assert (move["cards"], move["pattern"], move["actor"]) == (["3C"], "single", "person")
    assert state == leading.state()
    assert state["to_act"] == [1]
    assert state["turn"] > turn
    assert "3C" not in state["you"]["hand"]
    assert state["seats"][0]["cards_left"] == 12
    assert state["trick"]["to_beat"] == {"seat": 0, "cards": ["3C"], "pattern": "single"}


# Each row: what the leader sends, what is answered, and a fact that the answer names.
LEAD_REFUSALS: list[tuple[str, dict[str, Any], int, str, dict[str, Any]]] = [
    ("pass on a lead", {"type": "pass"}, 422, "must_lead", {}),
    (
        "without the opening card",
        {"type": "play", "cards": ["3D"]},
        422,
        "must_include_card",
        {"card": "3C"},
    ),
    ("no pattern", {"type": "play", "cards": ["3C", "FOREIGN"]}, 422, "card_not_in_hand", {}),
    ("no cards", {"type": "play", "cards": []}, 422, "not_a_pattern", {"cards": []}),
    (
        "a card twice",
        {"type": "play", "cards": ["3C", "3C"]},
        422,
        "duplicate_card",
        {"card": "3C"},
    ),
    ("suit first", {"type": "play", "cards": ["C3"]}, 422, "unknown_card", {"card": "C3"}),
    ("lower case", {"type": "play", "cards": ["3c"]}, 422, "unknown_card", {"card": "3c"}),
    ("ten in two digits", {"type": "play", "cards": ["10D"]}, 422, "unknown_card", {"card": "10D"}),
    ("with a blank", {"type": "play", "cards": [" 3C"]}, 422, "unknown_card", {"card": " 3C"}),
    ("nothing", {"type": "play", "cards": [""]}, 422, "unknown_card", {"card": ""}),
    (
        "another reading",
        {"type": "play", "cards": ["3C"], "pattern": "pair"},
        422,
        "ambiguous_pattern",
        {"pattern": "pair"},
    ),
    ("a bid", {"type": "bid", "bid": 1}, 409, "wrong_phase", {"type": "bid"}),
    ("a cut", {"type": "cut", "position": 3}, 409, "wrong_phase", {"type": "cut"}),
    ("a closed turn", {"type": "play", "cards": ["3C"], "turn": 0}, 409, "stale_turn", {"turn": 0}),
    (
        "a turn to come",
        {"type": "play", "cards": ["3C"], "turn": 99},
        409,
        "stale_turn",
        {"turn": 99},
    ),
]


@pytest.mark.parametrize(
    ("body", "status", "code", "fact"),
    [row[1:] for row in LEAD_REFUSALS],
    ids=[row[0] for row in LEAD_REFUSALS],
)
def test_a_lead_is_refused_with_its_reason_and_nothing_changes(
    leading: Table, body: dict[str, Any], status: int, code: str, fact: dict[str, Any]
) -> None:
    hand = leading.state()["you"]["hand"]
    body = {
        **body,
        **(
            {"cards": [foreign_card(hand) if card == "FOREIGN" else card for card in body["cards"]]}
            if "cards" in body
            else {}
        ),
    }
    before = everything(leading)
    answer = leading.move(**body)
    assert (answer.status, answer.code) == (status, code)
    for name, value in fact.items():
        assert answer.json["params"][name] == value
    if status == 409:
        assert answer.json["state"] == leading.state()
    assert answer.json["detail"]
    assert everything(leading) == before


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "type"),
        ({"type": "dance"}, "type"),
        ({"type": "play"}, "cards"),
        ({"type": "play", "cards": "3C"}, "cards"),
        ({"type": "play", "cards": [3]}, "cards.0"),
        ({"type": "play", "cards": ["3C"] * 21}, "cards"),
        ({"type": "play", "cards": ["3C"], "turn": "1"}, "turn"),
        ({"type": "play", "cards": ["3C"], "turn": True}, "turn"),
        ({"type": "play", "cards": ["3C"], "turn": 1.5}, "turn"),
        ({"type": "play", "cards": ["3C"], "bid": 1}, "bid"),
        ({"type": "play", "cards": ["3C"], "joker": 1}, "joker"),
        ({"type": "pass", "cards": ["3C"]}, "cards"),
        ({"type": "bid"}, "bid"),
        ({"type": "bid", "bid": 4}, "bid"),
        ({"type": "arrange", "front": []}, "middle"),
        ({"type": "answer_redeal", "accept": "yes"}, "accept"),
    ],
)
def test_a_body_of_the_wrong_shape_is_refused_by_field(
    leading: Table, body: dict[str, Any], field: str
) -> None:
    before = everything(leading)
    answer = leading.post("moves/", body)
    assert (answer.status, answer.code) == (400, "invalid_input")
    assert field in [error["field"] for error in answer.json["errors"]]
    assert everything(leading) == before


def test_fields_of_other_types_may_be_null(leading: Table) -> None:
    nulls = dict.fromkeys(("bid", "accept", "position", "front", "middle", "back", "pattern"))
    assert leading.move(type="play", cards=["3C"], turn=None, **nulls).status == 201


def test_out_of_turn_names_who_is_to_act(leading: Table) -> None:
    leading.move(type="play", cards=["3C"])
    before = everything(leading)
    answer = leading.move(type="pass")
    assert (answer.status, answer.code) == (409, "not_your_turn")
    assert answer.json["params"] == {"seat": 0, "to_act": [1]}
    assert answer.json["state"] == leading.state()
    assert everything(leading) == before


def test_a_follow_is_refused_as_wrong_pattern_or_too_low(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Seat 3 opens; seat 0 holds a pair and its single, so it can answer in the wrong size.
    def wanted(hands: list[list[str]]) -> bool:
        return "3C" in hands[3] and {"4C", "4D"} <= set(hands[0])

    deal_from(monkeypatch, seed_where(wanted))
    table = api.open_table()
    state = table.bots_play()
    lead = state["trick"]["to_beat"]
    before = everything(table)
    size = len(lead["cards"])
    other_size = ["4C", "4D"] if size == 1 else ["4C"]
    answer = table.move(type="play", cards=other_size)
    assert (answer.status, answer.code) == (422, "wrong_pattern")
    assert answer.json["params"]["to_beat"] == lead
    assert everything(table) == before


def test_a_play_that_is_too_low_is_told_what_it_had_to_beat(leading: Table) -> None:
    """Played on until the host must follow a higher single than the lowest it holds."""
    state = leading.state()
    while True:
        trick = state["trick"]
        own = state["you"]["hand"]
        if trick["to_beat"] and len(trick["to_beat"]["cards"]) == 1 and state["to_act"] == [0]:
            legal = {tuple(play["cards"]) for play in leading.get("legal-plays/").json["plays"]}
            low = next((card for card in own if (card,) not in legal), None)
            if low:
                break
        answer = leading.play_lowest(state)
        assert answer.status == 201
        state = leading.bots_play()
        assert state["status"] == "playing", "the deal never asked for a higher single"
    before = everything(leading)
    answer = leading.move(type="play", cards=[low])
    assert (answer.status, answer.code) == (422, "does_not_beat")
    assert answer.json["params"]["to_beat"] == state["trick"]["to_beat"]
    assert everything(leading) == before


def test_a_pass_that_arrives_twice_counts_once(following: Table) -> None:
    """T1: the second, with the first's turn, meets a decision that is closed."""
    turn = following.state()["turn"]
    assert following.move(type="pass", turn=turn).status == 201
    before = everything(following)
    again = following.move(type="pass", turn=turn)
    assert (again.status, again.code) == (409, "stale_turn")
    assert everything(following) == before


@pytest.mark.django_db(transaction=True)
def test_of_two_moves_at_once_one_wins_and_the_log_is_whole(leading: Table) -> None:
    turn = leading.state()["turn"]
    answers: list[Any] = []

    def act() -> None:
        answers.append(
            Table(Api(leading.api.token), leading.id).move(type="play", cards=["3C"], turn=turn)
        )
        connection.close()

    threads = [threading.Thread(target=act) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answer.status for answer in answers) == [201, 409, 409, 409]
    assert {answer.code for answer in answers if answer.status == 409} == {"stale_turn"}
    log = leading.get("moves/").json["results"]
    assert [move["number"] for move in log] == [1]


def test_the_log_has_every_move_in_order(leading: Table) -> None:
    leading.play_round()
    log = leading.get("moves/").json["results"]
    assert [move["number"] for move in log] == list(range(1, len(log) + 1))
    assert log[0]["cards"] == ["3C"] or "3C" in log[0]["cards"]
    assert {move["actor"] for move in log} == {"person", "bot"}
    assert all((move["policy"] is None) == (move["actor"] == "person") for move in log)
    tail = leading.get(f"moves/?round=1&after={len(log) - 2}").json["results"]
    assert tail == log[-2:]
    leading.post("rounds/")
    assert leading.get("moves/").json["results"] == []
    assert leading.get("moves/?round=1").json["results"] == log
    assert leading.get("moves/?round=9").code == "not_found"
    assert leading.get("moves/?after=-1").code == "invalid_input"


def test_own_plays_are_what_the_rules_accept_weakest_first(leading: Table) -> None:
    listed = leading.get("legal-plays/").json
    assert listed["count"] == len(listed["plays"])
    assert listed["can_pass"] is False
    assert listed["plays"][0] == {"cards": ["3C"], "pattern": "single"}
    assert all("3C" in play["cards"] for play in listed["plays"])
    for play in listed["plays"]:
        preview = leading.post("moves/preview/", {"type": "play", "cards": play["cards"]}).json
        assert (preview["accepted"], preview["pattern"]) == (True, play["pattern"])


def test_nobody_has_plays_out_of_turn(leading: Table) -> None:
    leading.move(type="play", cards=["3C"])
    assert leading.get("legal-plays/").json == {"plays": [], "count": 0, "can_pass": False}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"type": "play", "cards": ["3C"]}, {"accepted": True, "code": None, "pattern": "single"}),
        ({"type": "play", "cards": ["3D"]}, {"accepted": False, "code": "must_include_card"}),
        ({"type": "play", "cards": ["3x"]}, {"accepted": False, "code": "unknown_card"}),
        ({"type": "pass"}, {"accepted": False, "code": "must_lead"}),
        ({"type": "bid", "bid": 1}, {"accepted": False, "code": "wrong_phase"}),
        ({"type": "pass", "turn": 0}, {"accepted": False, "code": "stale_turn"}),
    ],
)
def test_a_preview_says_what_would_be_and_changes_nothing(
    leading: Table, body: dict[str, Any], expected: dict[str, Any]
) -> None:
    before = everything(leading)
    answer = leading.post("moves/preview/", body)
    assert answer.status == 200
    assert {name: answer.json[name] for name in expected} == expected
    assert everything(leading) == before


def test_a_preview_says_whether_it_beats(following: Table) -> None:
    plays = following.get("legal-plays/").json["plays"]
    if plays:
        preview = following.post("moves/preview/", {"type": "play", **plays[-1]}).json
        assert (preview["accepted"], preview["beats"]) == (True, True)
    state = following.state()
    hand = state["you"]["hand"]
    wrong = [hand[0]] if len(state["trick"]["to_beat"]["cards"]) > 1 else hand[:2]
    preview = following.post("moves/preview/", {"type": "play", "cards": wrong}).json
    assert preview["accepted"] is False
    assert preview["beats"] in (None, False)


def test_no_answer_holds_an_unplayed_card_of_another_seat(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """P1, for one whole round: every body and header, searched for cards that are not known."""
    seed = host_leads()
    deal_from(monkeypatch, seed)
    hands = hands_of(seed)
    table = api.open_table()
    own = set(hands[0])
    state = table.bots_play()
    while state["status"] == "playing":
        shown = {
            card for move in table.get("moves/").json["results"] for card in move["cards"] or []
        }
        hidden = {card for hand in hands[1:] for card in hand} - shown - own
        answers = [
            table.get(""),
            table.get("state/"),
            table.get("moves/"),
            table.get("legal-plays/"),
            table.get("rounds/"),
            table.get("rounds/1/"),
            table.post("moves/preview/", {"type": "pass"}),
            table.post("moves/", {"type": "pass", "turn": 0}),
            api.get("players/me/resume/"),
            api.get("sessions/"),
        ]
        for answer in answers:
            text = answer.bytes.decode() + repr(dict(answer.headers))
            assert not [card for card in hidden if f'"{card}"' in text]
        assert table.play_lowest(state).status == 201
        state = table.bots_play()


def test_state_304_while_nothing_changed(leading: Table) -> None:
    first = leading.get("state/")
    etag = first.headers["ETag"]
    assert etag == f'"{first.json["version"]}"'
    for sent in (etag, f"W/{etag}", f'"0", {etag}'):
        again = leading.get("state/", If_None_Match=sent)
        assert (again.status, again.bytes, again.headers["ETag"]) == (304, b"", etag)
    leading.move(type="play", cards=["3C"])
    assert leading.get("state/", If_None_Match=etag).status == 200


def test_the_long_poll_answers_at_once_when_there_is_news(leading: Table) -> None:
    version = leading.state()["version"]
    answer = leading.get(f"state/wait/?since={version - 1}&timeout=30")
    assert (answer.status, answer.json) == (200, leading.state())


def test_the_long_poll_answers_with_the_state_as_it_is_at_the_end(leading: Table) -> None:
    version = leading.state()["version"]
    answer = leading.get(f"state/wait/?since={version}&timeout=0")
    assert (answer.status, answer.json) == (200, leading.state())


@pytest.mark.parametrize("query", ["", "since=x", "since=-1", "since=1&timeout=31", "since=1&z=1"])
def test_the_long_poll_refuses_a_bad_query(leading: Table, query: str) -> None:
    answer = leading.get(f"state/wait/?{query}")
    assert (answer.status, answer.code) == (400, "invalid_input")


@pytest.mark.parametrize("game", ["chinese-poker", "thirteen"])
def test_no_arrangement_is_made_to_list_no_plays(
    game: str, transactional_db: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There are 72,072 of each hand: it took a second and more."""
    people = People.at_a_table(game, others=1)
    while people.host.bots_play()["phase"] == "cutting":
        cutters = [t for t in people.tables if "cut" in t.state()["you"]["actions"]]
        assert cutters[0].move(type="cut", position=0).status == 201
    monkeypatch.setattr(ArrangingRules, "_arrangements", None)
    assert "arrange" in people.host.state()["you"]["actions"]
    assert people.host.get("legal-plays/").json == {"plays": [], "count": 0, "can_pass": False}
