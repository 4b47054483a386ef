"""Bearer tokens: what is accepted, what it costs, how long it lasts."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import RequestFactory
from django.utils import timezone

from players.api.authentication import authenticate_request
from players.models import Device
from players.services import device_end_all, device_keep_alive
from players.tasks import forget_expired_tokens
from tests.factories import PlayerFactory, client_of, token_for
from tests.players.rows import nothing_changes

pytestmark = pytest.mark.django_db
ME = "/api/v1/players/me/"


def refused(answer) -> None:
    assert (answer.status_code, answer.json()["code"]) == (401, "not_authenticated")
    assert answer["WWW-Authenticate"] == "Bearer"


def test_one_query_for_an_authenticated_request(django_assert_num_queries):
    client = client_of(PlayerFactory())
    with django_assert_num_queries(1):
        assert client.get(ME).status_code == 200


def test_many_devices_cost_no_further_query(django_assert_num_queries):
    player = PlayerFactory()
    client = client_of(player)
    for _ in range(5):
        token_for(player)
    Device.objects.exclude(pk=Device.objects.first().pk).update(
        expiry=timezone.now() + timedelta(days=90)
    )
    with django_assert_num_queries(1):
        client.get(ME)


def test_middleware_and_view_share_one_look_up(django_assert_num_queries):
    player = PlayerFactory()
    device, token = token_for(player)
    request = RequestFactory().get("/", HTTP_AUTHORIZATION=f"Bearer {token}")
    with django_assert_num_queries(1):
        assert authenticate_request(request) == (player, device)
        assert authenticate_request(request) == (player, device)


@pytest.mark.parametrize(
    "header",
    [
        pytest.param("Bearer", id="no token"),
        pytest.param("Bearer {token} {token}", id="two tokens"),
        pytest.param("Bearer {token}x", id="longer"),
        pytest.param("Bearer {short}", id="shorter"),
        pytest.param("Bearer {upper}", id="upper case"),
        pytest.param("Bearer \x00", id="NUL"),
        pytest.param("Bearer \xff\xfe", id="no UTF-8"),
        pytest.param("Bearer \u8a2a", id="not even Latin-1"),
        pytest.param("Bearer " + "a" * 100_000, id="long"),
        pytest.param("Token {token}", id="another scheme"),
        pytest.param("Basic {token}", id="basic"),
        pytest.param("{token}", id="no scheme"),
        pytest.param("", id="empty"),
    ],
)
def test_refused_header(client, header):
    _, token = token_for(PlayerFactory())
    header = header.format(token=token, short=token[:-1], upper=token.upper())
    with nothing_changes():
        refused(client.get(ME, HTTP_AUTHORIZATION=header))


def test_scheme_is_spelled_in_any_case(client):
    _, token = token_for(PlayerFactory())
    assert client.get(ME, HTTP_AUTHORIZATION=f"bearer {token}").status_code == 200


def test_token_is_not_taken_from_the_address(client):
    _, token = token_for(PlayerFactory())
    refused(client.get(f"{ME}?access_token={token}&token={token}"))


def test_no_token(client):
    refused(client.get(ME))


def test_expired_token():
    client = client_of(PlayerFactory())
    Device.objects.update(expiry=timezone.now() - timedelta(seconds=1))
    with nothing_changes():
        refused(client.get(ME))
        refused(client.post("/api/v1/auth/logout/"))


def test_token_of_a_blocked_player():
    player = PlayerFactory()
    client = client_of(player)
    player.is_active = False
    player.save()
    with nothing_changes():
        refused(client.get(ME))


@pytest.mark.parametrize(
    ("age", "is_written"),
    [
        pytest.param(timedelta(minutes=59), False, id="used within the hour"),
        pytest.param(timedelta(minutes=61), True, id="an hour ago"),
        pytest.param(timedelta(days=89), True, id="just before the end"),
    ],
)
def test_expiry_slides_at_most_once_an_hour(settings, age, is_written):
    client = client_of(PlayerFactory())
    now = timezone.now()
    before = now - age + settings.REST_KNOX["TOKEN_TTL"]
    Device.objects.update(expiry=before, last_used_at=now - age)
    assert client.get(ME).status_code == 200
    device = Device.objects.get()
    if is_written:
        assert device.expiry >= now + settings.REST_KNOX["TOKEN_TTL"]
        assert device.last_used_at >= now
    else:
        assert (device.expiry, device.last_used_at) == (before, now - age)


def test_keeping_an_ended_device_alive_does_not_bring_it_back():
    player = PlayerFactory()
    device, _ = token_for(player)
    device.expiry = timezone.now() + timedelta(days=1)
    device_end_all(player=player)
    device_keep_alive(device=device, now=timezone.now())
    assert not Device.objects.exists()


def test_expired_tokens_are_forgotten_and_only_they():
    player = PlayerFactory()
    alive, _ = token_for(player)
    expired, _ = token_for(player)
    Device.objects.filter(pk=expired.pk).update(expiry=timezone.now() - timedelta(seconds=1))
    assert forget_expired_tokens() == 1
    assert list(Device.objects.all()) == [alive]
