"""The shared vectors of the two arranging games, through the functions that the service uses."""

from __future__ import annotations

from typing import Any

import pytest

from games.rules.arranging.rows import classify
from games.rules.arranging.settlement import pairs_of, points_of
from games.rules.cards import card_names
from games.rules.dealing import NumberStream, commitment
from games.rules.engine import submit
from games.rules.moves import Cut, parse_cards
from games.rules.outcome import FinalHand
from games.rules.variants import chinese_poker, thirteen
from games.rules.variants.chinese_poker import CHINESE_POKER
from games.rules.variants.thirteen import THIRTEEN
from tests.rules.vectors import load

GAMES = {"chinese-poker": CHINESE_POKER, "thirteen": THIRTEEN}
SETTLEMENTS = {"chinese-poker": chinese_poker.settle, "thirteen": thirteen.settle}

Case = dict[str, Any]


def cases_of(file: str) -> list[Any]:
    return [
        pytest.param(slug, case, id=f"{slug}-{line}")
        for slug in GAMES
        for line, case in enumerate(load(f"{slug}/{file}.jsonl"), 1)
    ]


def deals_of(slug: str) -> list[Any]:
    return [
        pytest.param(case, id=f"line-{line}")
        for line, case in enumerate(load("deals.jsonl"), 1)
        if case["game"] == slug
    ]


@pytest.mark.parametrize(("slug", "case"), cases_of("classify"))
def test_classify(slug: str, case: Case) -> None:
    category = classify(parse_cards(case["cards"]))
    assert category is not None
    assert category.label == case["pattern"]
    assert [category.label] == case["readings"]


@pytest.mark.parametrize(("slug", "case"), cases_of("compare"))
def test_compare(slug: str, case: Case) -> None:
    compare = GAMES[slug].config.rows.order.compare
    a, b = parse_cards(case["a"]), parse_cards(case["b"])
    assert compare(a, b) == case["result"]
    assert compare(b, a) == -case["result"]


@pytest.mark.parametrize(("slug", "case"), cases_of("fouls"))
def test_fouls(slug: str, case: Case) -> None:
    rows = [parse_cards(case[row]) for row in ("front", "middle", "back")]
    assert GAMES[slug].config.rows.is_foul(*rows) is case["foul"]


@pytest.mark.parametrize(("slug", "case"), cases_of("specials"))
def test_specials(slug: str, case: Case) -> None:
    assert GAMES[slug].arranging.special_of(parse_cards(case["cards"])) == case["special"]


def shown(slug: str, seat: Case) -> FinalHand:
    if "special" in seat:
        return FinalHand(cards=parse_cards(seat["cards"]), special=seat["special"])
    rows = [parse_cards(seat[row]) for row in ("front", "middle", "back")]
    return GAMES[slug].arranging.rows_set(*rows)


@pytest.mark.parametrize(("slug", "case"), cases_of("settle"))
def test_settle(slug: str, case: Case) -> None:
    hands = [shown(slug, seat) for seat in case["input"]["seats"]]
    transfers = SETTLEMENTS[slug](GAMES[slug].config, hands)
    assert list(points_of(transfers, 4)) == case["points"]
    assert [list(row) for row in pairs_of(transfers, 4)] == case["pairs"]
    assert len(transfers) == 6
    for transfer in transfers:
        assert transfer.points == sum(reason.points for reason in transfer.reasons)
        assert transfer.points >= 0


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=f"line-{line}")
        for line, case in enumerate(load("thirteen/next_leader.jsonl"), 1)
    ],
)
def test_next_leader(case: Case) -> None:
    assert thirteen.next_leader(case["points"], case["leader"]) == case["next_leader"]


@pytest.mark.parametrize("case", deals_of("chinese-poker"))
def test_chinese_poker_deal(case: Case) -> None:
    seed = bytes.fromhex(case["server_seed"])
    deal = CHINESE_POKER.deal(
        NumberStream(seed, case["client_seed"], case["deal"]), case["deal"], {}
    )
    state = CHINESE_POKER.start(deal)
    assert commitment(seed) == case["commitment"]
    assert deal.setup == {"deal": case["deal"]}
    assert state.hands == tuple(tuple(sorted(parse_cards(hand))) for hand in case["hands"])


@pytest.mark.parametrize("case", deals_of("thirteen"))
def test_thirteen_deal(case: Case) -> None:
    seed = bytes.fromhex(case["server_seed"])
    carry = {} if case["first_round"] else {"leader": case["leader"]}
    deal = THIRTEEN.deal(NumberStream(seed, case["client_seed"], case["deal"]), case["deal"], carry)
    state = THIRTEEN.start(deal)
    for seat, position in reversed(list(enumerate(case["cuts"]))):
        if seat != state.leader:
            state = submit(THIRTEEN, state, seat, Cut(position or 0))
    draws = [[seat, card_names([card])[0]] for seat, card in deal.setup["draws"]]
    assert commitment(seed) == case["commitment"]
    assert (draws or None) == case["leader_draws"]
    assert deal.setup["first_round"] is case["first_round"]
    assert state.leader == case["leader"]
    assert card_names([state.turned_card]) == [case["turned_card"]]
    assert state.table.hands == tuple(tuple(sorted(parse_cards(hand))) for hand in case["hands"])
