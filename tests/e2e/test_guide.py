"""The guide's lines, run as they stand and one after the other, against the real processes."""

from __future__ import annotations

import logging
import re
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest

from config.management.commands.write_guide import GUIDE
from games.rules.registry import VARIANTS
from tests.e2e.service_processes import ServiceProcesses, eventually

ADDRESS = "http://127.0.0.1:8000"
Names = dict[str, Any]
# As long as a bot thinks where a player who has acted could act again and again meanwhile.
BOT_DELAY_MS = {"chinese-poker": 500, "thirteen": 500}


def snippets() -> list[tuple[str, str]]:
    """Each block of code with the heading that it stands under."""
    found = []
    for section in re.split(r"^## ", GUIDE.read_text(), flags=re.M)[1:]:
        heading, _, text = section.partition("\n")
        found += [(heading, block) for block in re.findall(r"```python\n(.*?)```", text, re.S)]
    return found


def block(heading: str) -> str:
    """The first block of code under the heading that begins so."""
    return next(block for found, block in snippets() if found.startswith(heading))


@pytest.fixture(scope="module")
def names(rehearsing_service: ServiceProcesses) -> Iterator[Names]:
    """What all names of the guide stand for after its last line."""
    run: Names = {}
    for heading, lines in snippets():
        code = compile(lines.replace(ADDRESS, rehearsing_service.url), f"guide: {heading}", "exec")
        exec(code, run)
        if heading.startswith("The first round"):
            run["first_state"] = run["state"]
        if heading.startswith("Showing a settlement"):
            run["settled_screen"] = run["screen"]
    yield run
    run["api"].close()


@pytest.fixture
def open_table(names: Names, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Lets the guide's names stand for a new table of a game."""

    def opened(game: str) -> None:
        new = {"game": game, "options": {"bot_delay_ms": BOT_DELAY_MS.get(game, 0)}}
        table = f"sessions/{names['api'].post('sessions/', json=new).json()['id']}"
        monkeypatch.setitem(names, "table", table)
        monkeypatch.setitem(names, "screen", names["Screen"]())
        names["screen"].show(names["api"].get(f"{table}/state/").json())

    return opened


def test_every_block_of_the_guide_is_run():
    assert GUIDE.read_text().count("```") == 2 * len(snippets())
    assert len(snippets()) == 19
    assert ADDRESS in snippets()[0][1]


def test_the_first_round_takes_ten_lines(names: Names):
    assert len([line for line in snippets()[0][1].splitlines() if line]) == 10
    assert names["first_state"]["status"] == "between_rounds"
    assert sum(names["first_state"]["settlement"]["points"]) == 0


def answers_to_moves(caplog: pytest.LogCaptureFixture) -> list[int]:
    """The status of each answer to a move, as the guide's HTTP library has noted it."""
    noted = [record.args for record in caplog.records if record.name == "httpx"]
    return [
        status
        for method, url, _, status, _ in noted
        if method == "POST" and url.path.endswith("/moves/")
    ]


def own_decisions(names: Names, state: dict[str, Any]) -> list[tuple[int, int]]:
    """Deal and turn of each of the player's moves in the round, as the service has kept it."""
    replay = names["api"].get(f"sessions/{state['session_id']}/rounds/1/").json()
    own = state["you"]["seat"]
    return [(move["deal"], move["turn"]) for move in replay["moves"] if move["seat"] == own]


@pytest.mark.parametrize("game", VARIANTS)
def test_the_first_lines_send_each_decision_once(
    names: Names,
    rehearsing_service: ServiceProcesses,
    caplog: pytest.LogCaptureFixture,
    game: str,
):
    delay = f'"bot_delay_ms": {BOT_DELAY_MS.get(game, 0)}'
    lines = block("The first round").replace(ADDRESS, rehearsing_service.url)
    run: Names = {}
    with caplog.at_level(logging.INFO, logger="httpx"):
        exec(lines.replace("big-two-tw", game).replace('"bot_delay_ms": 0', delay), run)
    assert run["state"]["game"] == game
    decisions = own_decisions(run, run["state"])
    assert answers_to_moves(caplog) == [201] * len(decisions)
    assert len(set(decisions)) == len(decisions) >= 1
    run["api"].close()


@pytest.mark.parametrize("game", VARIANTS)
def test_the_screen_sends_each_decision_once(
    names: Names, open_table: Callable[[str], None], caplog: pytest.LogCaptureFixture, game: str
):
    open_table(game)
    with caplog.at_level(logging.INFO, logger="httpx"):
        exec(block("Showing a settlement"), dict(names))
    assert names["screen"].state["status"] == "between_rounds"
    decisions = own_decisions(names, names["screen"].state)
    assert answers_to_moves(caplog) == [201] * len(decisions)
    assert len(set(decisions)) == len(decisions) >= 1


def test_who_only_looks_on_is_not_asked(names: Names):
    screen = names["Screen"]()
    screen.show({"version": 1, "status": "playing", "to_act": [0], "you": None})
    assert not screen.must_act()


def test_a_state_that_has_not_changed_is_not_sent_again(names: Names):
    # A bot may have played between the two calls.
    fresh, again = names["fresh"], names["again"]
    assert (again.status_code, again.content) == (304, b"") or (
        again.json()["version"] > fresh.json()["version"]
    )


def test_an_older_state_is_not_shown(names: Names):
    screen = names["Screen"]()
    for version in (5, 6, 4):
        screen.show({"version": version})
    assert screen.state == {"version": 6}


def test_the_guest_is_found_again_and_the_tables_too(names: Names):
    assert names["player"] == names["the_same_player"]
    assert names["api"].get("players/me/").json()["id"] == names["player"]["id"]
    (listed,) = [one["session"]["id"] for one in names["sessions"]]
    assert set(names["waiting"]) <= {listed}
    assert names["settled_screen"].state["session_id"] == listed


def test_a_guest_whose_token_has_ended_signs_in_again(names: Names):
    names["api"].headers["Authorization"] = "Bearer lost"
    assert names["api"].get("players/me/").status_code == 401
    assert names["sign_in"]() == names["player"]
    assert names["api"].get("players/me/").status_code == 200


def test_moves_are_made_while_following_by_long_poll_and_by_stream(names: Names):
    assert (names["first_move"].status_code, names["second_move"].status_code) == (201, 201)
    first, second = (names[move].json()["move"]["number"] for move in ("first_move", "second_move"))
    assert second > first
    assert int(names["last_id"]) > names["second_move"].json()["state"]["version"] - 1


def test_a_move_for_a_closed_decision_shows_the_fresh_state(
    names: Names, open_table: Callable[[str], None]
):
    open_table("big-two-tw")
    screen = names["screen"]
    names["wait_for_turn"]()
    decided_on = screen.state
    hint = names["advice"]()
    assert names["move"](hint).status_code == 201
    screen.state = decided_on
    late = names["move"](hint)
    assert (late.status_code, late.json()["code"]) == (409, "stale_turn")
    assert screen.state["turn"] > decided_on["turn"]


def answering(
    names: Names, monkeypatch: pytest.MonkeyPatch, *answers: httpx.Response | Exception
) -> tuple[list[str], list[float]]:
    """Lets the guide's calls meet these answers; the keys that they carried, and the pauses."""
    keys: list[str] = []
    pauses: list[float] = []
    left = list(answers)

    def answer(request: httpx.Request) -> httpx.Response:
        keys.append(request.headers["Idempotency-Key"])
        told = left.pop(0)
        if isinstance(told, Exception):
            raise told
        return told

    api = httpx.Client(transport=httpx.MockTransport(answer), base_url="http://service/")
    monkeypatch.setitem(names, "api", api)
    monkeypatch.setattr(names["time"], "sleep", pauses.append)
    return keys, pauses


def test_what_has_no_answer_is_sent_again_with_the_same_key(
    names: Names, monkeypatch: pytest.MonkeyPatch
):
    lost = (httpx.ReadTimeout("lost"), *map(httpx.Response, (500, 502, 503, 504)))
    keys, pauses = answering(names, monkeypatch, *lost, httpx.Response(201))
    assert names["send"]("sessions/", {}).status_code == 201
    assert len(keys) == len(lost) + 1
    assert len(set(keys)) == 1
    assert pauses == sorted(set(pauses))


def test_a_call_waits_as_long_as_it_is_asked_to(names: Names, monkeypatch: pytest.MonkeyPatch):
    patience = httpx.Response(429, headers={"Retry-After": "7"})
    _, pauses = answering(names, monkeypatch, patience, httpx.Response(201))
    assert names["send"]("sessions/", {}).status_code == 201
    assert pauses == [7]


@pytest.mark.parametrize("status", [204, 304, 400, 404, 409, 422])
def test_every_other_answer_is_the_last_word(
    names: Names, monkeypatch: pytest.MonkeyPatch, status: int
):
    keys, _ = answering(names, monkeypatch, httpx.Response(status))
    assert names["send"]("sessions/", {}).status_code == status
    assert len(keys) == 1


def test_who_gets_no_answer_at_all_is_told(names: Names, monkeypatch: pytest.MonkeyPatch):
    answering(names, monkeypatch, *[httpx.ConnectError("no network")] * 6)
    with pytest.raises(TimeoutError):
        names["send"]("sessions/", {})


class BrokenStream:
    """A stream whose connection fails after its first event."""

    def __init__(self, whole: httpx.Response) -> None:
        self.status_code = whole.status_code
        self.raise_for_status = whole.raise_for_status
        self._whole = whole

    def iter_lines(self) -> Iterator[str]:
        told = False
        for line in self._whole.iter_lines():
            yield line
            told = told or line.startswith("data")
            if told and not line:
                raise httpx.ReadError("the connection failed")


@pytest.mark.parametrize("ends", [True, False], ids=["streams_that_end", "streams_that_break"])
@pytest.mark.parametrize("game", ["big-two-tw", "thirteen"])
def test_each_change_comes_once_over_many_streams(
    names: Names,
    open_table: Callable[[str], None],
    monkeypatch: pytest.MonkeyPatch,
    game: str,
    ends: bool,
):
    stream, changes = names["api"].stream, names["changes"]
    opened: list[str] = []
    versions: list[int] = []

    @contextmanager
    def faulty(method: str, path: str, headers: dict[str, str]) -> Iterator[Any]:
        opened.append(path)
        fault = {"Sandbox-Fault": "dropped_stream"} if ends else {}
        with stream(method, path, headers=headers | fault) as whole:
            yield whole if ends else BrokenStream(whole)

    def noted(last_id: str | None = None) -> Iterator[Any]:
        for told in changes(last_id):
            versions.append(told[1]["version"])
            yield told

    open_table(game)
    monkeypatch.setattr(names["api"], "stream", faulty)
    monkeypatch.setitem(names, "changes", noted)
    monkeypatch.setattr(names["time"], "sleep", lambda _: None)
    screen, last_id = names["screen"], None
    while screen.state["status"] == "playing":
        last_id = names["follow"](last_id)
        if screen.must_act():
            assert names["move"](names["advice"]()).status_code == 201
    assert len(opened) > 3
    assert versions == list(range(versions[0], versions[-1] + 1))


def test_a_stream_that_there_is_not_says_so(names: Names, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(names, "table", f"sessions/{uuid.uuid4()}")
    with pytest.raises(httpx.HTTPStatusError, match="404"):
        names["follow"]()


def test_the_clock_counts_down_from_when_the_state_came(names: Names):
    assert names["milliseconds_left"]() is None  # one person: no limit
    screen = names["screen"]
    before = screen.state, screen.received
    screen.show({**screen.state, "remaining_ms": 5000})
    assert 0 < names["milliseconds_left"]() <= 5000
    screen.received -= 60
    assert names["milliseconds_left"]() == 0
    screen.state, screen.received = before
    timed = names["api"].get(f"{names['timed_table']}/state/").json()
    assert 0 < timed["remaining_ms"] <= 600_000


def test_the_settlement_is_shown_with_its_working(names: Names):
    settlement, lines = names["settlement"], names["lines"]
    assert sum(settlement["points"]) == 0
    got = [0] * 4
    for pair in settlement["pairs"]:
        assert pair["points"] == sum(reason["points"] for reason in pair["reasons"])
        got[pair["from_seat"]] -= pair["points"]
        got[pair["to_seat"]] += pair["points"]
    assert got == settlement["points"]
    assert len(lines) == 4 + 3
    assert re.fullmatch(r"Seat \d pays \d+ to \d: 剩牌 \+\d+", lines[-1])


def test_errors_are_shown_in_words(names: Names):
    assert names["refused"].status_code == 422
    assert names["shown"].startswith("D3 is no card of this game")
    assert names["text"].startswith("D3 不是这个游戏的牌")
    bad = names["api"].post("sessions/", json={"game": "x"})
    assert names["explain"](bad).splitlines()[1] == 'game: "x" is not a valid choice.'
    assert names["names"]["name"] == "大老二"


def test_an_error_of_the_whole_body_is_shown_without_a_field(names: Names):
    shown = names["explain"](names["api"].post("sessions/", json=["x"])).splitlines()
    assert len(shown) == 2
    assert not shown[1].startswith(":")


@pytest.mark.parametrize(
    ("code", "wrong"),
    [
        ("not_a_pattern", {"type": "play", "cards": ["3C", "4C"]}),
        ("card_not_in_hand", {"type": "play", "cards": ["3C", "2S"]}),
    ],
)
def test_templates_are_filled_as_the_service_does(names: Names, code: str, wrong: dict[str, Any]):
    """At the table of the sandbox, whose player holds 3C and 4C and not 2S."""
    new = names["api"].post("sandbox/sessions/", json=names["rehearsal"]).json()["id"]
    told = names["api"].post(f"sessions/{new}/moves/", json=wrong, headers=names["chinese"]).json()
    assert told["code"] == code
    assert names["fill"](code, told["params"]) == told["detail"]


def test_words_in_templates_are_shown_by_their_names(names: Names, monkeypatch: pytest.MonkeyPatch):
    bidding = {"game": "dou-dizhu", "deal": {"hands": [["3C"], [], []], "first": 0}}
    new = names["api"].post("sandbox/sessions/", json=bidding).json()
    wrong = {"type": "play", "cards": ["3C"]}
    path = f"sessions/{new['id']}/moves/"
    told = names["api"].post(path, json=wrong, headers=names["chinese"]).json()
    game = names["api"].get("games/dou-dizhu/", headers=names["chinese"]).json()
    words = {
        kind: {one["word"]: one["name"] for one in game[kind]} for kind in ("phases", "move_types")
    }
    monkeypatch.setitem(names, "words", words)
    assert told["code"] == "wrong_phase"
    assert "bidding" not in told["detail"]
    assert names["fill"](told["code"], told["params"]) == told["detail"]


def test_a_text_without_its_facts_is_the_title(names: Names):
    title = names["texts"]["card_not_in_hand"]["title"]
    assert names["fill"]("card_not_in_hand", {}) == title
    assert names["fill"]("card_not_in_hand", {"cards": []}) == title


def test_rare_cases_come_when_they_are_wanted(names: Names):
    assert (names["home_run"]["game"], names["home_run"]["status"]) == ("thirteen", "playing")
    # The answer was lost, the move was not, and it was made once.
    assert names["faults"] == []
    assert (names["survived"].status_code, names["survived"].json()["move"]["number"]) == (201, 1)
    assert names["later"]["version"] > names["survived"].json()["state"]["version"]
    log = f"{names['table']}/moves/"
    made = eventually(
        lambda: names["api"].get(log).json()["results"][1:], within=30, complaint="no bot played"
    )
    assert (made[0]["seat"], made[0]["cards"], made[0]["policy"]) == (1, ["2S"], "script")


def test_nothing_is_on_its_way_out(names: Names):
    assert names["goes_away"] is None
