"""The own profile: read, change, delete."""

from __future__ import annotations

import pytest

from players.errors import PlayerBlocked
from players.models import Device, Player
from players.services import player_claim, player_delete, player_update
from tests.factories import PASSWORD, PlayerFactory, client_of, token_for
from tests.players.rows import nothing_changes

pytestmark = pytest.mark.django_db
ME = "/api/v1/players/me/"


def test_own_profile():
    player = PlayerFactory(registered=True, username="mei_lin", display_name="Mei")
    body = client_of(player).get(ME).json()
    assert body == {
        "id": str(player.pk),
        "display_name": "Mei",
        "is_guest": False,
        "language": "en",
        "created_at": player.created_at.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "username": "mei_lin",
    }


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"display_name": "Mei"}, id="name"),
        pytest.param({"language": "zh-Hant"}, id="language"),
        pytest.param({"language": "zh-Hans"}, id="simplified"),
        pytest.param({"display_name": "Mei", "language": "zh-Hant"}, id="both"),
        pytest.param({}, id="nothing"),
    ],
)
def test_update_changes_what_is_sent(change):
    player = PlayerFactory(display_name="Before")
    client = client_of(player)
    before = client.get(ME).json()
    answer = client.patch(ME, change, format="json")
    assert answer.status_code == 200
    assert answer.json() == before | change == client.get(ME).json()


def test_update_of_one_player_leaves_the_others():
    client, other = client_of(PlayerFactory()), PlayerFactory(display_name="Other")
    client.patch(ME, {"display_name": "Mei"}, format="json")
    other.refresh_from_db()
    assert other.display_name == "Other"


@pytest.mark.parametrize("method", ["put", "post"])
def test_other_methods(method):
    client = client_of(PlayerFactory())
    with nothing_changes():
        answer = getattr(client, method)(ME, {}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed")


def test_deletion_forgets_the_person_and_keeps_the_row(client):
    secret = "s" * 40
    guest = client.post("/api/v1/players/guest/", {"device_secret": secret}, format="json").json()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {guest['token']}")
    client.post(
        "/api/v1/players/me/claim/", {"username": "mei_lin", "password": PASSWORD}, format="json"
    )
    player = Player.objects.get()
    token_for(player)

    assert client.delete(ME).status_code == 204

    stored = Player.objects.values().get()
    assert stored["display_name"] == "Deleted player"
    assert (stored["username"], stored["device_secret_hash"]) == (None, None)
    assert stored["password"].startswith("!")
    assert stored["is_active"] is False
    assert stored["deleted_at"] is not None
    assert not Device.objects.exists()
    assert client.get(ME).status_code == 401
    login = client.post(
        "/api/v1/auth/login/", {"username": "mei_lin", "password": PASSWORD}, format="json"
    )
    assert login.status_code == 401
    client.credentials()
    again = client.post("/api/v1/players/guest/", {"device_secret": secret}, format="json")
    assert (again.status_code, again.json()["player"]["id"] == str(player.pk)) == (201, False)


def test_username_of_a_deleted_player_is_free_again(client):
    client_of(PlayerFactory(registered=True, username="mei_lin")).delete(ME)
    answer = client.post(
        "/api/v1/players/register/", {"username": "mei_lin", "password": PASSWORD}, format="json"
    )
    assert answer.status_code == 201


def test_others_see_a_deleted_player_without_a_name():
    player = PlayerFactory(registered=True)
    client_of(player).delete(ME)
    body = client_of(PlayerFactory()).get(f"/api/v1/players/{player.pk}/").json()
    assert body["display_name"] == "Deleted player"


def test_deletion_of_a_staff_member_takes_the_rights_away():
    player = PlayerFactory(registered=True, is_staff=True, is_superuser=True)
    client_of(player).delete(ME)
    player.refresh_from_db()
    assert (player.is_staff, player.is_superuser) == (False, False)


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
def test_request_that_was_on_its_way_cannot_bring_a_deleted_player_back(change):
    player = PlayerFactory()
    player_delete(player=Player.objects.get())
    with nothing_changes(), pytest.raises(PlayerBlocked):
        change(player)
