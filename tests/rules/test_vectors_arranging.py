"""The shared vectors of the two arranging games, through the functions that the service uses."""

from __future__ import annotations

from games.rules.arranging.rows import classify
from games.rules.arranging.settlement import pairs_of, points_of
from games.rules.cards import card_names
from games.rules.dealing import NumberStream, commitment
from games.rules.engine import submit
from games.rules.moves import Cut, parse_cards
from games.rules.outcome import FinalHand
from games.rules.variants import chinese_poker, thirteen
from games.rules.variants.chinese_poker import CHINESE_POKER
from games.rules.variants.chinese_poker.variant import ChinesePoker
from games.rules.variants.thirteen import THIRTEEN
from games.rules.variants.thirteen.variant import Thirteen
from tests.rules.vectors import Case, every_case

GAMES = {"chinese-poker": CHINESE_POKER, "thirteen": THIRTEEN}
SETTLEMENTS = {"chinese-poker": chinese_poker.settle, "thirteen": thirteen.settle}

SLUGS = {slug: slug for slug in GAMES}


@every_case("classify", SLUGS)
def test_classify(slug: str, case: Case) -> None:
    category = classify(parse_cards(case["cards"]))
    assert category is not None
    assert category.label == case["pattern"]
    assert [category.label] == case["readings"]


@every_case("compare", SLUGS)
def test_compare(slug: str, case: Case) -> None:
    compare = GAMES[slug].config.rows.order.compare
    a, b = parse_cards(case["a"]), parse_cards(case["b"])
    assert compare(a, b) == case["result"]
    assert compare(b, a) == -case["result"]


@every_case("fouls", SLUGS)
def test_fouls(slug: str, case: Case) -> None:
    rows = [parse_cards(case[row]) for row in ("front", "middle", "back")]
    assert GAMES[slug].config.rows.is_foul(*rows) is case["foul"]


@every_case("specials", SLUGS)
def test_specials(slug: str, case: Case) -> None:
    assert GAMES[slug].arranging.special_of(parse_cards(case["cards"])) == case["special"]


def shown(slug: str, seat: Case) -> FinalHand:
    if "special" in seat:
        return FinalHand(cards=parse_cards(seat["cards"]), special=seat["special"])
    rows = [parse_cards(seat[row]) for row in ("front", "middle", "back")]
    return GAMES[slug].arranging.rows_set(*rows)


@every_case("settle", SLUGS)
def test_settle(slug: str, case: Case) -> None:
    hands = [shown(slug, seat) for seat in case["input"]["seats"]]
    transfers = SETTLEMENTS[slug](GAMES[slug].config, hands)
    assert list(points_of(transfers, 4)) == case["points"]
    assert [list(row) for row in pairs_of(transfers, 4)] == case["pairs"]
    assert len(transfers) == 6
    for transfer in transfers:
        assert transfer.points == sum(reason.points for reason in transfer.reasons)
        assert transfer.points >= 0
        assert {reason.code for reason in transfer.reasons} <= set(GAMES[slug].info.reasons)


@every_case("next_leader", {"thirteen": THIRTEEN})
def test_next_leader(game: Thirteen, case: Case) -> None:
    assert thirteen.next_leader(case["points"], case["leader"]) == case["next_leader"]


@every_case("deals", {"chinese-poker": CHINESE_POKER})
def test_chinese_poker_deal(game: ChinesePoker, case: Case) -> None:
    seed = bytes.fromhex(case["server_seed"])
    deal = game.deal(NumberStream(seed, case["client_seed"], case["deal"]), case["deal"], {})
    state = game.start(deal)
    assert commitment(seed) == case["commitment"]
    assert deal.setup == {"deal": case["deal"]}
    assert state.hands == tuple(tuple(sorted(parse_cards(hand))) for hand in case["hands"])


@every_case("deals", {"thirteen": THIRTEEN})
def test_thirteen_deal(game: Thirteen, case: Case) -> None:
    seed = bytes.fromhex(case["server_seed"])
    carry = {} if case["first_round"] else {"leader": case["leader"]}
    deal = game.deal(NumberStream(seed, case["client_seed"], case["deal"]), case["deal"], carry)
    state = game.start(deal)
    for seat, position in reversed(list(enumerate(case["cuts"]))):
        if seat != state.leader:
            state = submit(game, state, seat, Cut(position or 0))
    draws = [[seat, card_names([card])[0]] for seat, card in deal.setup["draws"]]
    assert commitment(seed) == case["commitment"]
    assert (draws or None) == case["leader_draws"]
    assert deal.setup["first_round"] is case["first_round"]
    assert state.leader == case["leader"]
    assert card_names([state.turned_card]) == [case["turned_card"]]
    assert state.table.hands == tuple(tuple(sorted(parse_cards(hand))) for hand in case["hands"])
