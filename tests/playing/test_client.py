"""The player's HTTP: what is sent again, and what is said where nobody answers well."""

from __future__ import annotations

import httpx
import pytest

from config.playing import Client, PlayError
from config.playing.client import ATTEMPTS
from config.playing.errors import Refused


@pytest.fixture(autouse=True)
def pauses(monkeypatch):
    """The pauses between attempts, which are not made."""
    made: list[float] = []
    monkeypatch.setattr("config.playing.client.time.sleep", made.append)
    return made


def client(*answers):
    """A client whose calls get these answers in turn, and the list of the calls."""
    calls: list[httpx.Request] = []
    left = list(answers)

    def answer(request):
        calls.append(request)
        given = left.pop(0) if len(left) > 1 else left[0]
        if isinstance(given, Exception):
            raise given
        return given

    return Client("http://cards.example/", httpx.MockTransport(answer)), calls


LOST = httpx.ReadTimeout("timed out")
GOOD = httpx.Response(201, json={"id": 1})


def test_a_lost_change_is_sent_again_with_its_key(pauses):
    player, calls = client(LOST, httpx.Response(502), GOOD)
    assert player.post("sessions/", {"game": "big-two-tw"}) == {"id": 1}
    assert [str(call.url) for call in calls] == ["http://cards.example/api/v1/sessions/"] * 3
    assert len({call.headers["Idempotency-Key"] for call in calls}) == 1
    assert {call.content for call in calls} == {b'{"game":"big-two-tw"}'}
    assert pauses == [0.2, 0.4]


def test_two_changes_have_two_keys():
    player, calls = client(GOOD)
    player.post("sessions/", {})
    player.post("sessions/", {})
    assert len({call.headers["Idempotency-Key"] for call in calls}) == 2


def test_a_service_that_asks_for_patience_gets_it(pauses):
    player, _ = client(httpx.Response(429, headers={"Retry-After": "3"}), GOOD)
    assert player.get("games/") == {"id": 1}
    assert pauses == [3.0]


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        (httpx.ConnectError("Connection refused"), "No answer from .*: Connection refused"),
        (httpx.ReadTimeout(""), "No answer from .*: ReadTimeout"),
        (httpx.Response(503), "answers GET games/ with 503"),
    ],
)
def test_nobody_answers_in_the_end(answer, complaint):
    player, calls = client(answer)
    with pytest.raises(PlayError, match=rf"{complaint} \(tried {ATTEMPTS} times\)"):
        player.get("games/")
    assert len(calls) == ATTEMPTS


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        (httpx.Response(200, html="<h1>Hello</h1>"), "with 200 but not by the card games' API"),
        (httpx.Response(404, html="Not Found"), "with 404 but not by"),
        (httpx.Response(500, json={"detail": "no"}), "with 500 but not by"),
        (
            httpx.Response(301, headers={"Location": "https://cards.example/"}),
            "with 301 but .*, and sends to https://cards.example/",
        ),
    ],
)
def test_another_service_answers(answer, complaint):
    player, calls = client(answer)
    with pytest.raises(PlayError, match=complaint):
        player.get("games/")
    assert len(calls) == 1


def test_a_refusal_is_told_with_its_fields_and_not_sent_again():
    problem = {
        "code": "invalid_input",
        "detail": "See errors.",
        "request_id": "r-1",
        "errors": [{"field": "game", "code": "invalid_choice", "detail": "No such game."}],
        "state": {"version": 3},
    }
    player, calls = client(httpx.Response(400, json=problem))
    with pytest.raises(Refused) as refused:
        player.post("sessions/", {})
    assert str(refused.value).splitlines() == [
        "POST sessions/ was refused: 400 invalid_input. See errors.",
        "  game: No such game.",
        "  request id r-1",
    ]
    assert (refused.value.status, refused.value.state) == (400, {"version": 3})
    assert len(calls) == 1


def test_pages_are_followed_with_their_cursor():
    following = "http://cards.example/api/v1/sessions/?cursor=abc&limit=1"
    player, calls = client(
        httpx.Response(200, json={"next": following, "previous": None, "results": [{"id": 1}]}),
        httpx.Response(200, json={"next": None, "previous": None, "results": [{"id": 2}]}),
    )
    player.log_in("token")
    assert list(player.pages("sessions/")) == [{"id": 1}, {"id": 2}]
    assert str(calls[1].url) == following
    assert calls[1].headers["Authorization"] == "Bearer token"
