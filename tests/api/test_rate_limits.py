"""Rate limits: what is counted, for whom, and what a client that was refused can rely on."""

from __future__ import annotations

import asyncio
import itertools
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import redis
from asgiref.testing import ApplicationCommunicator
from django.test import Client, RequestFactory
from limits import parse
from rest_framework.views import APIView

from config.asgi import streams
from config.embedded.valkey import Valkey
from config.models import StoredAnswer
from config.rate_limit_settings import RATES
from contract import rate_limits
from contract.addresses import client_network
from contract.outage import Outage
from games.models import Move, Session
from players.models import Device, Player
from tests.api.test_idempotency import at_once
from tests.clients import GAME, Answer, Api, Table
from tests.factories import PASSWORD, PlayerFactory
from tests.openapi import document

Limit = Callable[..., None]


@pytest.fixture(autouse=True)
def limit(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Limit:
    """Sets the rates of kinds, like `limit(guest="2/hour")`; those not named are out of reach."""
    monkeypatch.setattr(rate_limits, "_outage", Outage(seconds=2.0))
    settings.RATE_LIMITS = True

    def set_rates(**rates: str) -> None:
        told = {**dict.fromkeys(RATES, "1000000/hour"), **rates}
        settings.RATE_LIMIT_RATES = {kind: parse(rate) for kind, rate in told.items()}

    set_rates()
    return set_rates


def new_address() -> str:
    """One that no other test has, nor another run on the same Redis."""
    number = uuid.uuid4().int
    return f"10.{number % 256}.{number // 256 % 256}.{number // 65536 % 256}"


def from_address(address: str, token: str | None = None, **headers: str) -> Api:
    device = Api(token)
    device.client.defaults["REMOTE_ADDR"] = address
    device.client.defaults.update(headers)
    return device


def rows() -> Any:
    """What a refused call must leave as it was."""
    return (
        list(Player.objects.order_by("pk").values()),
        Device.objects.count(),
        list(Session.objects.order_by("pk").values()),
        Move.objects.count(),
        StoredAnswer.objects.count(),
    )


def assert_limited(
    answer: Answer, kind: str, *, limit: int = 2, window_ms: int = 3_600_000
) -> None:
    assert (answer.status, answer.code) == (429, "rate_limited")
    params = dict(answer.json["params"])
    wait_ms = params.pop("retry_after_ms")
    assert params == {"kind": kind, "limit": limit, "window_ms": window_ms}
    assert 0 < wait_ms <= 2 * window_ms
    assert int(answer.headers["Retry-After"]) == -(-wait_ms // 1000)


# --- what is counted ------------------------------------------------------------------------------

REGISTRATION = {"username": "mei_lin", "password": PASSWORD}
CALLS: dict[str, tuple[str, Callable[[Table, Api], Answer]]] = {
    "state": ("reads", lambda table, _: table.get("state/")),
    "list": ("reads", lambda table, _: table.api.get("sessions/")),
    "preview": ("reads", lambda table, _: table.post("moves/preview/", {"type": "pass"})),
    "move": ("changes", lambda table, _: table.move(type="pass")),
    "new table": ("tables", lambda table, _: table.api.post("sessions/", {"game": GAME})),
    "quick join": (
        "tables",
        lambda table, _: table.api.post("sessions/quick-join/", {"game": GAME}),
    ),
    "profile": ("changes", lambda table, _: table.api.call("PATCH", "players/me/", {})),
    "log out all": ("changes", lambda table, _: table.api.post("auth/logout-all/")),
    "long poll": ("streams", lambda table, _: table.get("state/wait/?since=0")),
    "event stream": ("streams", lambda table, _: table.get("events/")),
    "catalogue": ("anonymous", lambda _, stranger: stranger.get("games/")),
    "calculator": (
        "anonymous",
        lambda _, stranger: stranger.post(f"games/{GAME}/classify/", {"cards": ["3C"]}),
    ),
    "guest": ("guest", lambda _, stranger: stranger.post("players/guest/", {})),
    "register": ("register", lambda _, stranger: stranger.post("players/register/", REGISTRATION)),
}


@pytest.mark.parametrize("name", CALLS)
def test_one_call_more_than_the_limit_is_refused_and_changes_nothing(
    api: Api, limit: Limit, name: str
):
    kind, call = CALLS[name]
    table, stranger = api.open_table(), from_address(new_address())
    limit(**{kind: "2/hour"})
    if name == "log out all":  # it ends its own token
        limit(changes="2/hour", reads="2/hour")
        call = CALLS["profile"][1]
    assert 429 not in {call(table, stranger).status for _ in range(2)}
    before = rows()
    assert_limited(call(table, stranger), kind)
    assert rows() == before


def test_kinds_are_counted_apart(api: Api, limit: Limit):
    table = api.open_table()
    limit(reads="1/hour", changes="1/hour", streams="1/hour")
    for name in ("state", "profile", "long poll"):
        assert CALLS[name][1](table, api).status == 200
        assert CALLS[name][1](table, api).status == 429


def test_players_behind_one_address_are_counted_apart(api: Api, stranger: Api, limit: Limit):
    limit(reads="1/hour")
    assert [api.get("sessions/").status for _ in range(2)] == [200, 429]
    assert [stranger.get("sessions/").status for _ in range(2)] == [200, 429]


def test_a_player_s_devices_count_together(transactional_db: Any, limit: Limit):
    guest = {"device_secret": "s" * 32}
    devices = [Api(Api().post("players/guest/", guest).json["token"]) for _ in range(2)]
    limit(reads="3/hour")
    assert [d.get("sessions/").status for d in devices * 2] == [200, 200, 200, 429]


def test_addresses_are_counted_apart(transactional_db: Any, limit: Limit):
    limit(guest="1/hour")
    one, other = from_address(new_address()), from_address(new_address())
    assert [d.post("players/guest/", {}).status for d in (one, one, other)] == [201, 429, 201]


def test_calls_at_once_are_not_counted_as_one(transactional_db: Any, limit: Limit):
    address = new_address()
    limit(guest="3/hour")
    answers = at_once(*[lambda: from_address(address).post("players/guest/", {}) for _ in range(8)])
    assert sorted(answer.status for answer in answers) == [201] * 3 + [429] * 5
    assert Player.objects.count() == 3


def test_after_retry_after_it_is_let_through(api: Api, limit: Limit):
    limit(reads="1/2 seconds")
    answers = (api.get("sessions/") for _ in range(100))
    refused = next(answer for answer in answers if answer.status == 429)
    time.sleep(int(refused.headers["Retry-After"]))
    assert api.get("sessions/").status == 200


def test_who_goes_on_calling_while_refused_does_not_wait_longer(api: Api, limit: Limit):
    limit(reads="2/hour")
    waits = [api.get("sessions/").json.get("params", {}).get("retry_after_ms") for _ in range(5)]
    assert waits[:2] == [None, None]
    assert waits[2] >= waits[3] >= waits[4] > 0


def test_off_is_off(api: Api, limit: Limit, settings: Any):
    limit(reads="1/hour", login_by_username="1/hour")
    settings.RATE_LIMITS = False
    assert {api.get("sessions/").status for _ in range(3)} == {200}
    wrong = {"username": "nobody", "password": "wrong"}
    assert {Api().post("auth/login/", wrong).status for _ in range(3)} == {401}


@pytest.mark.parametrize("path", ["/healthz", "/api/schema/", "/api/docs/", "/api/redoc/"])
def test_pages_for_operators_and_developers_are_not_limited(
    transactional_db: Any, limit: Limit, path: str
):
    limit(**dict.fromkeys(RATES, "1/hour"))
    client = Client(REMOTE_ADDR=new_address())
    assert [client.get(path).status_code for _ in range(3)] == [200] * 3


def test_four_devices_that_poll_each_second_are_let_through(api: Api, settings: Any):
    settings.RATE_LIMIT_RATES = {kind: parse(rate) for kind, rate in RATES.items()}
    table = api.open_table()
    assert {table.get("state/").status for _ in range(4 * 60)} == {200}


def test_the_refusal_is_told_in_the_language_asked_for(api: Api, limit: Limit):
    limit(reads="1/hour")
    api.get("sessions/")
    assert api.get("sessions/").json["detail"] == (
        "That was too often in a short time. Please wait a little and try again."
    )
    chinese = api.get("sessions/", Accept_Language="zh-Hant").json
    assert (chinese["title"], chinese["detail"]) == (
        "請求過於頻繁",
        "短時間內操作太頻繁，請稍候再試。",
    )


# --- guesses --------------------------------------------------------------------------------------


def log_in(address: str, username: str, password: str = "wrong") -> Answer:
    return from_address(address).post("auth/login/", {"username": username, "password": password})


def test_wrong_passwords_from_one_address_count_whoever_is_meant(
    transactional_db: Any, limit: Limit
):
    PlayerFactory(registered=True, username="mei_lin")
    address = new_address()
    limit(login_by_address="2/hour")
    assert [log_in(address, name).status for name in ("mei_lin", "nobody")] == [401, 401]
    before = rows()
    assert_limited(log_in(address, "mei_lin", PASSWORD), "login_by_address")
    assert rows() == before
    assert log_in(new_address(), "mei_lin", PASSWORD).status == 200


@pytest.mark.parametrize("registered", [True, False], ids=["a player's", "nobody's"])
def test_wrong_passwords_for_one_username_count_from_wherever(
    transactional_db: Any, limit: Limit, registered: bool
):
    name = f"mei_{uuid.uuid4().hex[:8]}"
    if registered:
        PlayerFactory(registered=True, username=name)
    limit(login_by_username="2/hour")
    assert [log_in(new_address(), n).status for n in (name, name.upper())] == [401, 401]
    assert_limited(log_in(new_address(), name, PASSWORD), "login_by_username")
    assert log_in(new_address(), f"{name}x").status == 401


def test_right_passwords_do_not_count(transactional_db: Any, limit: Limit):
    name = f"mei_{uuid.uuid4().hex[:8]}"
    PlayerFactory(registered=True, username=name)
    address = new_address()
    limit(login_by_address="1/hour", login_by_username="1/hour")
    assert [log_in(address, name, PASSWORD).status for _ in range(3)] == [200] * 3


def join(player: Api, code: str, address: str, **headers: str) -> Answer:
    device = from_address(address, player.token)
    return device.post("sessions/join/", {"code": code}, **headers)


def wrong_codes() -> Iterator[str]:
    """Codes of no table, each another."""
    for letters in itertools.product("ACDE", repeat=6):
        yield "".join(letters)


@pytest.fixture
def lobby(api: Api) -> str:
    """The join code of a table that waits."""
    table = api.open_table(seats=[{"kind": "open"}] * 3, start=False)
    code: str = table.get().json["join_code"]
    return code


def test_wrong_codes_of_one_player_count_from_wherever(
    api: Api, stranger: Api, lobby: str, limit: Limit
):
    codes = wrong_codes()
    limit(code_by_player="2/hour")
    assert [join(stranger, next(codes), new_address()).status for _ in range(2)] == [404, 404]
    before = rows()
    assert_limited(join(stranger, lobby, new_address()), "code_by_player")
    assert rows() == before


def test_wrong_codes_from_one_address_count_whoever_tries(lobby: str, limit: Limit):
    codes, address = wrong_codes(), new_address()
    limit(code_by_address="2/hour")
    assert [join(Api.guest(), next(codes), address).status for _ in range(2)] == [404, 404]
    before_joining = Api.guest()
    before = rows()
    assert_limited(join(before_joining, lobby, address), "code_by_address")
    assert rows() == before


def test_a_class_behind_one_address_joins_by_right_codes(api: Api, limit: Limit):
    address = new_address()
    limit(code_by_address="1/hour", code_by_player="1/hour")
    for _ in range(2):
        table = api.open_table(seats=[{"kind": "open"}] * 3, start=False)
        code = table.get().json["join_code"]
        assert [join(Api.guest(), code, address).status for _ in range(3)] == [200] * 3
        # A full table's code is no guess.
        assert join(Api.guest(), code, address).status == 409


def test_each_wrong_code_under_another_key_counts(stranger: Api, limit: Limit):
    codes, address = wrong_codes(), new_address()
    limit(code_by_player="2/hour")
    statuses = [
        join(stranger, code, address, Idempotency_Key=f"k{number}").status
        for number, code in enumerate(itertools.islice(codes, 3))
    ]
    assert statuses == [404, 404, 429]


def test_the_admin_s_door_stays_shut_for_an_address_that_tries_passwords(
    transactional_db: Any, limit: Limit
):
    PlayerFactory(registered=True, username="boss", is_staff=True)
    limit(admin_login="2/hour")
    address = new_address()

    def knock(password: str, address: str = address) -> Any:
        client = Client(REMOTE_ADDR=address)
        return client.post("/admin/login/?next=/admin/", {"username": "boss", "password": password})

    assert [knock(PASSWORD).status_code for _ in range(3)] == [302] * 3
    assert [knock("wrong").status_code for _ in range(2)] == [200, 200]
    refused = knock(PASSWORD)
    assert refused.status_code == 429
    assert 0 < int(refused.headers["Retry-After"]) <= 7200
    assert refused.content.startswith(b"That was too often")
    assert "sessionid" not in refused.cookies
    assert Client(REMOTE_ADDR=address).get("/admin/login/").status_code == 200
    assert knock(PASSWORD, new_address()).status_code == 302


# --- retries --------------------------------------------------------------------------------------


def test_a_stored_answer_is_given_again_also_to_who_is_limited(api: Api, limit: Limit):
    limit(tables="1/hour")
    first = api.post("sessions/", {"game": GAME}, Idempotency_Key="k")
    assert_limited(api.post("sessions/", {"game": GAME}), "tables", limit=1)
    again = api.post("sessions/", {"game": GAME}, Idempotency_Key="k")
    assert (again.status, again.bytes) == (201, first.bytes)
    assert Session.objects.count() == 1


def test_a_repeat_takes_nothing_from_the_limit(api: Api, limit: Limit):
    limit(tables="2/hour")
    answers = [api.post("sessions/", {"game": GAME}, Idempotency_Key="k") for _ in range(4)]
    assert {answer.bytes for answer in answers} == {answers[0].bytes}
    assert api.post("sessions/", {"game": GAME}).status == 201


def test_a_refused_call_keeps_no_key(api: Api, limit: Limit):
    limit(tables="1/hour")
    api.post("sessions/", {"game": GAME})
    refused = api.post("sessions/", {"game": "thirteen"}, Idempotency_Key="k")
    assert_limited(refused, "tables", limit=1)
    assert StoredAnswer.objects.count() == 0
    limit()
    later = api.post("sessions/", {"game": "dou-dizhu"}, Idempotency_Key="k")
    assert (later.status, later.json["game"]) == (201, "dou-dizhu")


# --- addresses ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("proxies", "remote", "forwarded", "network"),
    [
        pytest.param(0, "192.0.2.1", None, "192.0.2.1", id="direct"),
        pytest.param(0, "192.0.2.1", "198.51.100.7", "192.0.2.1", id="no proxy is trusted"),
        pytest.param(1, "10.0.0.1", "192.0.2.1", "192.0.2.1", id="one proxy"),
        pytest.param(1, "10.0.0.1", "6.6.6.6, 192.0.2.1", "192.0.2.1", id="one proxy, spoofed"),
        pytest.param(2, "10.0.0.1", "6.6.6.6, 192.0.2.1,10.0.0.2", "192.0.2.1", id="two, spoofed"),
        pytest.param(2, "10.0.0.1", "192.0.2.1", "192.0.2.1", id="past the outer proxy"),
        pytest.param(1, "192.0.2.1", None, "192.0.2.1", id="past the only proxy"),
        pytest.param(0, "2001:db8:1:2:3:4:5:6", None, "2001:db8:1:2::/64", id="IPv6"),
        pytest.param(0, "2001:db8:1:2::9", None, "2001:db8:1:2::/64", id="IPv6, same network"),
        pytest.param(0, "::ffff:192.0.2.1", None, "192.0.2.1", id="IPv4 inside IPv6"),
        pytest.param(0, "fe80::1%eth0", None, "fe80::/64", id="IPv6 with a zone"),
        pytest.param(1, "10.0.0.1", "192.0.2.1:4711", "192.0.2.1", id="with a port"),
        pytest.param(1, "10.0.0.1", "[2001:db8::1]:4711", "2001:db8::/64", id="IPv6 with a port"),
        pytest.param(1, "10.0.0.1", "unknown", "unknown", id="no address"),
        pytest.param(0, "", None, "", id="a Unix socket"),
    ],
)
def test_the_client_s_network(
    settings: Any, proxies: int, remote: str, forwarded: str | None, network: str
):
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "NUM_PROXIES": proxies}
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    request = RequestFactory().get("/", REMOTE_ADDR=remote, headers=headers)
    assert client_network(request) == network


def test_nobody_gets_round_a_limit_by_naming_other_addresses(
    transactional_db: Any, limit: Limit, settings: Any
):
    address = new_address()
    limit(guest="2/hour")
    for proxies, told in ((0, "{new}"), (1, "{new}, {own}")):
        settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "NUM_PROXIES": proxies}
        sender = address if proxies == 0 else "10.0.0.1"
        own = address if proxies == 0 else new_address()
        statuses = [
            from_address(sender, HTTP_X_FORWARDED_FOR=told.format(new=new_address(), own=own))
            .post("players/guest/", {})
            .status
            for _ in range(3)
        ]
        assert statuses == [201, 201, 429]


# --- Redis ----------------------------------------------------------------------------------------


@pytest.fixture
def own_redis(tmp_path: Path, settings: Any) -> Iterator[Valkey]:
    """A Redis of this test's own, in which the service counts."""
    server = Valkey(tmp_path, "secret", tmp_path)
    server.start()
    settings.REDIS_URL = server.url
    yield server
    server.stop()


@pytest.fixture
def inside(own_redis: Valkey) -> Iterator[Any]:
    with redis.Redis.from_url(own_redis.url, decode_responses=True) as client:
        yield client


def test_a_move_costs_one_round_trip(api: Api, limit: Limit, own_redis: Valkey, inside: Any):
    table = api.open_table()
    with redis.Redis.from_url(own_redis.url).monitor() as monitor:
        assert table.move(type="pass").status in (201, 409, 422)
        inside.ping()
        told = iter(monitor.next_command, None)
        commands = list(itertools.takewhile(lambda told: told["command"] != "PING", told))
    # A connection greets once; what a script does is no trip.
    sent = [c["command"].split()[0] for c in commands if c["client_type"] != "lua"]
    sent = [name for name in sent if name not in ("HELLO", "CLIENT", "AUTH", "SELECT")]
    assert sent == ["EVALSHA"]


def test_redis_holds_no_address_no_name_no_player_and_no_token(api: Api, limit: Limit, inside: Any):
    address = new_address()
    log_in(address, "mei_lin")
    join(api, "ACDEAC", address)
    keys = inside.keys("*")
    kinds = {kind for kind in RATES if any(f"/{kind}/" in key for key in keys)}
    assert kinds == {
        "anonymous",
        "login_by_address",
        "login_by_username",
        "changes",
        "code_by_address",
        "code_by_player",
    }
    values = [inside.get(key) for key in keys]
    for secret in (address, "mei_lin", api.player["id"], api.token, "ACDEAC"):
        assert secret not in " ".join([*keys, *values])
    assert all(inside.ttl(key) > 0 for key in keys)


def test_without_redis_guessing_stays_limited_and_play_goes_on(
    api: Api, limit: Limit, own_redis: Valkey
):
    name, address = f"mei_{uuid.uuid4().hex[:8]}", new_address()
    table = api.open_table()
    limit(
        login_by_username="2/hour",
        guest="2/hour",
        code_by_player="2/hour",
        admin_login="2/hour",
        **dict.fromkeys(("reads", "changes", "streams", "anonymous"), "1/hour"),
    )
    own_redis.stop()
    codes = wrong_codes()
    statuses = {
        "login": [log_in(new_address(), name).status for _ in range(3)],
        "guest": [from_address(address).post("players/guest/", {}).status for _ in range(3)],
        "code": [join(api, next(codes), new_address()).status for _ in range(3)],
        "state": [table.get("state/").status for _ in range(3)],
        "wait": [table.get("state/wait/?since=0").status for _ in range(3)],
        "catalogue": [from_address(address).get("games/").status for _ in range(3)],
        "change": [api.call("PATCH", "players/me/", {}).status for _ in range(3)],
    }
    assert statuses == {
        "login": [401, 401, 429],
        "guest": [201, 201, 429],
        "code": [404, 404, 429],
        "state": [200] * 3,
        "wait": [200] * 3,
        "catalogue": [200] * 3,
        "change": [200] * 3,
    }


def test_a_redis_that_hangs_slows_down_one_call_in_two_seconds(
    api: Api, limit: Limit, inside: Any, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(rate_limits, "_outage", Outage(seconds=30.0))
    api.get("sessions/")
    inside.client_pause(10_000)
    took = []
    for _ in range(10):
        began = time.monotonic()
        assert api.get("sessions/").status == 200
        took.append(time.monotonic() - began)
    slow = [seconds for seconds in took if seconds > rate_limits.REDIS_SECONDS * 0.9]
    assert slow == took[:1]


def test_once_redis_is_back_it_counts_again(
    api: Api, limit: Limit, own_redis: Valkey, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(rate_limits, "_outage", Outage(seconds=0.0))
    limit(reads="2/hour")
    assert [api.get("sessions/").status for _ in range(3)] == [200, 200, 429]
    own_redis.stop()
    assert api.get("sessions/").status == 200
    own_redis.start()
    assert [api.get("sessions/").status for _ in range(3)] == [200, 200, 429]


# --- the long poll, the document ------------------------------------------------------------------


def test_a_long_poll_that_waited_counts_once(api: Api, limit: Limit):
    """It looks twice, and the second time as another request object."""
    table = api.open_table()
    version = table.state()["version"]
    limit(streams="2/hour")

    def poll(timeout: int) -> int:
        scope = {
            "type": "http",
            "method": "GET",
            "path": f"/api/v1/{table.path('state/wait/')}",
            "query_string": f"since={version}&timeout={timeout}".encode(),
            "headers": [
                (b"authorization", f"Bearer {api.token}".encode()),
                (b"host", b"testserver"),
            ],
            "client": ("127.0.0.1", 4711),
        }

        async def ask() -> int:
            asked = ApplicationCommunicator(streams, scope)
            await asked.send_input({"type": "http.request", "body": b""})
            started = await asked.receive_output(20)
            await asked.receive_output(20)
            await asked.wait()
            return int(started["status"])

        return asyncio.run(ask())

    assert [poll(1), poll(1), poll(1)] == [200, 200, 429]


def test_every_operation_documents_the_refusal_with_its_header():
    responses = [
        operation["responses"]["429"]
        for methods in document()["paths"].values()
        for operation in methods.values()
    ]
    assert len(responses) > 30
    for response in responses:
        assert "`rate_limited`" in response["description"]
        assert response["headers"]["Retry-After"]["schema"]["type"] == "integer"


def subclasses(of: type[Any]) -> Iterator[type[Any]]:
    for cls in of.__subclasses__():
        yield cls
        yield from subclasses(cls)


def kinds_named_by(view: type[APIView]) -> set[str]:
    """A view names one kind for all its methods, or kinds by method."""
    named = getattr(view, "rate_limit", "reads")
    return set(named.values()) if isinstance(named, dict) else {named}


def test_every_kind_has_a_rate_and_is_told_of():
    told = rate_limits.__doc__ or ""
    assert [kind for kind in RATES if f"`{kind}`" not in told] == []
    named = {kind for view in subclasses(APIView) for kind in kinds_named_by(view)}
    assert named == {"reads", "streams", "guest", "register", "tables"}
    assert named | rate_limits.COUNTED_WITHOUT_REDIS < set(RATES)
