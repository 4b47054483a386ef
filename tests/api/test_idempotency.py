"""`Idempotency-Key`: one change and one answer, however often a request is sent."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from config.models import StoredAnswer
from config.tasks import forget_old_answers
from games.models import Move, Session
from games.services import sessions as session_services
from players.models import Device, Player
from tests.clients import GAME, Answer, Api, Table
from tests.deals import deal_from, host_leads
from tests.races import at_once

NEW = {"game": GAME}


def same(first: Answer, second: Answer) -> bool:
    return (first.status, first.bytes, first.headers["Content-Type"]) == (
        second.status,
        second.bytes,
        second.headers["Content-Type"],
    )


def test_the_same_call_again_gets_the_first_answer_and_does_nothing(api: Api):
    first = api.post("sessions/", NEW, Idempotency_Key="k")
    again = api.post("sessions/", NEW, Idempotency_Key="k")
    assert first.status == 201
    assert same(first, again)
    assert first.headers["X-Request-ID"] != again.headers["X-Request-ID"]
    assert Session.objects.count() == 1


def test_without_a_key_each_call_counts(api: Api):
    assert api.post("sessions/", NEW).json["id"] != api.post("sessions/", NEW).json["id"]


def test_the_order_of_fields_and_white_space_do_not_make_another_body(api: Api):
    """An SDK may write the same object in another order when it tries again."""
    first = api.post("sessions/", b'{"game": "big-two-tw", "start": false}', Idempotency_Key="k")
    again = api.post("sessions/", b'{"start":false,  "game":"big-two-tw"}', Idempotency_Key="k")
    assert (first.status, again.status) == (201, 201)
    assert again.bytes == first.bytes
    assert Session.objects.count() == 1


@pytest.mark.parametrize(
    ("path", "body"),
    [
        pytest.param("sessions/", {"game": GAME, "start": False}, id="another body"),
        pytest.param("players/me/claim/", NEW, id="another path"),
    ],
)
def test_a_key_belongs_to_one_request(api: Api, path: str, body: Any):
    api.post("sessions/", NEW, Idempotency_Key="k")
    answer = api.post(path, body, Idempotency_Key="k")
    assert (answer.status, answer.code) == (422, "idempotency_key_reused")
    assert Session.objects.count() == 1
    assert Player.objects.get().username is None


def test_keys_of_two_players_have_nothing_to_do_with_each_other(api: Api, stranger: Api):
    first = api.post("sessions/", NEW, Idempotency_Key="k")
    second = stranger.post("sessions/", NEW, Idempotency_Key="k")
    assert (first.status, second.status) == (201, 201)
    assert first.json["id"] != second.json["id"]


def test_another_device_of_the_player_gets_the_first_answer_too(transactional_db: Any):
    secret = {"device_secret": "s" * 40}
    phone, tablet = (Api(Api().post("players/guest/", secret).json["token"]) for _ in range(2))
    first = phone.post("sessions/", NEW, Idempotency_Key="k")
    assert same(first, tablet.post("sessions/", NEW, Idempotency_Key="k"))


def test_a_refusal_is_told_again_also_when_it_would_be_granted_now(api: Api):
    table = api.open_table(start=False)
    first = table.post("rounds/", {}, Idempotency_Key="k")
    assert (first.status, first.code) == (409, "not_started")
    table.post("start/", {})
    version = table.row().version
    assert same(first, table.post("rounds/", {}, Idempotency_Key="k"))
    assert table.row().version == version


def test_a_conflict_is_told_again_with_the_state_of_that_time(api: Api):
    table = api.open_table(start=False)
    first = table.post("moves/", {"type": "pass"}, Idempotency_Key="k")
    assert (first.status, first.code) == (409, "round_over")
    assert first.json["state"]["status"] == "lobby"
    table.post("start/", {})
    assert same(first, table.post("moves/", {"type": "pass"}, Idempotency_Key="k"))


def test_one_play_sent_three_times_is_one_play_in_the_log(
    api: Api, monkeypatch: pytest.MonkeyPatch
):
    """T6: K1; K1 again 20 ms later; K2 at the same moment."""
    deal_from(monkeypatch, host_leads())
    table = api.open_table()
    state = table.bots_play()
    play = table.get("legal-plays/").json["plays"][0]
    body = {"type": "play", **play, "turn": state["turn"]}
    moves = Move.objects.count()

    def send(key: str, *, after: float = 0.0) -> Callable[[], Answer]:
        def call() -> Answer:
            time.sleep(after)
            return Table(Api(api.token), table.id).post("moves/", body, Idempotency_Key=key)

        return call

    one, again, other = at_once(send("K1"), send("K1", after=0.02), send("K2"))
    assert same(one, again)
    assert sorted([one.status, other.status]) == [201, 409]
    lost = one if one.status == 409 else other
    assert lost.code == "stale_turn"
    assert lost.json["state"]["version"] == table.row().version == state["version"] + 1
    assert Move.objects.count() == moves + 1


def test_a_slow_create_call_sent_again_makes_one_session(api: Api, monkeypatch: pytest.MonkeyPatch):
    """S1: a call that takes 2 s, sent at 0 s, 0.5 s and 5 s."""
    draw = session_services.server_seed_draw
    slow_ones: list[float] = []

    def slow_draw() -> bytes:
        slow_ones.append(2.0)
        time.sleep(2.0)
        return draw()

    monkeypatch.setattr(session_services, "server_seed_draw", slow_draw)

    def sent_at(seconds: float) -> Callable[[], Answer]:
        def call() -> Answer:
            time.sleep(seconds)
            return Api(api.token).post("sessions/", NEW, Idempotency_Key="k")

        return call

    first, second, third = at_once(sent_at(0.0), sent_at(0.5), sent_at(5.0))
    assert first.status == 201
    assert same(first, second)
    assert same(first, third)
    assert len(slow_ones) == Session.objects.count() == 1


def test_after_a_server_error_the_key_may_be_used_again(api: Api, monkeypatch: pytest.MonkeyPatch):
    def fail(**_: Any) -> bytes:
        raise RuntimeError("after the session was written")

    with monkeypatch.context() as patched:
        patched.setattr("games.services.sessions.change_finish", fail)
        assert api.post("sessions/", NEW, Idempotency_Key="k").status == 500
    assert Session.objects.count() == 0
    assert StoredAnswer.objects.count() == 0
    assert api.post("sessions/", NEW, Idempotency_Key="k").status == 201
    assert Session.objects.count() == 1


def last_play(api: Api) -> tuple[Table, dict[str, Any], Answer]:
    """A session of one round, played until the person's play ends it."""
    for _ in range(30):
        table = api.open_table(options={"rounds": 1, "bot_level": "easy"})
        state = table.bots_play()
        while state["status"] == "playing":
            plays = table.get("legal-plays/").json["plays"]
            most = max(plays, key=lambda play: len(play["cards"]), default=None)
            move = {"type": "play", **most} if most else {"type": "pass"}
            move["turn"] = state["turn"]
            answer = table.post("moves/", move, Idempotency_Key=f"{table.id} {state['turn']}")
            if answer.json["state"]["status"] == "finished":
                return table, move, answer
            state = table.bots_play()
    pytest.fail("bots won 30 rounds")


def test_the_last_play_of_a_session_sent_again_gets_its_first_answer(api: Api):
    table, move, first = last_play(api)
    moves = Move.objects.count()
    again = table.post("moves/", move, Idempotency_Key=f"{table.id} {move['turn']}")
    assert first.status == 201
    assert same(first, again)
    late = table.post("moves/", move, Idempotency_Key="another")
    assert (late.status, late.code) == (409, "round_over")
    assert Move.objects.count() == moves


@pytest.mark.parametrize(
    "key", ["x", "x" * 255, "a b", "~!@#", "\u9375".encode().decode("latin-1")]
)
def test_any_text_is_a_key(api: Api, key: str):
    first = api.post("sessions/", NEW, Idempotency_Key=key)
    assert first.status == 201
    assert same(first, api.post("sessions/", NEW, Idempotency_Key=key))


@pytest.mark.parametrize("key", ["", "x" * 256, "a\tb", "\u00e9", "a\u0085"])
def test_what_is_no_text_is_no_key(api: Api, key: str):
    answer = api.post("sessions/", NEW, Idempotency_Key=key)
    assert (answer.status, answer.code) == (400, "invalid_idempotency_key")
    assert Session.objects.count() == 0


def test_the_length_counts_characters(api: Api):
    key = ("\u9375" * 255).encode().decode("latin-1")
    assert api.post("sessions/", NEW, Idempotency_Key=key).status == 201


def test_without_a_token_a_key_changes_nothing(anonymous: Api):
    answer = anonymous.post("sessions/", NEW, Idempotency_Key="k")
    assert (answer.status, answer.code) == (401, "not_authenticated")
    assert StoredAnswer.objects.count() == 0


def test_answers_that_hold_tokens_are_never_stored(api: Api):
    tokens = {api.post("players/guest/", {}, Idempotency_Key="k").json["token"] for _ in range(2)}
    assert len(tokens) == 2
    assert StoredAnswer.objects.count() == 0


def test_an_ended_token_gets_no_stored_answer(api: Api):
    api.post("sessions/", NEW, Idempotency_Key="k")
    Device.objects.all().delete()
    assert api.post("sessions/", NEW, Idempotency_Key="k").code == "not_authenticated"


def test_a_stored_answer_does_not_tell_a_password(api: Api):
    body = {"username": "mei_lin", "password": "seven little dragons"}
    assert api.post("players/me/claim/", body, Idempotency_Key="k").status == 200
    row = " ".join(map(str, StoredAnswer.objects.values_list().get()))
    assert "dragons" not in row


def test_answers_are_forgotten_after_a_day(api: Api):
    first = api.post("sessions/", NEW, Idempotency_Key="k")
    now = timezone.now()
    StoredAnswer.objects.update(created_at=now - timedelta(hours=23, minutes=59))
    assert forget_old_answers() == 0
    assert same(first, api.post("sessions/", NEW, Idempotency_Key="k"))
    StoredAnswer.objects.update(created_at=now - timedelta(hours=24, minutes=1))
    assert forget_old_answers() == 1
    assert api.post("sessions/", NEW, Idempotency_Key="k").json["id"] != first.json["id"]
