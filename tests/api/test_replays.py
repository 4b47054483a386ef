"""A round that is over, complete; as one answer, and as a file of all own rounds."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from games.models import Move
from games.rules.registry import VARIANTS
from games.selectors import replays
from games.verify.checks import replay_verify
from tests.clients import Api, People, Table
from tests.deals import deal_from, redeal, seed_where
from tests.openapi import faults

Json = dict[str, Any]
ROOT = Path(__file__).parents[2]


def export(api: Api, query: str = "") -> Iterator[Json]:
    """The lines, read one at a time, each held against the OpenAPI document."""
    url = f"/api/v1/players/me/rounds/export/{query}"
    response = api.client.get(url, headers={"Authorization": f"Bearer {api.token}"})
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "application/x-ndjson"
    for line in response.streaming_content:
        assert line.endswith(b"\n")
        assert b"\n" not in line[:-1]
        replay: Json = json.loads(line)
        assert faults({"$ref": "#/components/schemas/Replay"}, replay) == []
        yield replay


def replay_of(table: Table, number: int = 1) -> Json:
    answer = table.get(f"rounds/{number}/")
    assert answer.status == 200, answer.bytes
    return dict(answer.json)


# --- complete ---


@pytest.mark.parametrize("game", VARIANTS)
def test_two_rounds_of_every_game_can_be_verified(api: Api, game: str) -> None:
    table = api.open_table(game=game, start=False, options={"bot_delay_ms": 0})
    assert table.post("start/", {"client_seed": "我的 seed"}).status == 200
    for number in (1, 2):
        commitment = table.state()["commitment"]
        table.play_on()
        replay = replay_of(table, number)
        assert replay_verify(replay).number == number
        assert (replay["commitment"], replay["client_seed"]) == (commitment, "我的 seed")
        assert replay["players"] == [api.player["id"]] + [None] * (len(replay["players"]) - 1)
        assert replay["settlement"] == table.state()["settlement"]
        assert table.post("rounds/").status == 201
    first, second = replay_of(table, 1), replay_of(table, 2)
    carried = VARIANTS[game].info.score_scope != "round"
    before = first["settlement"]["totals"] if carried else [0] * len(first["players"])
    assert second["totals_before"] == before


def test_every_move_says_who_acted_when_and_by_which_program(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = api.open_table(options={"bot_delay_ms": 0, "bot_level": "easy"})
    table.bots_play()
    assert table.follow_hint().status == 201
    assert table.post("autoplay/", {"enabled": True}).status == 200
    table.play_round()
    moves = replay_of(table)["moves"]
    assert [move["number"] for move in moves] == list(range(1, len(moves) + 1))
    assert {move["actor"] for move in moves} == {"person", "bot", "autoplay"}
    for move in moves:
        if move["actor"] == "person":
            assert (move["seat"], move["policy"]) == (0, None)
        elif move["actor"] == "bot":
            assert move["seat"] != 0
            assert move["policy"].startswith("easy/random_legal-")
        else:
            assert move["seat"] == 0
            assert "/" in move["policy"]
        assert move["created_at"].endswith("Z")
    assert moves == sorted(moves, key=lambda move: move["created_at"])


def test_after_a_redeal_both_deals_are_there_and_the_bots_answers_are_explained(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_from(monkeypatch, redeal(0, 1))
    table = api.open_table(game="big-two-hk", options={"bot_delay_ms": 0})
    assert table.move(type="call_redeal").status == 201
    table.play_round()
    replay = replay_of(table)
    assert [deal["deal"] for deal in replay["deals"]] == [1, 2]
    assert replay["deals"][0]["hands"] != replay["deals"][1]["hands"]
    answers = [move for move in replay["moves"] if move["type"] == "answer_redeal"]
    assert [(move["seat"], move["accept"], move["actor"]) for move in answers] == [
        (seat, True, "bot") for seat in (1, 2, 3)
    ]
    assert {move["policy"] for move in answers} == {"normal/rule-book"}
    assert replay_verify(replay).checked[1] == "2 deals from the seeds"


def test_dou_dizhu_shows_kitty_and_first_bidder(api: Api) -> None:
    table = api.open_table(game="dou-dizhu", options={"bot_delay_ms": 0})
    table.play_on()
    deal = replay_of(table)["deals"][-1]
    assert [len(hand) for hand in deal["hands"]] == [17, 17, 17]
    assert len(deal["kitty"]) == 3
    assert {name for hand in [*deal["hands"], deal["kitty"]] for name in hand} == set(deal["deck"])
    assert deal["first_bidder"] in (0, 1, 2)


def test_thirteen_shows_draws_cuts_and_the_turned_card(api: Api) -> None:
    table = api.open_table(game="thirteen", options={"bot_delay_ms": 0})
    table.play_on()
    replay = replay_of(table)
    (deal,) = replay["deals"]
    assert {draw["seat"] for draw in deal["draws"]} == {0, 1, 2, 3}
    made = {move["seat"]: move["position"] for move in replay["moves"] if move["type"] == "cut"}
    assert deal["cuts"] == [{"seat": seat, "position": made[seat]} for seat in sorted(made)]
    assert set(made) == {0, 1, 2, 3} - {deal["leader"]}
    assert deal["turned_card"] in deal["deck"]


def test_the_deals_of_a_replay_are_recomputed_from_what_it_holds(api: Api, anonymous: Api) -> None:
    """A first and a later round of thirteen, as the deal's description says how."""
    table = api.open_table(game="thirteen", options={"bot_delay_ms": 0})
    table.play_on()
    assert table.post("rounds/").status == 201
    table.play_on()
    for number in (1, 2):
        replay = table.get(f"rounds/{number}/").json
        (deal,) = replay["deals"]
        assert bool(deal["draws"]) is (number == 1)
        cuts: list[int | None] = [None] * 4
        for cut in deal["cuts"]:
            cuts[cut["seat"]] = cut["position"]
        assert [seat for seat in range(4) if cuts[seat] is None] == [deal["leader"]]
        body = {
            "server_seed": replay["server_seed"],
            "client_seed": replay["client_seed"],
            "deal": deal["deal"],
            "cuts": cuts,
            **({} if deal["draws"] else {"leader": deal["leader"]}),
        }
        answer = anonymous.post("games/thirteen/deal/", body)
        assert answer.status == 200, answer.json
        names = ("hands", "leader", "turned_card")
        assert [answer.json[name] for name in names] == [deal[name] for name in names]
        assert answer.json["commitment"] == replay["commitment"]


def test_a_declared_special_is_in_the_settlement(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    def six_pairs(hands: list[list[str]]) -> bool:
        ranks = [card[0] for card in hands[0]]
        return sum(ranks.count(rank) // 2 for rank in set(ranks)) == 6

    deal_from(monkeypatch, seed_where(six_pairs))
    table = api.open_table(game="chinese-poker", options={"bot_delay_ms": 0})
    assert table.move(type="declare").status == 201
    table.bots_play()
    replay = replay_of(table)
    assert replay["settlement"]["hands"][0]["special"] == "six_pairs"
    replay_verify(replay)


# --- who may see it ---


def test_a_foreign_private_round_is_not_there(api: Api, stranger: Api) -> None:
    table = api.open_table(options={"bot_delay_ms": 0})
    table.play_round()
    answer = table.seen_by(stranger).get("rounds/1/")
    assert (answer.status, answer.code) == (404, "not_found")
    assert list(export(stranger)) == []


def test_a_running_round_and_one_that_was_never_dealt_have_no_replay(api: Api) -> None:
    table = api.open_table()
    table.bots_play()
    assert (table.get("rounds/1/").status, table.get("rounds/1/").code) == (409, "round_running")
    assert (table.get("rounds/2/").status, table.get("rounds/2/").code) == (404, "not_found")
    assert list(export(api)) == []
    assert api.get("players/me/rounds/").json["results"] == []


def test_who_left_may_still_see_what_was_dealt_to_them(transactional_db: Any) -> None:
    people = People.at_a_table("big-two-tw", others=1, options={"bot_delay_ms": 0})
    host, guest = people.tables
    assert guest.post("leave/").status == 200
    host.play_on()
    assert guest.get("rounds/1/").json == host.get("rounds/1/").json
    assert [replay["session_id"] for replay in export(guest.api)] == [host.id]


# --- the file ---


def test_the_export_is_the_replays_oldest_first_and_the_verifier_takes_it(
    api: Api, tmp_path: Path
) -> None:
    expected = []
    for game in VARIANTS:
        table = api.open_table(game=game, options={"bot_delay_ms": 0})
        table.play_on()
        expected.append(replay_of(table))
    exported = list(export(api))
    assert exported == expected
    path = tmp_path / "rounds.jsonl"
    path.write_text("".join(json.dumps(replay) + "\n" for replay in exported))
    done = subprocess.run(
        [sys.executable, "-S", "-m", "games.verify", str(path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count(": right\n") == len(VARIANTS)
    assert [replay["game"] for replay in export(api, "?game=thirteen")] == ["thirteen"]
    assert list(export(api, "?since=2100-01-01T00:00:00Z")) == []
    assert len(list(export(api, f"?since={exported[0]['settled_at']}"))) == len(VARIANTS)


def test_the_export_reads_a_few_rounds_at_a_time(
    api: Api, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Any
) -> None:
    monkeypatch.setattr(replays, "ROUNDS_AT_ONCE", 2)
    table = api.open_table(options={"bot_delay_ms": 0, "bot_level": "easy"})
    table.play_round()
    for _ in range(4):
        assert table.post("rounds/").status == 201
        table.play_round()
    lines = export(api)
    with django_assert_num_queries(4):  # the token; bookings, rounds and moves of two rounds
        assert next(lines)["number"] == 1
    with django_assert_num_queries(0):
        assert next(lines)["number"] == 2
    with django_assert_num_queries(3):
        assert next(lines)["number"] == 3
    assert [replay["number"] for replay in lines] == [4, 5]
    assert Move.objects.filter(round__session_id=table.id).count() > 5 * 13
