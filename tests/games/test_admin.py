"""Sessions, rounds, moves and the ledger in the admin: found and looked at, no secret shown."""

from __future__ import annotations

import re
import uuid

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import escape

from contract import admin as contract_admin
from games.models import Member, Move, Round, Seat, Session
from players.models import Player
from scoring.models import LedgerEntry, Standing
from tests.clients import Api
from tests.factories import PlayerFactory

SESSIONS, ROUNDS = "/admin/games/session/", "/admin/games/round/"
LEDGER, STANDINGS = "/admin/scoring/ledgerentry/", "/admin/scoring/standing/"
MODELS = {SESSIONS: Session, ROUNDS: Round, LEDGER: LedgerEntry, STANDINGS: Standing}
LISTS = list(MODELS)


@pytest.fixture
def api(db):
    """On one transaction, which is undone faster than a database is emptied."""
    return Api.guest()


@pytest.fixture
def stranger(db):
    return Api.guest()


@pytest.fixture
def staff(db):
    client = Client()
    client.force_login(
        PlayerFactory(registered=True, username="boss", is_staff=True, is_superuser=True)
    )
    return client


@pytest.fixture
def table(api):
    """A table between two rounds, the first of which is settled."""
    table = api.open_table(game="chinese-poker")
    assert table.move(**rows_of(table.state()["you"]["hand"])).status == 201
    assert table.bots_play()["status"] == "between_rounds"
    return table


def rows_of(hand):
    """Any rows, as a move."""
    rows_set = {"front": hand[:3], "middle": hand[3:8], "back": hand[8:]}
    return {"type": "arrange", "accept_foul": True, **rows_set}


def rows(page):
    return list(page.context["cl"].result_list)


def page_of(row):
    model = type(row)
    return f"/admin/{model._meta.app_label}/{model._meta.model_name}/{row.pk}/change/"


def queries_of(client, url):
    with CaptureQueriesContext(connection) as queries:
        assert client.get(url).status_code == 200, url
    return [query["sql"] for query in queries]


@pytest.mark.parametrize("url", LISTS)
def test_lists_open(staff, table, url):
    page = staff.get(url)
    assert page.status_code == 200
    assert len(rows(page)) == MODELS[url].objects.count() > 0


def test_pages_of_a_settled_round_show_all_of_it(staff, table):
    round_ = Round.objects.get()
    assert page_of(round_) in staff.get(page_of(table.row())).content.decode()
    told = staff.get(page_of(round_)).content.decode()
    assert bytes(round_.server_seed).hex() in told
    for card in round_.deals[0]["deck"]:
        assert f"&quot;{card}&quot;" in told
        assert f'title="{card}"' in told
    for row in (*LedgerEntry.objects.all(), *Standing.objects.all()):
        assert staff.get(page_of(row)).status_code == 200


def test_pages_of_a_running_round_tell_nothing_that_is_hidden(staff, api):
    table = api.open_table(options={"client_seed": "my very own seed"})
    state = table.bots_play()
    assert table.play_lowest(state).status == 201
    round_ = Round.objects.get()
    played = {card for move in round_.moves.all() for card in move.data.get("cards", ())}
    assert played
    hidden = {bytes(round_.server_seed).hex(), *round_.deals[0]["deck"]} - played
    for url in (SESSIONS, ROUNDS, page_of(table.row()), page_of(round_)):
        told = staff.get(url).content.decode()
        words = set(re.findall(r"[0-9A-Za-z]+", told))
        assert words & {"Open", "Playing"}, url
        assert not words & hidden, url
        assert "my very own seed" not in told


def test_the_seed_of_the_next_round_is_nowhere(staff, table):
    seed = bytes(table.row().next_server_seed)
    assert len(seed) == 32
    for url in (SESSIONS, page_of(table.row()), page_of(Round.objects.get())):
        told = staff.get(url).content.decode()
        assert seed.hex() not in told
        assert escape(str(seed)) not in told
        assert "next_server_seed" not in told


def test_rows_that_are_set_stay_hidden_until_the_round_is_settled(staff, api):
    table = api.open_table(game="chinese-poker")
    hand = table.state()["you"]["hand"]
    assert table.move(**rows_of(hand)).status == 201
    round_ = Round.objects.get()
    told = staff.get(page_of(round_)).content.decode()
    assert "arrange" in told
    assert hand[0] not in re.findall(r"[0-9A-Z]{2}", told)
    table.bots_play()
    told = staff.get(page_of(round_)).content.decode()
    assert f"&quot;{hand[0]}&quot;" in told


@pytest.mark.parametrize(
    ("url", "term", "found"),
    [
        (SESSIONS, "{session}", True),
        (SESSIONS, " {host} ", True),
        (SESSIONS, "{name}", True),
        (SESSIONS, "Nobody", False),
        (SESSIONS, "{stranger}", False),
        (SESSIONS, "\0", True),
        (ROUNDS, "{session}", True),
        (ROUNDS, "{host}", True),
        (ROUNDS, "{name}", True),
        (ROUNDS, "{stranger}", False),
        (ROUNDS, "1", False),
        (LEDGER, "{session}", True),
        (LEDGER, "{host}", True),
        (LEDGER, "{stranger}", False),
        (STANDINGS, "{name}", True),
        (STANDINGS, "{session}", False),
    ],
)
def test_search(staff, table, stranger, url, term, found):
    host = Player.objects.get(pk=table.api.player["id"])
    host.display_name = "Dragon of the table"
    host.save()
    term = term.format(
        session=table.id, host=host.pk, name="Dragon", stranger=stranger.player["id"]
    )
    all_there_are = MODELS[url].objects.count()
    assert len(rows(staff.get(url, {"q": term}))) == found * all_there_are


def test_search_by_join_code_in_any_case(staff, api):
    api.open_table()
    waiting = api.open_table(seats=[{"kind": "open"}] * 3)
    code = waiting.get().json["join_code"]
    for term in (code, code.lower(), f" {code} "):
        assert [str(row.pk) for row in rows(staff.get(SESSIONS, {"q": term}))] == [waiting.id]
    assert rows(staff.get(SESSIONS, {"q": code[:5]})) == []


def test_search_by_a_player_finds_every_table_of_theirs_and_not_only_as_host(staff, api, stranger):
    table = api.open_table(seats=[{"kind": "open"}] * 3)
    assert stranger.post("sessions/join/", {"code": table.get().json["join_code"]}).status == 200
    stranger.open_table()
    found = rows(staff.get(SESSIONS, {"q": stranger.player["id"]}))
    assert len(found) == 2
    assert table.id in {str(row.pk) for row in found}


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"game": "chinese-poker"}, 1),
        ({"game": "big-two-tw"}, 0),
        ({"game": "no-such-game"}, 0),
        ({"status__exact": "between_rounds"}, 1),
        ({"status__exact": "lobby"}, 0),
        ({"visibility__exact": "public"}, 0),
        ({"created_at__gte": "2001-01-01 00:00:00+00:00"}, 1),
        ({"created_at__lt": "2001-01-01 00:00:00+00:00"}, 0),
    ],
)
def test_filters(staff, table, query, found):
    assert len(rows(staff.get(SESSIONS, query))) == found


def copied(row, **changed):
    """The row once more, under another id."""
    row.pk, row._state.adding = None, True
    for name, value in changed.items():
        setattr(row, name, value)
    row.save(force_insert=True)
    return row


def multiply(table, times):
    """So many sessions more with their seats, rounds of the first, moves of its round, bookings,
    and standings, each with a player of its own."""
    session_id, round_ = table.row().pk, Round.objects.get()
    for number in range(times):
        player = PlayerFactory()
        session = copied(Session.objects.get(pk=session_id), host=player)
        copied(Seat.objects.get(session_id=session_id, number=0), session=session, player=player)
        copied(Member.objects.get(session_id=session_id), session=session, player=player)
        copied(Round.objects.get(pk=round_.pk), number=number + 2)
        copied(Move.objects.filter(round=round_)[0], number=1000 + number)
        entry = {"public_id": uuid.uuid4(), "player": player, "round_number": number + 2}
        copied(LedgerEntry.objects.first(), **entry)
        copied(Standing.objects.first(), player=player)


def test_the_number_of_queries_does_not_grow_with_the_rows(staff, table):
    session, round_ = table.row(), Round.objects.get()
    urls = [*LISTS, page_of(session), page_of(round_)]
    for url in urls:  # what Django remembers from then on
        staff.get(url)
    before = {url: len(queries_of(staff, url)) for url in urls}
    multiply(table, 29)
    assert len(rows(staff.get(SESSIONS))) == 30
    assert {url: len(queries_of(staff, url)) for url in urls} == before
    assert max(before.values()) <= 8


@pytest.mark.parametrize("url", LISTS)
def test_no_list_counts_or_reads_a_whole_table(staff, table, url, monkeypatch):
    monkeypatch.setattr(contract_admin, "MOST_ROWS_COUNTED", 5)
    monkeypatch.setattr(contract_admin.RecordAdmin, "list_per_page", 3)
    multiply(table, 9)
    page = staff.get(url)
    assert (page.context["cl"].paginator.count, len(rows(page))) == (5, 3)
    read = [sql for sql in queries_of(staff, url) if re.search(r'FROM "(games|scoring)_', sql)]
    assert read
    assert not [sql for sql in read if "COUNT(" in sql or "DISTINCT" in sql]
    assert all("LIMIT" in sql for sql in read)


def test_a_session_of_many_rounds_shows_the_newest(staff, table, monkeypatch):
    monkeypatch.setattr("games.admin.sessions.MOST_ROUNDS_SHOWN", 3)
    multiply(table, 9)
    (of_rounds,) = [
        formset
        for formset in staff.get(page_of(table.row())).context["inline_admin_formsets"]
        if formset.opts.model is Round
    ]
    assert [form.instance.number for form in of_rounds.formset.forms] == [10, 9, 8]


@pytest.mark.parametrize("url", LISTS)
def test_nothing_is_added_changed_or_deleted_there(staff, table, url):
    row = MODELS[url].objects.order_by("pk")[0]
    before = list(MODELS[url].objects.order_by("pk").values())
    assert staff.get(f"{url}add/").status_code == 403
    assert (
        staff.post(page_of(row), {"number": 5, "amount": 5, "status": "lobby"}).status_code == 403
    )
    assert staff.post(f"{url}{row.pk}/delete/", {"post": "yes"}).status_code == 403
    shown = staff.get(page_of(row)).content.decode()
    assert 'name="_save"' not in shown
    assert "<select" not in shown
    assert list(MODELS[url].objects.order_by("pk").values()) == before


def test_players_without_staff_rights_stay_out(table):
    client = Client()
    client.force_login(Player.objects.get(pk=table.api.player["id"]))
    for url in (*LISTS, page_of(table.row())):
        assert client.get(url).status_code == 302


def test_every_list_is_on_the_index(staff):
    index = staff.get("/admin/").content.decode()
    assert [url for url in LISTS if url not in index] == []
