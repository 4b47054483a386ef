"""Correcting points in the admin: a new entry of the ledger, with a reason."""

from __future__ import annotations

import re
import uuid

import pytest

from scoring.models import LedgerEntry
from tests.clients import Api
from tests.once import once
from tests.staff import logged, operator, page_of

CORRECT = "scoring.correct_points"
ENTRY = {"amount": "-7", "reason": "the last trick was counted twice"}


def settled():
    """A table between two rounds, the first of which is settled."""
    table = Api.guest().open_table()
    table.play_round()
    return table


@pytest.fixture
def table(db):
    return once(settled)


@pytest.fixture
def entry(table):
    return LedgerEntry.objects.get()


def correction_id(page) -> str:
    return re.search(r'name="correction_id" value="([^"]+)"', page.content.decode())[1]


def test_an_operator_corrects_points_by_a_new_entry(table, entry):
    client, staff = operator(CORRECT)
    before = LedgerEntry.objects.values().get()
    assert page_of(entry, "correct") in client.get(page_of(entry)).content.decode()
    asked = client.get(page_of(entry, "correct"))
    assert LedgerEntry.objects.count() == 1
    body = {**ENTRY, "correction_id": correction_id(asked)}
    assert client.post(page_of(entry, "correct"), body).status_code == 302
    assert LedgerEntry.objects.values().get(kind="settlement") == before
    new = LedgerEntry.objects.get(kind="correction")
    assert (new.amount, new.balance, new.reason) == (-7, entry.balance - 7, ENTRY["reason"])
    assert (new.player, new.session_id, new.round_number) == (
        entry.player,
        entry.session_id,
        entry.round_number,
    )
    assert new.booked_by == staff
    assert table.get().json["seats"][0]["total"] == entry.balance - 7
    assert logged() == [
        ("operator", str(entry.pk), f"Booked a correction of -7: {ENTRY['reason']}")
    ]


def test_the_same_form_sent_twice_books_once(entry):
    client, _ = operator(CORRECT)
    body = {**ENTRY, "correction_id": correction_id(client.get(page_of(entry, "correct")))}
    for _ in range(2):
        assert client.post(page_of(entry, "correct"), body).status_code == 302
    assert LedgerEntry.objects.count() == 2


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"amount": "0"}, id="nothing"),
        pytest.param({"amount": "1.5"}, id="half a point"),
        pytest.param({"amount": "1000001"}, id="too much"),
        pytest.param({"amount": "-1000001"}, id="too little"),
        pytest.param({"amount": ""}, id="no amount"),
        pytest.param({"reason": ""}, id="no reason"),
        pytest.param({"correction_id": "x"}, id="no id"),
    ],
)
def test_a_correction_that_says_too_little_books_nothing(entry, changed):
    client, _ = operator(CORRECT)
    body = {**ENTRY, "correction_id": str(uuid.uuid4()), **changed}
    answer = client.post(page_of(entry, "correct"), body)
    assert (answer.status_code, b"errorlist" in answer.content) == (200, True)
    assert (LedgerEntry.objects.count(), logged()) == (1, [])


def test_without_the_permission_nobody_corrects(entry):
    client, _ = operator()
    assert page_of(entry, "correct") not in client.get(page_of(entry)).content.decode()
    assert client.get(page_of(entry, "correct")).status_code == 403
    body = {**ENTRY, "correction_id": str(uuid.uuid4())}
    assert client.post(page_of(entry, "correct"), body).status_code == 403
    assert (LedgerEntry.objects.count(), logged()) == (1, [])


def test_a_correction_is_not_corrected_but_what_it_corrects(entry):
    client, _ = operator(CORRECT)
    body = {**ENTRY, "correction_id": str(uuid.uuid4())}
    client.post(page_of(entry, "correct"), body)
    new = LedgerEntry.objects.get(kind="correction")
    assert page_of(new, "correct") not in client.get(page_of(new)).content.decode()
    answer = client.post(page_of(new, "correct"), {**body, "correction_id": str(uuid.uuid4())})
    assert (answer.status_code, answer["Location"]) == (302, page_of(new))
    assert LedgerEntry.objects.count() == 2
