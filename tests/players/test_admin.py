from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from contract import admin as contract_admin
from tests.factories import PASSWORD, PlayerFactory
from tests.players.rows import nothing_changes

pytestmark = pytest.mark.django_db
LIST = "/admin/players/player/"


def admin_of(player) -> Client:
    client = Client()
    client.force_login(player)
    return client


@pytest.fixture
def boss():
    return PlayerFactory(registered=True, username="boss", is_staff=True, is_superuser=True)


def test_login_page_takes_the_username_in_any_case(boss):
    client = Client()
    client.post("/admin/login/?next=/admin/", {"username": "BOSS", "password": PASSWORD})
    assert client.get(LIST).status_code == 200


def test_list_counts_no_table(boss, monkeypatch):
    for _ in range(6):
        PlayerFactory()
    monkeypatch.setattr(contract_admin, "MOST_ROWS_COUNTED", 5)
    monkeypatch.setattr("players.admin.PlayerAdmin.list_per_page", 3)
    client = admin_of(boss)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        page = client.get(LIST)
    assert page.context["cl"].paginator.count == 5
    assert len(page.context["cl"].result_list) == 3
    on_players = [q["sql"] for q in queries if 'FROM "players_player"' in q["sql"]]
    assert not [sql for sql in on_players if "COUNT(" in sql]
    assert all("LIMIT" in sql for sql in on_players)


@pytest.mark.parametrize(
    "term",
    [
        pytest.param("{id}", id="id"),
        pytest.param("mei_l", id="start of the username"),
        pytest.param("MEI_LIN", id="username in another case"),
        pytest.param("Drag", id="start of the display name"),
        pytest.param("訪", id="Chinese"),
    ],
)
def test_search(boss, term):
    wanted = PlayerFactory(registered=True, username="mei_lin", display_name="Dragon")
    if term == "訪":
        wanted = PlayerFactory(display_name="訪客 1234")
    PlayerFactory(display_name="Other")
    page = admin_of(boss).get(LIST, {"q": term.format(id=wanted.pk)})
    assert list(page.context["cl"].result_list) == [wanted]


@pytest.mark.parametrize("query", ["q=%00", "q=%25", "kind=guest", "kind=x", "is_active__exact=0"])
def test_list_stands_any_query(boss, query):
    assert admin_of(boss).get(f"{LIST}?{query}").status_code in (200, 302)


def test_filter_by_kind(boss):
    guest = PlayerFactory()
    page = admin_of(boss).get(LIST, {"kind": "guest"})
    assert list(page.context["cl"].result_list) == [guest]
    page = admin_of(boss).get(LIST, {"kind": "registered"})
    assert list(page.context["cl"].result_list) == [boss]


def test_a_player_is_renamed_and_never_blocked_without_a_reason(boss):
    player = PlayerFactory()
    client = admin_of(boss)
    url = f"{LIST}{player.pk}/change/"
    assert client.get(url).status_code == 200
    no_bans = {"bans-TOTAL_FORMS": 0, "bans-INITIAL_FORMS": 0}
    answer = client.post(url, {"display_name": "Renamed", "language": "zh-Hant", **no_bans})
    assert answer.status_code == 302
    player.refresh_from_db()
    assert (player.display_name, player.language, player.is_active) == ("Renamed", "zh-Hant", True)
    assert player.username is None


def test_password_is_set_on_its_own_page(boss):
    player = PlayerFactory(registered=True)
    answer = admin_of(boss).post(
        f"{LIST}{player.pk}/password/",
        {"password1": "nine lazy pandas", "password2": "nine lazy pandas"},
    )
    assert answer.status_code == 302
    player.refresh_from_db()
    assert player.check_password("nine lazy pandas")


def test_nobody_adds_or_deletes_players_there(boss):
    client, player = admin_of(boss), PlayerFactory()
    assert client.get(f"{LIST}add/").status_code == 403
    assert client.post(f"{LIST}{player.pk}/delete/", {"post": "yes"}).status_code == 403
    player.refresh_from_db()


def test_staff_without_superuser_rights_cannot_make_or_touch_staff(boss):
    staff = PlayerFactory(registered=True, is_staff=True)
    staff.user_permissions.set(Permission.objects.filter(codename__endswith="_player"))
    client, player = admin_of(staff), PlayerFactory()
    client.post(
        f"{LIST}{player.pk}/change/",
        {
            "display_name": "Renamed",
            "language": "en",
            "is_active": "on",
            "is_staff": "on",
            "is_superuser": "on",
            "bans-TOTAL_FORMS": 0,
            "bans-INITIAL_FORMS": 0,
        },
    )
    player.refresh_from_db()
    assert (player.display_name, player.is_staff, player.is_superuser) == ("Renamed", False, False)
    with nothing_changes():
        new = {"password1": "nine lazy pandas", "password2": "nine lazy pandas"}
        assert client.post(f"{LIST}{boss.pk}/password/", new).status_code == 403
        assert client.post(f"{LIST}{boss.pk}/change/", {"display_name": "x"}).status_code == 403


def test_players_without_staff_rights_stay_out():
    answer = admin_of(PlayerFactory(registered=True)).get(LIST)
    assert (answer.status_code, answer["Location"].startswith("/admin/login/")) == (302, True)
