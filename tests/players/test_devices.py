"""Where a player is logged in, and logging out."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from players.models import Device
from tests.factories import PASSWORD, PlayerFactory, client_of, token_for
from tests.players.rows import nothing_changes

pytestmark = pytest.mark.django_db
DEVICES = "/api/v1/players/me/devices/"
ME = "/api/v1/players/me/"


def with_token(token: str) -> APIClient:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
    return client


def test_list_is_newest_first_and_marks_the_current_one():
    player = PlayerFactory()
    first, token = token_for(player, "phone")
    second, _ = token_for(player, "tablet")
    expired, _ = token_for(player, "old")
    Device.objects.filter(pk=expired.pk).update(expiry=timezone.now() - timedelta(seconds=1))
    token_for(PlayerFactory(), "of another player")
    body = with_token(token).get(DEVICES).json()
    assert set(body) == {"next", "previous", "results"}
    assert [(d["id"], d["name"], d["current"]) for d in body["results"]] == [
        (str(second.public_id), "tablet", False),
        (str(first.public_id), "phone", True),
    ]
    assert set(body["results"][0]) == {
        "id",
        "name",
        "current",
        "created_at",
        "last_used_at",
        "expires_at",
    }


def test_list_shows_nothing_of_the_tokens():
    player = PlayerFactory()
    device, token = token_for(player)
    text = with_token(token).get(DEVICES).content.decode()
    assert device.digest not in text
    assert device.token_key not in text


def test_list_comes_in_pages(django_assert_num_queries):
    player = PlayerFactory()
    tokens = [token_for(player, str(number))[1] for number in range(5)]
    client = with_token(tokens[0])
    names, url = [], f"{DEVICES}?limit=2"
    while url:
        with django_assert_num_queries(2):
            page = client.get(url).json()
        names += [device["name"] for device in page["results"]]
        url = page["next"]
    assert names == ["4", "3", "2", "1", "0"]


@pytest.mark.parametrize("limit", ["0", "101", "-1", "x", "", "1.5", "٣"])
def test_list_with_a_bad_limit(limit):
    answer = client_of(PlayerFactory()).get(DEVICES, {"limit": limit})
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (400, "limit")


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        pytest.param("CardGames/1.4 (iPhone)", "CardGames/1.4 (iPhone)", id="plain"),
        pytest.param("x" * 500, "x" * 100, id="long"),
        pytest.param("a\x00b\x1bc\xff", "abcÿ", id="control characters"),
        pytest.param("", "", id="none"),
    ],
)
def test_device_is_named_by_its_user_agent(client, agent, name):
    PlayerFactory(registered=True, username="mei_lin")
    for url, body in (
        ("/api/v1/players/guest/", {}),
        ("/api/v1/players/register/", {"username": "another", "password": PASSWORD}),
        ("/api/v1/auth/login/", {"username": "mei_lin", "password": PASSWORD}),
    ):
        answer = client.post(url, body, format="json", HTTP_USER_AGENT=agent)
        assert with_token(answer.json()["token"]).get(DEVICES).json()["results"][0]["name"] == name


def test_ended_device_is_logged_out_and_the_others_stay():
    player = PlayerFactory()
    _, token = token_for(player)
    other, other_token = token_for(player)
    client = with_token(token)
    assert client.delete(f"{DEVICES}{other.public_id}/").status_code == 204
    assert with_token(other_token).get(ME).status_code == 401
    assert client.get(ME).status_code == 200


def test_device_of_another_player_is_not_found():
    theirs, _ = token_for(PlayerFactory())
    client = client_of(PlayerFactory())
    with nothing_changes():
        answer = client.delete(f"{DEVICES}{theirs.public_id}/")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_device_twice_is_not_found():
    player = PlayerFactory()
    other, _ = token_for(player)
    client = client_of(player)
    client.delete(f"{DEVICES}{other.public_id}/")
    with nothing_changes():
        assert client.delete(f"{DEVICES}{other.public_id}/").status_code == 404


def test_logout_ends_this_device_only():
    player = PlayerFactory()
    here, there = client_of(player), client_of(player)
    assert here.post("/api/v1/auth/logout/").status_code == 204
    assert here.get(ME).status_code == 401
    assert there.get(ME).status_code == 200
    with nothing_changes():
        assert here.post("/api/v1/auth/logout/").status_code == 401


def test_logout_all_ends_all_devices_of_this_player_only():
    player = PlayerFactory()
    here, there, other = client_of(player), client_of(player), client_of(PlayerFactory())
    assert here.post("/api/v1/auth/logout-all/").status_code == 204
    assert [client.get(ME).status_code for client in (here, there, other)] == [401, 401, 200]


def test_logout_is_never_answered_from_memory():
    """One key on two devices: the second is logged out too."""
    player = PlayerFactory()
    for client in (client_of(player), client_of(player)):
        answer = client.post("/api/v1/auth/logout/", HTTP_IDEMPOTENCY_KEY="same")
        assert answer.status_code == 204
        assert client.get(ME).status_code == 401
