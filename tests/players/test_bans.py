"""Banning and unbanning: by operators, with a reason, and what it is for the player."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone
from rest_framework.test import APIClient

from players.errors import NotBanned, PlayerBanned, PlayerBlocked
from players.models import Ban, Device, Player
from players.services import (
    guest_create,
    player_ban,
    player_claim,
    player_delete,
    player_unban,
    player_update,
)
from tests.clients import Api
from tests.factories import PASSWORD, PlayerFactory, client_of
from tests.players.rows import nothing_changes
from tests.players.test_admin import LIST, admin_of
from tests.staff import logged, operator, page_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def boss():
    return PlayerFactory(registered=True, username="boss", is_staff=True, is_superuser=True)


BAN = "players.ban_player"
WHY = {"reason": "plays with two phones"}
SECRET = "s" * 40


def test_a_ban_closes_every_way_in_and_says_why_to_who_has_a_token(boss):
    login = guest_create(device_secret=SECRET)
    player = login.player
    player_claim(player=player, username="mei_lin", password=PASSWORD)
    phone, tablet = client_of(player), client_of(player)
    client, _ = operator(BAN)
    assert client.post(page_of(player, "ban"), WHY).status_code == 302
    for device in (phone, tablet):
        for call in (device.get, device.delete):
            with nothing_changes():
                answer = call("/api/v1/players/me/", headers={"Idempotency-Key": "k"})
            assert (answer.status_code, answer.json()["code"]) == (403, "player_banned")
            assert answer.json()["params"] == WHY
        with nothing_changes():
            answer = device.post(
                "/api/v1/sessions/", {}, format="json", headers={"Idempotency-Key": "k"}
            )
        assert (answer.status_code, answer.json()["code"]) == (403, "player_banned")
    api = APIClient()
    with nothing_changes():
        for url, body in (
            ("players/guest/", {"device_secret": SECRET}),
            ("auth/login/", {"username": "mei_lin", "password": PASSWORD}),
        ):
            answer = api.post(f"/api/v1/{url}", body, format="json")
            assert (answer.status_code, answer.json()["code"]) == (403, "player_banned")
            assert answer.json()["params"] == WHY
            assert answer.json()["detail"].endswith(WHY["reason"])
        wrong = {"username": "mei_lin", "password": "wrong"}
        answer = api.post("/api/v1/auth/login/", wrong, format="json")
        assert (answer.status_code, answer.json()["code"]) == (401, "invalid_credentials")


def test_a_token_given_while_the_ban_was_written_lets_nobody_in(boss):
    player = PlayerFactory()
    player_ban(player=player, reason="bot", by=boss)
    late = client_of(player)
    assert late.get("/api/v1/players/me/").json()["code"] == "player_banned"


def test_a_token_of_a_banned_player_expires_as_any_other(boss):
    player = PlayerFactory()
    phone = client_of(player)
    player_ban(player=player, reason="bot", by=boss)
    Device.objects.update(expiry=timezone.now())
    assert phone.get("/api/v1/players/me/").json()["code"] == "not_authenticated"


def test_no_token_from_before_a_ban_is_good_after_it(boss):
    player = PlayerFactory()
    phone = client_of(player)
    player_ban(player=player, reason="bot", by=boss)
    player_unban(player=player, reason="was her sister", by=boss)
    assert phone.get("/api/v1/players/me/").json()["code"] == "not_authenticated"
    assert not Device.objects.filter(user=player).exists()


def test_a_ban_is_lifted_and_stays_in_the_history(boss):
    player = PlayerFactory(registered=True, username="mei_lin")
    client, staff = operator(BAN)
    assert page_of(player, "unban") not in client.get(page_of(player)).content.decode()
    client.post(page_of(player, "ban"), WHY)
    shown = client.get(page_of(player)).content.decode()
    assert page_of(player, "ban") not in shown
    assert WHY["reason"] in shown
    assert client.post(page_of(player, "unban"), {"reason": "was her sister"}).status_code == 302
    answer = APIClient().post(
        "/api/v1/auth/login/", {"username": "mei_lin", "password": PASSWORD}, format="json"
    )
    assert answer.status_code == 200
    ban = Ban.objects.get()
    assert (ban.player, ban.reason, ban.banned_by) == (player, WHY["reason"], staff)
    assert (ban.lift_reason, ban.lifted_by, ban.lifted_at is None) == (
        "was her sister",
        staff,
        False,
    )
    assert logged() == [
        ("operator", str(player.pk), "Banned: plays with two phones"),
        ("operator", str(player.pk), "Ban lifted: was her sister"),
    ]
    player_ban(player=player, reason="again", by=boss)
    assert Ban.objects.count() == 2


def test_the_services_refuse_a_second_ban_a_ban_of_a_deleted_one_and_a_lift_without_one(boss):
    player, deleted = PlayerFactory(), PlayerFactory()
    player_delete(player=deleted)
    with pytest.raises(NotBanned):
        player_unban(player=player, reason="x", by=boss)
    player_ban(player=player, reason="first", by=boss)
    before = list(Ban.objects.values())
    with nothing_changes():
        with pytest.raises(PlayerBanned) as refused:
            player_ban(player=player, reason="second", by=boss)
        assert refused.value.facts == {"reason": "first"}
        with pytest.raises(PlayerBlocked):
            player_ban(player=deleted, reason="x", by=boss)
        with pytest.raises(NotBanned):
            player_unban(player=deleted, reason="x", by=boss)
    assert list(Ban.objects.values()) == before


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda p: player_update(player=p, display_name="Mei"), id="update"),
        pytest.param(
            lambda p: player_claim(player=p, username="mei_lin", password=PASSWORD), id="claim"
        ),
        pytest.param(lambda p: player_delete(player=p), id="delete"),
    ],
)
def test_request_that_was_on_its_way_does_nothing_for_a_banned_player(boss, change):
    player = PlayerFactory()
    player_ban(player=Player.objects.get(pk=player.pk), reason="bot", by=boss)
    with nothing_changes(), pytest.raises(PlayerBanned):
        change(player)


def test_bots_take_over_the_seats_of_a_banned_player(boss):
    api = Api.guest()
    table = api.open_table()
    player = Player.objects.get(pk=api.player["id"])
    player_ban(player=player, reason="bot", by=boss)
    seat = table.row().seats.get(number=0)
    assert (seat.kind, seat.player_id) == ("bot", None)
    assert table.row().status == "playing"


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"reason": ""}, id="no reason"),
        pytest.param({"lifted_at": "2026-01-01T00:00:00Z"}, id="lifted by nobody"),
        pytest.param({"lift_reason": "x"}, id="a reason for nothing"),
    ],
)
def test_the_database_keeps_bans_whole(boss, changed):
    player_ban(player=PlayerFactory(), reason="bot", by=boss)
    with pytest.raises(IntegrityError), transaction.atomic():
        Ban.objects.update(**changed)


def test_the_history_of_bans_is_forgotten_with_the_player(boss):
    player = PlayerFactory()
    player_ban(player=player, reason="said bad words", by=boss)
    player_unban(player=player, reason="sorry", by=boss)
    player_delete(player=Player.objects.get(pk=player.pk))
    assert not Ban.objects.exists()


def test_without_the_permission_nobody_bans():
    player = PlayerFactory()
    client, _ = operator("players.change_player")
    assert page_of(player, "ban") not in client.get(page_of(player)).content.decode()
    with nothing_changes():
        for act in ("ban", "unban"):
            assert client.get(page_of(player, act)).status_code == 403
            assert client.post(page_of(player, act), WHY).status_code == 403
    assert (Ban.objects.count(), logged()) == (0, [])


def test_staff_are_banned_by_superusers_only_and_nobody_by_themselves(boss):
    client, staff = operator(BAN)
    colleague = PlayerFactory(registered=True, is_staff=True)
    admin = admin_of(boss)
    with nothing_changes():
        for player in (boss, colleague, staff):
            assert client.post(page_of(player, "ban"), WHY).status_code == 403
        assert admin.post(page_of(boss, "ban"), WHY).status_code == 403
    assert admin.post(page_of(staff, "ban"), WHY).status_code == 302
    assert client.get(LIST).status_code == 302, "a banned operator is logged out"


def test_a_ban_needs_a_reason_and_a_confirmation(boss):
    player = PlayerFactory()
    client, _ = operator(BAN)
    with nothing_changes():
        assert client.get(page_of(player, "ban")).status_code == 200
        for reason in ("", "  ", "x" * 501):
            answer = client.post(page_of(player, "ban"), {"reason": reason})
            assert (answer.status_code, b"errorlist" in answer.content) == (200, True)
    assert (Ban.objects.count(), logged()) == (0, [])
