"""Register, log in, claim."""

from __future__ import annotations

import threading

import pytest
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.core.management import call_command
from django.db import connection

from players import services
from players.errors import UsernameTaken
from players.models import Device, Player
from players.services import player_register
from tests.factories import PASSWORD, PlayerFactory, client_of
from tests.players.rows import nothing_changes

pytestmark = pytest.mark.django_db
REGISTER = "/api/v1/players/register/"
LOGIN = "/api/v1/auth/login/"
CLAIM = "/api/v1/players/me/claim/"


def test_register_then_log_in(client):
    answer = client.post(
        REGISTER,
        {"username": "Mei_Lin", "password": PASSWORD, "display_name": "Mei"},
        format="json",
    )
    assert answer.status_code == 201
    assert set(answer.json()) == {"token", "expires_at", "player"}
    assert answer.json()["player"]["is_guest"] is False
    assert answer.json()["player"]["display_name"] == "Mei"
    again = client.post(LOGIN, {"username": "mei_lin", "password": PASSWORD}, format="json")
    assert again.status_code == 200
    assert again.json()["player"] == answer.json()["player"]
    assert again.json()["token"] != answer.json()["token"]


def test_password_is_hashed_with_argon2(client):
    client.post(REGISTER, {"username": "mei_lin", "password": PASSWORD}, format="json")
    assert Player.objects.get().password.startswith("argon2$")


def test_display_name_is_the_username_if_not_given(client):
    answer = client.post(REGISTER, {"username": "Mei_Lin", "password": PASSWORD}, format="json")
    assert answer.json()["player"]["display_name"] == "Mei_Lin"


@pytest.mark.parametrize(
    "username",
    [
        pytest.param("mei_lin", id="the same"),
        pytest.param("MEI_lin", id="another case"),
        pytest.param("\uff4dei_lin", id="a wide letter, the same after normalizing"),
    ],
)
def test_taken_username(client, username):
    PlayerFactory(registered=True, username="Mei_Lin")
    guest = client_of(PlayerFactory())
    for by, url in ((client, REGISTER), (guest, CLAIM)):
        with nothing_changes():
            answer = by.post(url, {"username": username, "password": PASSWORD}, format="json")
        assert (answer.status_code, answer.json()["code"]) == (409, "username_taken")


@pytest.mark.django_db(transaction=True)
def test_two_at_once_with_one_username():
    start = threading.Barrier(2)
    ends: list[str] = []

    def register(username):
        try:
            start.wait(5)
            player_register(username=username, password=PASSWORD)
            ends.append("registered")
        except UsernameTaken:
            ends.append("taken")
        finally:
            connection.close()

    threads = [threading.Thread(target=register, args=(name,)) for name in ("mei_lin", "MEI_LIN")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert sorted(ends) == ["registered", "taken"]
    assert (Player.objects.count(), Device.objects.count()) == (1, 1)


@pytest.mark.parametrize(
    ("username", "password", "codes"),
    [
        pytest.param("mei_lin", "k2-Xp9", ["password_too_short"], id="short"),
        pytest.param("mei_lin", "password1", ["password_too_common"], id="common"),
        pytest.param("mei_lin", "739204857163", ["password_entirely_numeric"], id="digits"),
        pytest.param("dragonfly88", "dragonfly88!", ["password_too_similar"], id="the username"),
    ],
)
def test_weak_password(client, username, password, codes):
    guest = client_of(PlayerFactory())
    for by, url in ((client, REGISTER), (guest, CLAIM)):
        with nothing_changes():
            answer = by.post(url, {"username": username, "password": password}, format="json")
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_input")
        errors = answer.json()["errors"]
        assert [error["code"] for error in errors] == codes
        assert {error["field"] for error in errors} == {"password"}


@pytest.mark.parametrize(
    "attempt",
    [
        pytest.param({"username": "mei_lin", "password": PASSWORD + "!"}, id="wrong password"),
        pytest.param({"username": "mei_lin", "password": f" {PASSWORD}"}, id="a space more"),
        pytest.param({"username": "mei_lim", "password": PASSWORD}, id="unknown username"),
        pytest.param({"username": "blocked", "password": PASSWORD + "!"}, id="banned player"),
    ],
)
def test_login_refused_without_saying_why(client, attempt):
    PlayerFactory(registered=True, username="mei_lin")
    PlayerFactory(registered=True, username="blocked", is_active=False)
    with nothing_changes():
        answer = client.post(LOGIN, attempt, format="json")
    assert answer.status_code == 401
    problem = answer.json()
    assert (problem["code"], problem["params"], problem["errors"]) == (
        "invalid_credentials",
        {},
        [],
    )


@pytest.mark.parametrize("username", ["mei_lin", "unknown", "unusable"])
def test_login_hashes_once_whether_the_username_is_known_or_not(client, monkeypatch, username):
    PlayerFactory(registered=True, username="mei_lin")
    PlayerFactory(username="unusable")
    hashed = []
    for name in ("encode", "verify"):
        real = getattr(Argon2PasswordHasher, name)
        monkeypatch.setattr(
            Argon2PasswordHasher,
            name,
            lambda self, *a, real=real, **k: hashed.append(1) or real(self, *a, **k),
        )
    client.post(LOGIN, {"username": username, "password": "not the one"}, format="json")
    assert len(hashed) == 1


def test_claim_keeps_the_player_and_the_token():
    guest = PlayerFactory(display_name="Mei")
    client = client_of(guest)
    answer = client.post(CLAIM, {"username": "mei_lin", "password": PASSWORD}, format="json")
    assert answer.status_code == 200
    assert answer.json()["id"] == str(guest.pk)
    assert (answer.json()["is_guest"], answer.json()["username"]) == (False, "mei_lin")
    assert answer.json()["display_name"] == "Mei"
    assert client.get("/api/v1/players/me/").json() == answer.json()
    login = client.post(LOGIN, {"username": "mei_lin", "password": PASSWORD}, format="json")
    assert login.json()["player"]["id"] == str(guest.pk)


def test_claim_by_a_registered_player_is_refused():
    client = client_of(PlayerFactory(registered=True))
    with nothing_changes():
        answer = client.post(CLAIM, {"username": "mei_lin", "password": PASSWORD}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (409, "already_registered")


def test_claim_needs_a_token(client):
    with nothing_changes():
        answer = client.post(CLAIM, {"username": "mei_lin", "password": PASSWORD}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (401, "not_authenticated")


def test_secret_of_a_claimed_guest_still_finds_the_player(client):
    url, secret = "/api/v1/players/guest/", "s" * 32
    token = client.post(url, {"device_secret": secret}, format="json").json()["token"]
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
    client.post(CLAIM, {"username": "mei_lin", "password": PASSWORD}, format="json")
    again = client.post(url, {"device_secret": secret}, format="json")
    assert (again.status_code, again.json()["player"]["is_guest"]) == (200, False)


def test_createsuperuser_works(monkeypatch):
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", PASSWORD)
    call_command("createsuperuser", interactive=False, username="Boss", verbosity=0)
    boss = Player.objects.get()
    assert (boss.username, boss.display_name) == ("Boss", "Boss")
    assert boss.is_staff
    assert boss.is_superuser
    assert boss.check_password(PASSWORD)


def test_claim_sent_twice_with_one_key_is_done_once():
    client = client_of(PlayerFactory())
    body = {"username": "mei_lin", "password": PASSWORD}
    first = client.post(CLAIM, body, format="json", HTTP_IDEMPOTENCY_KEY="k")
    with nothing_changes():
        again = client.post(CLAIM, body, format="json", HTTP_IDEMPOTENCY_KEY="k")
        other = client.post(
            CLAIM, body | {"username": "mei_lim"}, format="json", HTTP_IDEMPOTENCY_KEY="k"
        )
    assert (first.status_code, again.status_code) == (200, 200)
    assert again.json() == first.json()
    assert (other.status_code, other.json()["code"]) == (422, "idempotency_key_reused")


def test_faster_claim_of_the_username_is_met_inside_the_keys_transaction(monkeypatch):
    """The look-up finds the username free, and the database then refuses it."""
    PlayerFactory(registered=True, username="mei_lin")
    client = client_of(PlayerFactory())
    real, calls = services.player_find_by_username, []

    def too_early(*, username):
        calls.append(username)
        return real(username=username) if len(calls) > 1 else None

    monkeypatch.setattr(services, "player_find_by_username", too_early)
    with nothing_changes():
        answer = client.post(
            CLAIM,
            {"username": "MEI_LIN", "password": PASSWORD},
            format="json",
            HTTP_IDEMPOTENCY_KEY="k",
        )
    assert (answer.status_code, answer.json()["code"]) == (409, "username_taken")
    assert len(calls) == 2
