from __future__ import annotations

import re
import threading
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone
from rest_framework.test import APIClient

from players.models import Device, Player
from players.services import guest_create
from tests.factories import PlayerFactory
from tests.players.rows import nothing_changes

pytestmark = pytest.mark.django_db
URL = "/api/v1/players/guest/"
SECRET = "s3cret-" * 6
WHOLE_SECONDS = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


def test_guest_without_a_body_gets_a_token_that_works(client):
    answer = client.post(URL)
    assert answer.status_code == 201
    body = answer.json()
    assert set(body) == {"token", "expires_at", "player"}
    assert set(body["player"]) == {"id", "display_name", "is_guest", "language", "created_at"}
    assert re.fullmatch(r"Guest \d{4}", body["player"]["display_name"])
    assert body["player"]["is_guest"] is True
    assert WHOLE_SECONDS.fullmatch(body["expires_at"])
    assert WHOLE_SECONDS.fullmatch(body["player"]["created_at"])
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {body['token']}")
    assert client.get("/api/v1/players/me/").json()["id"] == body["player"]["id"]


def test_token_lasts_for_the_days_of_the_setting(client, settings):
    client.post(URL)
    expected = timezone.now() + settings.REST_KNOX["TOKEN_TTL"]
    assert abs(Device.objects.get().expiry - expected) < timedelta(minutes=1)


@pytest.mark.parametrize(
    ("asked", "sent", "language"),
    [
        pytest.param("zh-Hant", None, "zh-Hant", id="header"),
        pytest.param("zh-TW,zh;q=0.9", None, "zh-Hant", id="header of Taiwan"),
        pytest.param("zh-CN,zh;q=0.9", None, "zh-Hans", id="header of the mainland"),
        pytest.param("zh-Hant", "zh-Hans", "zh-Hans", id="the body says simplified"),
        pytest.param("fr", None, "en", id="another header"),
        pytest.param("zh-Hant", "en", "en", id="the body wins"),
    ],
)
def test_language(client, asked, sent, language):
    body = {"language": sent} if sent else {}
    answer = client.post(URL, body, format="json", HTTP_ACCEPT_LANGUAGE=asked)
    assert answer.json()["player"]["language"] == language
    assert Player.objects.get().language == language


@pytest.mark.parametrize(
    ("language", "word"), [("en", "Guest"), ("zh-Hant", "訪客"), ("zh-Hans", "访客")]
)
def test_generated_name_is_in_the_players_language(client, language, word):
    answer = client.post(URL, {"language": language}, format="json", HTTP_ACCEPT_LANGUAGE="zh")
    assert re.fullmatch(rf"{word} \d{{4}}", answer.json()["player"]["display_name"])


def test_same_secret_gives_the_same_player_and_a_further_token(client):
    first = client.post(URL, {"device_secret": SECRET, "display_name": "Mei"}, format="json")
    again = client.post(URL, {"device_secret": SECRET, "display_name": "Other"}, format="json")
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json()["player"] == first.json()["player"]
    assert again.json()["token"] != first.json()["token"]
    assert (Player.objects.count(), Device.objects.count()) == (1, 2)
    other = client.post(URL, {"device_secret": SECRET + "x"}, format="json")
    assert other.json()["player"]["id"] != first.json()["player"]["id"]


def test_secret_and_token_are_stored_as_hashes_only(client):
    token = client.post(URL, {"device_secret": SECRET}, format="json").json()["token"]
    with connection.cursor() as cursor:
        cursor.execute("SELECT p::text, d::text FROM players_player p, players_device d")
        stored = " ".join(cursor.fetchone())
    assert SECRET not in stored
    assert token not in stored
    # The beginning that knox keeps, to find a row by, leaves 49 unknown hex digits.
    assert token[:16] not in stored


def test_secret_of_a_blocked_player_is_refused(client):
    client.post(URL, {"device_secret": SECRET}, format="json")
    Player.objects.update(is_active=False)
    with nothing_changes():
        answer = client.post(URL, {"device_secret": SECRET}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (403, "permission_denied")


def test_a_token_that_is_no_longer_good_does_not_get_in_the_way(client):
    client.credentials(HTTP_AUTHORIZATION="Bearer gone")
    assert client.post(URL).status_code == 201


def test_idempotency_key_is_ignored_where_tokens_are_given():
    client = APIClient()
    answers = [client.post(URL, HTTP_IDEMPOTENCY_KEY="k") for _ in range(2)]
    assert answers[0].json()["token"] != answers[1].json()["token"]


@pytest.mark.django_db(transaction=True)
def test_two_at_once_with_one_secret_are_one_player():
    for number in range(8):
        secret = f"{number}" * 40
        start = threading.Barrier(2)
        players: list[tuple[object, bool]] = []

        def ask(secret=secret, start=start, players=players):
            try:
                start.wait(5)
                login = guest_create(device_secret=secret)
                players.append((login.player.pk, login.player_is_new))
            finally:
                connection.close()

        threads = [threading.Thread(target=ask) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(10)
        assert len({pk for pk, _ in players}) == 1
        assert sorted(new for _, new in players) == [False, True]
    assert (Player.objects.count(), Device.objects.count()) == (8, 16)


@pytest.mark.django_db(transaction=True)
def test_second_with_a_secret_waits_for_the_first_and_gets_its_player():
    """The same race, held open: the first has written its row and not committed."""
    from django.db import transaction

    found = []

    def second():
        try:
            found.append(guest_create(device_secret=SECRET))
        finally:
            connection.close()

    thread = threading.Thread(target=second)
    with transaction.atomic():
        first = guest_create(device_secret=SECRET)
        thread.start()
        thread.join(0.5)
        assert thread.is_alive()
    thread.join(10)
    assert found[0].player.pk == first.player.pk
    assert found[0].player_is_new is False


def test_public_profile_has_no_username(client):
    player = PlayerFactory(registered=True, display_name="Mei")
    token = client.post(URL).json()["token"]
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
    body = client.get(f"/api/v1/players/{player.pk}/").json()
    assert set(body) == {"id", "display_name", "is_guest", "language", "created_at"}
    assert (body["display_name"], body["is_guest"]) == ("Mei", False)


@pytest.mark.parametrize("player_id", ["0b1e4ad2-26b4-4b9f-bd0a-6b7f3bb8a111", "1", "ME"])
def test_unknown_player_is_not_found(client, player_id):
    token = client.post(URL).json()["token"]
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
    answer = client.get(f"/api/v1/players/{player_id}/")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
