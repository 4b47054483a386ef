"""What was dealt is counted once a round is over, and shown beside what chance deals."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from games.models import DealTally, Round
from games.rules.cards import CARDS_BY_NAME, card_set
from games.rules.registry import VARIANTS
from tests.clients import Api, People, Table
from tests.deals import deal_from, redeal

Json = dict[str, Any]


def of_game(api: Api, game: str) -> Json:
    answer = api.get("fairness/")
    assert answer.status == 200, answer.bytes
    return next(dict(entry) for entry in answer.json["results"] if entry["game"] == game)


def counted(api: Api, game: str) -> dict[tuple[str, str], tuple[int, int]]:
    """Hands and count, by fact and kind of seat."""
    return {
        (line["fact"], line["seat_kind"]): (line["hands"], line["count"])
        for line in of_game(api, game)["facts"]
    }


def recounted(table: Table, game: str) -> dict[tuple[str, str], tuple[int, int]]:
    """The same, from the replays of all rounds."""
    hands: Counter[str] = Counter()
    counts: Counter[tuple[str, str]] = Counter()
    facts = VARIANTS[game].dealt_facts()
    for entry in table.get("rounds/").json["results"]:
        replay = table.get(f"rounds/{entry['number']}/").json
        for deal in replay["deals"]:
            for player, hand in zip(replay["players"], deal["hands"], strict=True):
                kind = "human" if player else "bot"
                hands[kind] += 1
                for fact in facts:
                    held = card_set(CARDS_BY_NAME[name] for name in hand)
                    counts[fact.name, kind] += fact.count(held)
    return {
        (fact.name, kind): (hands[kind], counts[fact.name, kind])
        for fact in facts
        for kind in ("human", "bot")
    }


def test_without_a_round_there_is_nothing_to_compare(anonymous: Api) -> None:
    for game in VARIANTS:
        entry = of_game(anonymous, game)
        assert entry["deals"] == 0
        names = [fact.name for fact in VARIANTS[game].dealt_facts() for _ in range(2)]
        assert [line["fact"] for line in entry["facts"]] == names
        for line in entry["facts"]:
            assert (line["hands"], line["count"], line["expected"]) == (0, 0, 0)
            assert line["deviation"] is None


@pytest.mark.parametrize("game", VARIANTS)
def test_the_counts_are_those_of_the_replays(api: Api, anonymous: Api, game: str) -> None:
    table = api.open_table(game=game, options={"rounds": 3})
    for number in range(3):
        if number:
            assert table.post("rounds/").status == 201
        table.play_on()
    assert table.state()["status"] == "finished"
    assert counted(anonymous, game) == recounted(table, game)
    deals = sum(len(deals) for deals in Round.objects.values_list("deals", flat=True))
    assert of_game(anonymous, game)["deals"] == deals >= 3
    others = set(VARIANTS) - {game}
    assert all(of_game(anonymous, other)["deals"] == 0 for other in others)


def test_a_hand_that_was_dealt_anew_counts(
    anonymous: Api, transactional_db: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_from(monkeypatch, redeal(0, 1))
    people = People.at_a_table("big-two-hk", others=1)
    assert people.by_seat(0).move(type="call_redeal").status == 201
    assert people.by_seat(1).move(type="answer_redeal", accept=True).status == 201
    people.play_on()
    assert of_game(anonymous, "big-two-hk")["deals"] == 2
    hands = counted(anonymous, "big-two-hk")
    assert (hands["twos", "human"][0], hands["twos", "bot"][0]) == (4, 4)
    assert hands["twos", "human"][1] + hands["twos", "bot"][1] == 8
    assert hands == recounted(people.host, "big-two-hk")


def test_a_running_round_is_not_counted_before_its_end(api: Api, anonymous: Api) -> None:
    table = api.open_table()
    before = anonymous.get("fairness/").json
    table.bots_play()
    assert anonymous.get("fairness/").json == before
    table.play_round()
    assert anonymous.get("fairness/").json != before


def test_the_standard_error_knows_that_seats_share_a_deck(
    api: Api, anonymous: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What one seat of four has, the other three have not: both stray equally far."""
    table = api.open_table()
    table.play_round()
    lines = {
        line["seat_kind"]: line
        for line in of_game(anonymous, "big-two-tw")["facts"]
        if line["fact"] == "twos"
    }
    human, bots = lines["human"], lines["bot"]
    assert (human["hands"], human["expected"]) == (1, 1)
    assert (bots["hands"], bots["expected"]) == (3, 3)
    # 13 * 4/52 * 48/52 * 39/51, the variance of the hypergeometric distribution
    assert human["standard_error"] == bots["standard_error"] == round((12 / 17) ** 0.5, 4)
    assert human["deviation"] == -bots["deviation"]
    assert human["count"] + bots["count"] == 4


def test_it_is_answered_from_one_row_a_game(
    api: Api, anonymous: Api, django_assert_num_queries: Any
) -> None:
    table = api.open_table()
    table.play_round()
    assert DealTally.objects.count() == 1
    with django_assert_num_queries(1) as captured:
        anonymous.get("fairness/")
    assert "games_dealtally" in captured.captured_queries[0]["sql"]
