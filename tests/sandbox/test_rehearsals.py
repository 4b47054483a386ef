"""Tables with given hands and scripts of the client's own; nothing of them is booked."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management import call_command

from games.models import DealTally, Session
from games.verify.checks import replay_verify
from games.verify.errors import Wrong
from sandbox.models import Rehearsal
from scoring.models import LedgerEntry, Standing
from tests.clients import Api, Table
from tests.sandbox.rehearsals import Json, log, play_line, rehearse

TW: Json = {"game": "big-two-tw"}
LEADS: Json = {"hands": [["3C", "3D"], ["2S"], [], []]}


def lead(table: Table, *script: Json) -> list[Any]:
    """The caller leads the lowest card, each other seat acts once; their moves as the log has
    them, without those that a policy chose."""
    play_line(table, {"seat": 0, "type": "play", "cards": ["3C"]})
    for seat in (1, 2, 3):
        play_line(table, {"seat": seat})
    moves = log(table)[1:]
    return [(move["type"], move["cards"]) if move["policy"] == "script" else None for move in moves]


def test_a_hand_is_as_given_and_the_rest_is_dealt_by_chance(builder: Api):
    given = ["3C", "9C", "9D", "9H", "9S", "2S"]
    tables = [rehearse(builder, **TW, deal={"hands": [given, ["2H"], [], []]}) for _ in range(2)]
    hands = [set(table.state()["you"]["hand"]) for table in tables]
    assert all(hand >= set(given) and len(hand) == 13 and "2H" not in hand for hand in hands)
    assert hands[0] != hands[1]


def test_without_hands_all_is_dealt_by_chance(builder: Api):
    table = rehearse(builder, game="dou-dizhu", deal={"hands": [], "first": 0})
    assert len(table.state()["you"]["hand"]) == 17
    assert table.state()["to_act"] == [0]


def test_a_kitty_and_the_first_bidder_are_as_given(builder: Api):
    deal = {"hands": [[], [], []], "kitty": ["RJ", "3C", "2S"], "first": 0}
    table = rehearse(builder, game="dou-dizhu", deal=deal)
    assert table.move(type="bid", bid=3).json["state"]["kitty"] == ["3C", "2S", "RJ"]


def test_the_leader_of_thirteen_is_as_given(builder: Api):
    table = rehearse(builder, game="thirteen", deal={"hands": [], "first": 2})
    cutting = table.state()["cutting"]
    assert (cutting["leader"], cutting["draws"]) == (2, [])


def test_a_script_is_followed_by_each_seat_in_its_own_order(builder: Api):
    script = [
        {"seat": 3, "type": "pass"},
        {"seat": 1, "type": "play", "cards": ["2S"]},
        {"seat": 2, "type": "pass"},
    ]
    table = rehearse(builder, **TW, deal=LEADS, script=script)
    assert lead(table) == [("play", ["2S"]), ("pass", None), ("pass", None)]


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param({"type": "play", "cards": ["2H"]}, id="not in the hand"),
        pytest.param({"type": "play", "cards": ["XX"]}, id="no card"),
        pytest.param({"type": "bid", "bid": 1}, id="not in this game"),
    ],
)
def test_a_seat_whose_line_does_not_fit_plays_on_as_a_bot_for_good(builder: Api, broken: Json):
    deal = {"hands": [["3C", "3D"], ["2S"], ["2H"], []]}
    script = [
        {"seat": 1, **broken},
        {"seat": 1, "type": "pass"},
        {"seat": 2, "type": "pass"},
        {"seat": 3, "type": "pass"},
    ]
    table = rehearse(builder, **TW, deal=deal, script=script)
    assert lead(table) == [None, ("pass", None), ("pass", None)]
    for _ in range(8):
        if not table.bots_play()["to_act"]:
            break
        table.follow_hint()
    assert [m for m in log(table) if m["seat"] == 1 and m["policy"] == "script"] == []


def test_where_the_script_ends_the_bots_play(builder: Api):
    table = rehearse(builder, **TW, deal=LEADS, script=[{"seat": 1, "type": "pass"}])
    assert lead(table) == [("pass", None), None, None]


def test_a_script_of_ones_own_goes_before_the_scenarios(builder: Api):
    script = [{"seat": 1, "type": "pass"}]
    table = rehearse(builder, **TW, scenario="bomb_on_a_two", script=script)
    assert lead(table)[0] == ("pass", None)


def test_a_script_ends_with_its_deal(builder: Api):
    script = [{"seat": seat, "type": "bid", "bid": 0} for seat in (1, 2, 1, 2)]
    table = rehearse(builder, game="dou-dizhu", deal={"hands": [], "first": 1}, script=script)
    for seat in (1, 2):
        play_line(table, {"seat": seat})
    assert table.move(type="bid", bid=0).json["state"]["deal"] == 2
    table.bots_play()
    assert [m["policy"] == "script" for m in log(table) if m["seat"]][:2] == [True, True]
    assert not any(m["policy"] == "script" for m in log(table) if m["deal"] == 2)


def test_other_tables_follow_no_script(builder: Api):
    table = builder.open_table()
    state = table.bots_play()
    assert state["status"] == "playing"
    assert not any(move["policy"] == "script" for move in log(table))


def test_options_are_as_elsewhere(builder: Api):
    table = rehearse(builder, **TW, deal=LEADS, options={"turn_seconds": 30, "rounds": 1})
    options = table.get().json["options"]
    assert (options["turn_seconds"], options["rounds"], options["bot_level"]) == (30, 1, "normal")


BAD: list[Any] = [
    pytest.param({}, 400, "scenario", id="neither"),
    pytest.param({"scenario": "spring", "deal": LEADS}, 400, "scenario", id="both"),
    pytest.param({"scenario": "dragon"}, 400, "scenario", id="of another game"),
    pytest.param({"deal": {"hands": [[], []]}}, 400, "hands", id="too few seats"),
    pytest.param({"deal": {"hands": [[]] * 5}}, 400, "deal.hands", id="too many seats"),
    pytest.param(
        {"deal": {"hands": [[r + "C" for r in "3456789TJQKA2"] + ["3D"], [], [], []]}},
        400,
        "hands",
        id="fourteen cards",
    ),
    pytest.param({"deal": {"hands": [["RJ"], [], [], []]}}, 400, "hands", id="a joker"),
    pytest.param({"deal": {**LEADS, "kitty": ["4C"]}}, 400, "kitty", id="a kitty"),
    pytest.param({"deal": {**LEADS, "first": 0}}, 400, "first", id="a first bidder"),
    pytest.param({"deal": {"hands": [["3X"], [], [], []]}}, 422, "unknown_card", id="no card"),
    pytest.param(
        {"deal": {"hands": [["3C"], ["3C"], [], []]}}, 422, "duplicate_card", id="a card twice"
    ),
    pytest.param({"deal": LEADS, "script": [{"type": "pass"}]}, 400, "script.0.seat", id="whose?"),
    pytest.param(
        {"deal": LEADS, "script": [{"seat": 1, "type": "pass", "turn": 1}]},
        400,
        "script.0.turn",
        id="a turn in the script",
    ),
    pytest.param(
        {"deal": LEADS, "script": [{"seat": 1, "type": "play"}]},
        400,
        "script.0.cards",
        id="a play without cards",
    ),
    pytest.param({"deal": LEADS, "visibility": "public"}, 400, "visibility", id="public"),
]


@pytest.mark.parametrize(("body", "status", "what"), BAD)
def test_what_cannot_be_is_refused_and_opens_no_table(
    builder: Api, body: Json, status: int, what: str
):
    answer = builder.post("sandbox/sessions/", {**TW, **body})
    assert answer.status == status, answer.bytes
    if status == 422:
        assert answer.code == what
    else:
        assert [error["field"] for error in answer.json["errors"]] == [what]
    assert (Session.objects.count(), Rehearsal.objects.count()) == (0, 0)


def test_it_needs_a_token_and_a_retry_opens_no_second_table(builder: Api, anonymous: Api):
    body = {**TW, "scenario": "bomb_on_a_two"}
    assert anonymous.post("sandbox/sessions/", body).status == 401
    first, again = (builder.post("sandbox/sessions/", body, Idempotency_Key="k") for _ in range(2))
    assert (first.status, again.status, first.json) == (201, 201, again.json)
    assert Session.objects.count() == 1


# --- nothing is booked ---


def spring(api: Api) -> Table:
    table = rehearse(api, game="dou-dizhu", scenario="spring", options={"rounds": 2})
    assert table.play_on()["status"] == "between_rounds"
    return table


def test_nothing_that_is_played_there_is_booked_also_in_later_rounds(builder: Api):
    before = builder.get("players/me/scores/").json
    table = spring(builder)
    assert table.post("rounds/", {}).status == 201
    assert table.play_on()["status"] == "finished"
    assert [rows.objects.count() for rows in (LedgerEntry, Standing, DealTally)] == [0, 0, 0]
    assert builder.get("players/me/scores/").json == before
    assert builder.get("players/me/rounds/").json["results"] == []
    assert len(table.get("rounds/").json["results"]) == 2


def test_scores_show_no_running_total_of_it(builder: Api):
    spring(builder)
    (score,) = [
        entry
        for entry in builder.get("players/me/scores/").json["results"]
        if entry["game"] == "dou-dizhu"
    ]
    assert (score["running_total"], score["running_session"]) == (None, None)


def test_a_table_beside_it_is_booked(builder: Api):
    spring(builder)
    builder.open_table(game="chinese-poker").play_on()
    assert LedgerEntry.objects.count() == 1
    assert DealTally.objects.get().game == "chinese-poker"


def test_the_rebuilding_finds_nothing_to_mend(builder: Api, capsys: pytest.CaptureFixture[str]):
    spring(builder)
    builder.open_table(game="chinese-poker").play_on()
    call_command("rebuild_scores", check=True)
    assert LedgerEntry.objects.count() == 1


def test_a_rematch_is_a_table_like_any_other(builder: Api):
    table = rehearse(builder, game="dou-dizhu", scenario="spring", options={"rounds": 1})
    table.play_on()
    again = Table(builder, table.post("rematch/").json["id"])
    assert again.row().counts
    again.post("start/", {})
    again.play_on()
    assert LedgerEntry.objects.filter(session_id=again.id).count() == 1


def test_a_replay_says_that_its_hands_were_given_and_the_verifier_that_no_seed_deals_them(
    builder: Api,
):
    table = spring(builder)
    replay = table.get("rounds/1/").json
    assert [deal["given"] for deal in replay["deals"]] == [True]
    with pytest.raises(Wrong, match=r"deals\[0\]\.given is True, but by the seeds it is False"):
        replay_verify(replay)
    table.post("rounds/", {})
    table.play_on()
    later = table.get("rounds/2/").json
    assert {deal["given"] for deal in later["deals"]} == {False}
    assert replay_verify(later)


@pytest.mark.parametrize("read", ["state/", "moves/", "unseen/", "hint/"])
def test_no_answer_says_what_others_hold_or_will_do(builder: Api, read: str):
    held = ["2S", "2H", "2D"]
    script = [{"seat": 1, "type": "play", "cards": ["2S"]}]
    table = rehearse(builder, **TW, deal={"hands": [["3C"], held, [], []]}, script=script)
    answers = table.get(read).bytes + builder.get("sessions/").bytes
    assert [card for card in held if card.encode() in answers] == []
