"""What operators do at a table: end it, and look at the hands of a running round."""

from __future__ import annotations

import re

import pytest
from django.db import IntegrityError, transaction

from games.errors import SessionFinished, SessionNotFound
from games.models import Move, Round, Seat, Session
from games.services.operators import session_end
from games.services.rebuilding import scores_rebuild
from scoring.models import LedgerEntry
from tests.clients import Api
from tests.once import once
from tests.staff import logged, operator, page_of

END, LOOK = "games.end_session", "games.view_running_hands"
WHY = {"reason": "stands still since noon"}


@pytest.fixture
def api(db):
    """On one transaction, which is undone faster than a database is emptied."""
    return Api.guest()


@pytest.fixture
def stranger(db):
    return Api.guest()


def second_round():
    """A table in its second round, in which one move was made by the person."""
    table = Api.guest().open_table(options={"client_seed": "my very own seed"})
    table.play_round()
    assert table.post("rounds/").status == 201
    table.play_lowest(table.bots_play())
    return table


@pytest.fixture
def table(db):
    return once(second_round)


def rows():
    return [list(model.objects.order_by("pk").values()) for model in (Session, Seat, Round, Move)]


def cards_in(page) -> set[str]:
    return set(re.findall(r'title="(\w\w)"', page.content.decode()))


# --- ending a session ---


def test_a_running_round_is_void_and_the_table_is_left_as_before_it(table):
    settled = table.get("rounds/1/").json["settlement"]
    booked = list(LedgerEntry.objects.order_by("pk").values())
    before = table.state()
    session_end(session_id=table.row().pk)
    state, session = table.state(), table.get().json
    assert (state["status"], state["version"]) == ("finished", before["version"] + 1)
    assert (state["round"], state["phase"], state["settlement"]) == (1, "settled", settled)
    assert (state["to_act"], state["deadline"], state["next_commitment"]) == ([], None, None)
    assert (session["status"], session["rounds_played"]) == ("finished", 1)
    assert [seat["total"] for seat in session["seats"]] == settled["totals"]
    assert [entry["number"] for entry in table.get("rounds/").json["results"]] == [1]
    assert list(LedgerEntry.objects.order_by("pk").values()) == booked
    void = Round.objects.get(number=2)
    assert (void.status, void.outcome, void.settled_at) == ("voided", None, None)


def test_the_first_round_void_leaves_a_table_without_a_round(api):
    table = api.open_table()
    table.play_lowest(table.bots_play())
    session_end(session_id=table.row().pk)
    state = table.state()
    assert (state["status"], state["round"], state["phase"]) == ("finished", 0, None)
    assert state["you"]["hand"] == []
    assert table.get().json["rounds_played"] == 0
    assert table.get("rounds/").json["results"] == []
    assert api.get("players/me/ledger/").json["results"] == []
    assert api.get("players/me/resume/").json == {"results": []}


@pytest.mark.parametrize("game", ["big-two-tw", "chinese-poker"])
def test_totals_are_those_of_the_ledger_after_a_void_round(transactional_db, api, stranger, game):
    table = api.open_table(game=game, seats=[{"kind": "open"}, *[{"kind": "bot"}] * 2])
    guest = table.seen_by(stranger)
    assert stranger.post("sessions/join/", {"code": table.get().json["join_code"]}).status == 200
    assert table.post("start/").status == 200
    totals = table.play_on(guest)["settlement"]["totals"]
    assert table.post("rounds/").status == 201
    assert guest.post("leave/").status == 200
    session_end(session_id=table.row().pk)
    seats = table.get().json["seats"]
    assert [seat["total"] for seat in seats] == [totals[0], 0, *totals[2:]]
    assert [seat["kind"] for seat in seats] == ["human", "open", "bot", "bot"]
    assert list(scores_rebuild(mend=False)) == []


def test_a_void_round_is_no_round_to_its_players(table):
    session_end(session_id=table.row().pk)
    assert (table.get("rounds/2/").status, table.get("rounds/2/").code) == (404, "not_found")
    answer = table.move(type="pass")
    assert (answer.status, answer.code) == (409, "round_over")
    assert table.post("rounds/").code == "session_finished"


def test_the_event_says_that_an_operator_ended_it(table):
    before = table.state()["version"]
    session_end(session_id=table.row().pk)
    assert list(table.row().changes.filter(version__gt=before).values_list("type", "seat")) == [
        ("ended", None)
    ]


def test_people_may_play_on_at_a_new_table(table):
    session_end(session_id=table.row().pk)
    again = table.post("rematch/")
    assert (again.status, again.json["status"]) == (200, "lobby")


@pytest.mark.parametrize("start", [False, True], ids=["lobby", "between rounds"])
def test_a_table_without_a_running_round_just_ends(api, start):
    table = api.open_table(start=start)
    if start:
        table.play_round()
    rounds = list(Round.objects.values())
    session_end(session_id=table.row().pk)
    assert (table.state()["status"], table.row().join_code) == ("finished", None)
    assert list(Round.objects.values()) == rounds


def test_what_has_ended_or_is_not_there_cannot_be_ended(table):
    session_end(session_id=table.row().pk)
    before = rows()
    with pytest.raises(SessionFinished):
        session_end(session_id=table.row().pk)
    with pytest.raises(SessionNotFound):
        session_end(session_id=table.row().host_id)
    assert rows() == before


@pytest.mark.parametrize("changed", [{"outcome": {"points": []}}, {"status": "settled"}])
def test_the_database_keeps_a_void_round_without_an_outcome(table, changed):
    session_end(session_id=table.row().pk)
    with pytest.raises(IntegrityError), transaction.atomic():
        Round.objects.filter(number=2).update(**changed)


def test_an_operator_ends_a_session_after_a_page_that_asks_for_the_reason(table):
    client, _ = operator(END)
    session = table.row()
    assert page_of(session, "end") in client.get(page_of(session)).content.decode()
    asked = client.get(page_of(session, "end"))
    assert (asked.status_code, b'name="reason"' in asked.content) == (200, True)
    assert table.row().status == "playing"
    done = client.post(page_of(session, "end"), WHY)
    assert (done.status_code, done["Location"]) == (302, page_of(session))
    assert table.row().status == "finished"
    assert logged() == [("operator", str(session.pk), "Ended the session: stands still since noon")]
    assert page_of(session, "end") not in client.get(page_of(session)).content.decode()


@pytest.mark.parametrize("reason", ["", "   ", "x" * 501], ids=["none", "blank", "too long"])
def test_without_a_reason_nothing_happens(table, reason):
    client, _ = operator(END, LOOK)
    before = rows()
    for row, act in ((table.row(), "end"), (Round.objects.get(number=2), "look")):
        answer = client.post(page_of(row, act), {"reason": reason})
        assert (answer.status_code, b"errorlist" in answer.content) == (200, True)
        assert cards_in(answer) == set()
    assert rows() == before
    assert logged() == []


def test_without_the_permission_there_is_no_button_and_no_way(table):
    client, _ = operator()
    before = rows()
    for row, act in ((table.row(), "end"), (Round.objects.get(number=2), "look")):
        shown = client.get(page_of(row))
        assert (shown.status_code, page_of(row, act) in shown.content.decode()) == (200, False)
        assert client.get(page_of(row, act)).status_code == 403
        assert client.post(page_of(row, act), WHY).status_code == 403
    assert rows() == before
    assert logged() == []


def test_what_is_not_possible_any_more_is_refused_and_not_logged(table):
    client, _ = operator(END, LOOK)
    session_end(session_id=table.row().pk)
    before = rows()
    for row, act in ((table.row(), "end"), (Round.objects.get(number=2), "look")):
        answer = client.post(page_of(row, act), WHY, follow=True)
        assert answer.redirect_chain == [(page_of(row), 302)]
        assert "This is not possible now" in answer.content.decode()
    assert rows() == before
    assert logged() == []


def test_an_act_on_nothing_is_a_404(db):
    client, _ = operator(END)
    assert client.get("/admin/games/session/no-such-id/end/").status_code == 404


# --- the board ---


def test_a_running_round_shows_what_lies_on_the_table_and_no_hand(table):
    client, _ = operator(LOOK)
    round_ = Round.objects.get(number=2)
    played = {card for move in round_.moves.all() for card in move.data.get("cards", ())}
    assert played
    assert cards_in(client.get(page_of(round_))) == played
    for step in range(round_.moves.count()):
        assert cards_in(client.get(page_of(round_), {"step": step})) <= played


def test_each_look_at_the_hands_shows_them_all_and_is_logged(table):
    client, _ = operator(LOOK)
    round_ = Round.objects.get(number=2)
    assert cards_in(client.get(page_of(round_, "look"))) == set()
    for reason in ("two say they hold 2S", "again"):
        seen = client.post(page_of(round_, "look"), {"reason": reason})
        assert cards_in(seen) == set(round_.deals[0]["deck"])
        assert "no-store" in seen["Cache-Control"]
        told = seen.content.decode()
        assert bytes(round_.server_seed).hex() not in told
        assert "my very own seed" not in told
    assert logged() == [
        ("operator", str(round_.pk), "Looked at the hands: two say they hold 2S"),
        ("operator", str(round_.pk), "Looked at the hands: again"),
    ]


def test_a_look_is_for_once_and_the_page_hides_the_hands_again(table):
    client, _ = operator(LOOK)
    round_ = Round.objects.get(number=2)
    hidden = cards_in(client.get(page_of(round_)))
    client.post(page_of(round_, "look"), WHY)
    assert cards_in(client.get(page_of(round_))) == hidden


def test_a_look_shows_the_rows_that_are_set(api):
    table = api.open_table(game="chinese-poker")
    hand = table.state()["you"]["hand"]
    rows_set = {"front": hand[:3], "middle": hand[3:8], "back": hand[8:]}
    assert table.move(type="arrange", accept_foul=True, **rows_set).status == 201
    client, _ = operator(LOOK)
    round_ = Round.objects.get()
    assert cards_in(client.get(page_of(round_))) == set()
    assert set(hand) <= cards_in(client.post(page_of(round_, "look"), WHY))


@pytest.mark.parametrize("end", ["settled", "voided"])
def test_after_the_end_the_board_steps_through_all_hands(table, end):
    client, _ = operator()
    number = 1 if end == "settled" else 2
    if end == "voided":
        session_end(session_id=table.row().pk)
    round_ = Round.objects.get(number=number)
    first = client.get(page_of(round_), {"step": 0}).context["board"]
    assert sorted(card for seat in first.seats for card in seat.hand) == sorted(
        round_.deals[0]["deck"]
    )
    held = [52]
    for move in round_.moves.order_by("number"):
        board = client.get(page_of(round_), {"step": move.number}).context["board"]
        held.append(sum(len(seat.hand) for seat in board.seats))
        assert held[-1] == held[-2] - len(move.data.get("cards") or ())
        assert [len(seat.hand) for seat in board.seats] == [s.cards_left for s in board.seats]
    assert (board.step, board.last) == (len(held) - 1, len(held) - 1)
    points = [seat.points for seat in board.seats]
    assert points == (round_.outcome["points"] if round_.outcome else [None] * 4)


@pytest.mark.parametrize(("step", "shown"), [("-5", 0), ("99999", "last"), ("x", "last")])
def test_any_step_is_answered(table, step, shown):
    client, _ = operator()
    board = client.get(page_of(Round.objects.get(number=1)), {"step": step}).context["board"]
    assert board.step == (board.last if shown == "last" else shown)


def test_a_log_that_the_rules_refuse_is_shown_as_far_as_it_goes(table):
    client, _ = operator()
    round_ = Round.objects.get(number=1)
    third = round_.moves.get(number=3)
    third.data = {"type": "play", "cards": ["3C", "4D", "7S"]}
    third.save()
    page = client.get(page_of(round_))
    board = page.context["board"]
    assert (board.step, board.last, board.is_whole) == (2, 2, False)
    assert len(board.moves) == round_.moves.count()
    assert "The rules refuse the move after this step" in page.content.decode()


@pytest.mark.parametrize("game", ["big-two-hk", "dou-dizhu", "chinese-poker", "thirteen"])
def test_every_game_has_a_board(api, game):
    table = api.open_table(game=game)
    table.play_on()
    client, _ = operator()
    round_ = Round.objects.get()
    board = client.get(page_of(round_)).context["board"]
    assert (board.is_whole, board.last) == (True, round_.moves.count())
    assert [seat.points for seat in board.seats] == round_.outcome["points"]
