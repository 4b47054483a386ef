"""Lists of the admin as CSV files: filtered, safe for a spreadsheet, and never whole in memory."""

from __future__ import annotations

import csv
import io
import re
import types
from datetime import UTC, datetime

import pytest
from django.test import Client

from contract.csv_export import BYTE_ORDER_MARK, csv_lines
from games.models import Round
from tests.clients import Api
from tests.factories import PlayerFactory
from tests.once import once
from tests.staff import operator

EXPORTS = {
    "/admin/games/session/": 1,
    "/admin/games/round/": 2,
    "/admin/scoring/ledgerentry/": 1,
    "/admin/players/player/": 2,
}


def second_round():
    """A table in its second round."""
    table = Api.guest().open_table(options={"client_seed": "my very own seed"})
    table.play_round()
    assert table.post("rounds/").status == 201
    return table


@pytest.fixture
def table(db):
    return once(second_round)


def exported(client: Client, url: str, **query: str) -> list[dict[str, str]]:
    answer = client.get(f"{url}export/", query)
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/csv; charset=utf-8")
    assert re.fullmatch(
        r'attachment; filename="\w+-\d{4}-\d\d-\d\d\.csv"', answer["Content-Disposition"]
    )
    text = answer.getvalue().decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.parametrize("url", EXPORTS)
def test_every_list_links_to_its_file(table, url):
    client, _ = operator()
    page = client.get(url, {"q": "x"}).content.decode()
    assert 'href="export/?q=x"' in page
    assert len(exported(client, url)) == EXPORTS[url]


def test_the_file_has_what_the_list_shows(table):
    client, _ = operator()
    (session,) = exported(client, "/admin/games/session/")
    assert (session["id"], session["game"], session["status"]) == (
        table.id,
        "big-two-tw",
        "playing",
    )
    (entry,) = exported(client, "/admin/scoring/ledgerentry/")
    settled = Round.objects.get(number=1)
    assert entry["amount"] == str(settled.outcome["points"][0])
    running, first = exported(client, "/admin/games/round/")
    assert first["outcome_points"] == str(settled.outcome["points"])
    assert (running["status"], running["outcome_points"]) == ("open", "")


@pytest.mark.parametrize(
    ("url", "query", "found"),
    [
        ("/admin/games/session/", {"status__exact": "playing"}, 1),
        ("/admin/games/session/", {"status__exact": "lobby"}, 0),
        ("/admin/games/session/", {"game": "dou-dizhu"}, 0),
        ("/admin/games/session/", {"q": "Nobody"}, 0),
        ("/admin/games/round/", {"status__exact": "open"}, 1),
        ("/admin/scoring/ledgerentry/", {"kind__exact": "top_up"}, 0),
        ("/admin/players/player/", {"kind": "guest"}, 1),
    ],
)
def test_the_file_is_filtered_as_the_list_is(table, url, query, found):
    client, _ = operator()
    assert len(exported(client, url, **query)) == found


def test_a_filter_that_does_not_exist_leads_back_to_the_list(db):
    client, _ = operator()
    answer = client.get("/admin/games/session/export/", {"nonsense__exact": "1"})
    assert (answer.status_code, answer["Location"]) == (302, "../?e=1")


def test_nothing_of_a_running_round_is_in_a_file(table):
    client, _ = operator()
    round_ = Round.objects.get(number=2)
    hidden = {bytes(round_.server_seed).hex(), *round_.deals[0]["deck"]}
    for url in EXPORTS:
        told = client.get(f"{url}export/").getvalue().decode()
        assert not hidden & set(re.findall(r"[0-9A-Za-z]+", told))
        assert "my very own seed" not in told


def test_a_name_is_no_formula(db):
    client, _ = operator()
    player = PlayerFactory(display_name='=HYPERLINK("http://x")')
    (row,) = exported(client, "/admin/players/player/", q=str(player.pk))
    assert row["display_name"] == '\'=HYPERLINK("http://x")'


@pytest.mark.parametrize("url", EXPORTS)
def test_only_who_may_look_at_the_list_gets_the_file(db, url):
    assert Client().get(f"{url}export/").status_code == 302
    staff = PlayerFactory(registered=True, is_staff=True)
    client = Client()
    client.force_login(staff)
    assert client.get(f"{url}export/").status_code == 403


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        (" =1", "' =1"),
        ("\t=1", "'\t=1"),
        ("\r=1", "'\r=1"),
        ("＝1", "'＝1"),
        ("Mei-Lin", "Mei-Lin"),
        ("梅", "梅"),
        ("", ""),
        (-18, "-18"),
        (None, ""),
        (True, "True"),
        ([-3, 1], "[-3, 1]"),
        (datetime(2026, 1, 2, 3, 4, 5, 678, UTC), "2026-01-02T03:04:05Z"),
        ('a "quoted", text', 'a "quoted", text'),
    ],
)
def test_a_cell(value, written):
    text = "".join(csv_lines(["name", "other"], [(value, "x")]))
    assert text.startswith(BYTE_ORDER_MARK)
    rows = list(csv.reader(io.StringIO(text.removeprefix(BYTE_ORDER_MARK), newline="")))
    assert rows == [["name", "other"], [written, "x"]]


def test_a_file_is_made_line_by_line():
    read = []

    def rows():
        for number in range(1_000_000):
            read.append(number)
            yield (number,)

    lines = csv_lines(["number"], rows())
    assert isinstance(lines, types.GeneratorType)
    assert [next(lines) for _ in range(3)] == ["\ufeffnumber\r\n", "0\r\n", "1\r\n"]
    assert read == [0, 1]
