"""What the two arranging games share: rows, fouls, special hands, setting, the best arrangement."""

from __future__ import annotations

import random
from itertools import combinations, islice
from typing import Any

import pytest

from games.rules.arranging.arrangement import ArrangingRules, ArrangingState
from games.rules.arranging.best import best_arrangement, strongest_back_first
from games.rules.arranging.fouls import RowRules
from games.rules.arranging.measure import Measure
from games.rules.arranging.rows import Category, classify, row_order
from games.rules.arranging.specials import (
    is_dragon,
    is_six_pairs,
    is_three_flushes,
    is_three_straights,
)
from games.rules.cards import DECK_52, Card
from games.rules.errors import (
    DuplicateCard,
    FoulArrangement,
    NoSpecialHand,
    RuleViolation,
    WrongCards,
    WrongRowSizes,
)
from games.rules.moves import Arrange, Declare, parse_cards
from games.rules.variants.chinese_poker import CHINESE_POKER
from games.rules.variants.thirteen import THIRTEEN

GAMES = [
    pytest.param(CHINESE_POKER, id="chinese-poker"),
    pytest.param(THIRTEEN, id="thirteen"),
]


def cards(names: str) -> tuple[Card, ...]:
    return parse_cards(names.split())


def arrange(front: str, middle: str, back: str, *, accept_foul: bool = False) -> Arrange:
    return Arrange(cards(front), cards(middle), cards(back), accept_foul)


HAND = "2C 4D 5H 6S 8C 8D TH TS JC JD QH KS AC"
GOOD = arrange("QH KS AC", "8C 8D 2C 4D 5H", "TH TS JC JD 6S")
FOUL = arrange("TH TS KS", "8C 8D 2C 4D 5H", "QH AC JC JD 6S")


def one_seat(rules: ArrangingRules, hand: str = HAND) -> ArrangingState:
    return rules.start((cards(hand),))


# -- rows


@pytest.mark.parametrize(
    ("row", "category"),
    [
        pytest.param("2C 3D 4H", Category.HIGH_CARD, id="three in a row are no straight"),
        pytest.param("2C 7C KC", Category.HIGH_CARD, id="three of a suit are no flush"),
        pytest.param("QC QD AH", Category.PAIR, id="front pair"),
        pytest.param("QC QD QH", Category.THREE_OF_A_KIND, id="front three"),
        pytest.param("JC QD KH AS 2D", Category.HIGH_CARD, id="no wrap"),
        pytest.param("2C 2D 9H 9S AC", Category.TWO_PAIR, id="two pair"),
        pytest.param("7C 7D 7H 4S 9C", Category.THREE_OF_A_KIND, id="R14 three of a kind"),
        pytest.param("7C 7D 7H 4S 4C", Category.FULL_HOUSE, id="R14 full house"),
        pytest.param("AC 2D 3H 4S 5C", Category.STRAIGHT, id="A low"),
        pytest.param("AC 2C 3C 4C 5C", Category.STRAIGHT_FLUSH, id="A low in a suit"),
        pytest.param("2C 3C 4C 5C 7C", Category.FLUSH, id="flush"),
        pytest.param("4C 4D 4H 4S 2C", Category.FOUR_OF_A_KIND, id="four"),
        pytest.param("4C 4D", None, id="two cards"),
        pytest.param("4C 4D 5C 5D", None, id="four cards"),
    ],
)
def test_category(row: str, category: Category | None) -> None:
    assert classify(cards(row)) is category


@pytest.mark.parametrize(
    ("a", "b", "result"),
    [
        pytest.param("QD JD 9D 7D 6D", "QS JS 9S 6S 5S", 1, id="R13 flush, fourth card"),
        pytest.param("QD JD 9D 7D 6D", "QS JS 9S 7S 6S", 0, id="R13 flush, tie"),
        pytest.param("AS 6S 4S 3S 2S", "KD QD JD 9D 8D", 1, id="R13 flush, ace high"),
        pytest.param("8C 8D 8H 3S 3C", "7C 7D 7H AS AC", 1, id="R14 full house by the three"),
        pytest.param("TC JD QH KS AD", "9C TD JH QS KC", 1, id="R15 TJQKA over 9TJQK"),
        pytest.param("9C TD JH QS KC", "2C 3D 4H 5S 6D", 1, id="R15 9TJQK over 23456"),
        pytest.param("2C 3D 4H 5S 6D", "AC 2D 3H 4S 5C", 1, id="R15 23456 over A2345"),
        pytest.param("2C 3C 4C 5C 6C", "AD 2D 3D 4D 5D", 1, id="the same in a suit"),
        pytest.param("AC 2D 3H 4S 5C", "AC AD AH KS QC", 1, id="A2345 over three aces"),
        pytest.param("KC KD 3H 3S 2C", "KH KS 2D 2H AC", 1, id="two pair by the lower pair"),
        pytest.param("KC KD AH", "KH KS AC QD JH", -1, id="front runs out of ranks"),
        pytest.param("KC KD AH", "KH KS QC JD TH", 1, id="front decides before it runs out"),
        pytest.param("AC KD QH", "AD KS JC TH 9C", 1, id="high card front over five"),
        pytest.param("2C 2D 2H", "AC AD KC KD QH", 1, id="front three over two pair"),
        pytest.param("2C 2D 2H", "2S 3D 4H 5S 6D", -1, id="front three under a straight"),
    ],
)
def test_compare(a: str, b: str, result: int) -> None:
    compare = row_order().compare
    assert compare(cards(a), cards(b)) == result
    assert compare(cards(b), cards(a)) == -result


def test_a2345_may_be_chosen_the_second_highest_straight() -> None:
    compare = row_order(wheel_is_lowest=False).compare
    wheel = cards("AC 2D 3H 4S 5C")
    assert compare(wheel, cards("9C TD JH QS KC")) == 1
    assert compare(wheel, cards("TC JD QH KS AD")) == -1


# -- fouls


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("front", "middle", "back", "foul"),
    [
        pytest.param("AC AD KH", "2C 2D 5H 7S 9C", "3C 3D 4C 4D JS", True, id="R11 foul"),
        pytest.param("KC KD 2H", "AC AD 3S 5H 7C", "9C 9D JC JD 4S", False, id="R11 none"),
        pytest.param("2H 3H 7D", "KC KD AH 9S 4C", "KH KS AC 9D 4S", False, id="equal is none"),
        pytest.param("2H 3H 7D", "2C 3D 4H 5S 6D", "AC 2D 3S 4S 5C", True, id="R15 A2345 is lower"),
        pytest.param("2H 3H 7D", "AC 2D 3S 4S 5C", "2C 3D 4H 5S 6D", False, id="R15 the right way"),
        pytest.param("2H 3H 7D", "JC JD 9S 9D 2S", "TC TD AH 5S 3C", True, id="middle over back"),
    ],
)
def test_foul(game: Any, front: str, middle: str, back: str, foul: bool) -> None:
    assert game.config.rows.is_foul(cards(front), cards(middle), cards(back)) is foul


def test_equal_rows_may_be_chosen_a_foul() -> None:
    rows = (cards("2H 3H 7D"), cards("KC KD AH 9S 4C"), cards("KH KS AC 9D 4S"))
    assert RowRules(equal_is_foul=True).is_foul(*rows)


# -- special hands


@pytest.mark.parametrize(
    ("hand", "six_pairs"),
    [
        pytest.param("3C 3D 5C 5D 7C 7D 9C 9D JC JD KC KD 2S", True, id="R12 six pairs"),
        pytest.param("3C 3D 5C 5D 7C 7D 9C 9D JC JD KC KD KH", True, id="R12 with a triple"),
        pytest.param("3C 3D 3H 3S 7C 7D 9C 9D JC JD KC KD 2S", True, id="R12 with a four"),
        pytest.param("3C 3D 5C 5D 7C 7D 9C 9D JC JD KC 2S 4H", False, id="R12 five pairs"),
        pytest.param("3C 3D 3H 5C 5D 5H 7C 7D 9C 9D JC JD KC", False, id="two triples"),
    ],
)
def test_six_pairs(hand: str, six_pairs: bool) -> None:
    assert is_six_pairs(cards(hand)) is six_pairs


@pytest.mark.parametrize(
    ("hand", "three_flushes"),
    [
        pytest.param("2C 3C 4C 2D 3D 4D 5D 7D 2H 4H 6H 8H TH", True, id="3 5 5"),
        pytest.param("2C 3C 4C 7C 9C JC QC KC 2H 4H 6H 8H TH", True, id="8 5"),
        pytest.param("2C 3C 4C 2H 3H 4H 5H 7H 8H 9H JH QH AH", True, id="10 3"),
        pytest.param("2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH", True, id="13"),
        pytest.param("2C 3C 4C 7C 2D 3D 4D 7D 2H 4H 6H 8H TH", False, id="4 4 5"),
        pytest.param("2C 3C 4C 7C 9C JC 2H 4H 6H 8H TH QH KH", False, id="6 7"),
        pytest.param("2C 3C 4D 2S 3S 4S 5S 7S 2H 4H 6H 8H TH", False, id="1 2 5 5"),
    ],
)
def test_three_flushes(hand: str, three_flushes: bool) -> None:
    assert is_three_flushes(cards(hand)) is three_flushes


@pytest.mark.parametrize(
    ("hand", "three_straights"),
    [
        pytest.param("AC 2D 3H 4S 5C 6D 7H 8S 9C TD JH QS KC", True, id="a dragon"),
        pytest.param("QC KD AH AS 2C 3D 4H 5S 7C 8D 9H TS JC", True, id="A high and A low"),
        pytest.param("3C 3D 3H 4C 4D 4H 5C 5D 5H 6C 6D 7C 7D", True, id="one run thrice"),
        pytest.param("KC AD 2H 3C 4C 5C 6C 7C 8D 9H TS JC QC", True, id="no wrap is needed"),
        pytest.param("KC AD 2H 4C 5D 6H 7S 8C 4D 5H 6S 7C 8D", False, id="K A 2 is no run"),
        pytest.param("2C 3D 4H 4C 5D 6H 7S 8C 9D TH JS QC AD", False, id="one gap"),
    ],
)
def test_three_straights(hand: str, three_straights: bool) -> None:
    assert is_three_straights(cards(hand)) is three_straights


def test_dragon() -> None:
    assert is_dragon(cards("AC 2D 3H 4S 5C 6D 7H 8S 9C TD JH QS KC"))
    assert not is_dragon(cards("AC 2D 3H 4S 5C 6D 7H 8S 9C TD JH QS QC"))


@pytest.mark.parametrize(
    ("hand", "in_chinese_poker", "in_thirteen"),
    [
        pytest.param(
            "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH", "dragon", "dragon", id="dragon of a suit"
        ),
        pytest.param(
            "2C 3C 4C 2D 3D 4D 5D 6D 2H 3H 4H 5H 6H", "three_flushes", None, id="flushes first"
        ),
        pytest.param(
            "2C 2D 3C 3D 4C 4S 5C 5D 6C 6S 7C 8D 9H", "three_straights", None, id="straights"
        ),
        pytest.param("3C 3D 3H 3S 4C 4D 4H 4S 5C 5D 5H 5S KS", "six_pairs", None, id="three fours"),
        pytest.param(HAND, None, None, id="none"),
    ],
)
def test_the_highest_special_counts(
    hand: str, in_chinese_poker: str | None, in_thirteen: str | None
) -> None:
    assert CHINESE_POKER.arranging.special_of(cards(hand)) == in_chinese_poker
    assert THIRTEEN.arranging.special_of(cards(hand)) == in_thirteen


# -- setting


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("move", "refusal", "facts"),
    [
        pytest.param(
            arrange("2C 4D 5H 6S", "8C 8D TH TS", "JC JD QH KS AC"),
            WrongRowSizes,
            {"sizes": [4, 4, 5]},
            id="sizes",
        ),
        pytest.param(
            arrange("QH KS AC", "8C 8D 2C 4D 5H", "TH TS JC JD AC"),
            DuplicateCard,
            {"card": "AC"},
            id="one card in two rows",
        ),
        pytest.param(
            arrange("QH KS AC", "8C 8D 2C 4D 5H", "TH TS JC JD 6H"),
            WrongCards,
            {"missing": ["6S"], "foreign": ["6H"]},
            id="a foreign card",
        ),
        pytest.param(
            arrange("TH TS KS", "8C 8D 2C 4D 5H", "QH AC JC JD 6S"),
            FoulArrangement,
            {"front": "pair", "middle": "pair", "back": "pair"},
            id="foul",
        ),
        pytest.param(Declare(), NoSpecialHand, {}, id="no special"),
    ],
)
def test_refusals(
    game: Any, move: Arrange | Declare, refusal: type[RuleViolation], facts: dict[str, Any]
) -> None:
    state = one_seat(game.arranging)
    with pytest.raises(refusal) as refused:
        game.arranging.play(state, 0, move)
    assert refused.value.facts == facts
    assert state == one_seat(game.arranging)


@pytest.mark.parametrize("game", GAMES)
def test_a_foul_is_set_by_saying_so(game: Any) -> None:
    said = Arrange(FOUL.front, FOUL.middle, FOUL.back, accept_foul=True)
    setting = game.arranging.play(one_seat(game.arranging), 0, said).settings[0]
    assert (setting.front, setting.middle, setting.back) == (FOUL.front, FOUL.middle, FOUL.back)
    assert setting.foul is True


@pytest.mark.parametrize("game", GAMES)
def test_accept_foul_makes_no_foul(game: Any) -> None:
    said = Arrange(GOOD.front, GOOD.middle, GOOD.back, accept_foul=True)
    assert game.arranging.play(one_seat(game.arranging), 0, said).settings[0].foul is False


@pytest.mark.parametrize("game", GAMES)
def test_legal_moves_are_all_splits_fouls_last_and_play_takes_each(game: Any) -> None:
    state = one_seat(game.arranging)
    key = game.config.rows.order.key
    moves = list(game.arranging.legal_moves(state, 0))
    fouls = [move.accept_foul for move in moves]
    assert len(moves) == len(set(moves)) == 72_072
    assert fouls == sorted(fouls)
    for part in (False, True):
        keys = [(key(m.front), m.front, key(m.middle)) for m in moves if m.accept_foul is part]
        assert keys == sorted(keys)
    for move in moves[::97]:
        assert game.arranging.play(state, 0, move).settings[0].foul is move.accept_foul


def test_legal_moves_begin_with_the_declaration() -> None:
    state = one_seat(CHINESE_POKER.arranging, "3C 3D 5C 5D 7C 7D 9C 9D JC JD KC KD 2S")
    first, second = islice(CHINESE_POKER.arranging.legal_moves(state, 0), 2)
    assert first == Declare()
    assert isinstance(second, Arrange)


# -- the best arrangement


def value_of(move: Arrange, rows: RowRules, measure: Measure) -> int:
    key = rows.order.key
    return (
        measure.front(key(move.front))
        + measure.middle(key(move.middle))
        + measure.back(key(move.back))
    )


def highest_value(hand: tuple[Card, ...], rows: RowRules, measure: Measure) -> int:
    """Found without any short cut."""
    key = rows.order.key
    keys = {row: key(row) for size in (3, 5) for row in combinations(hand, size)}
    highest = -(10**12)
    for front in combinations(hand, 3):
        rest = tuple(card for card in hand if card not in front)
        before = measure.front(keys[front])
        for middle in combinations(rest, 5):
            back = tuple(card for card in rest if card not in middle)
            if keys[front] <= keys[middle] <= keys[back]:
                value = before + measure.middle(keys[middle]) + measure.back(keys[back])
                highest = max(highest, value)
    return highest


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", [1, 2, 3, 4, 16, 21, 26])  # in the last three a bound decides
def test_the_best_is_worth_what_the_best_of_all_splits_is(game: Any, seed: int) -> None:
    hand = tuple(random.Random(seed).sample(DECK_52, 13))
    rules, measure = game.arranging.rows, game.arranging.measure
    best = best_arrangement(hand, rules, measure)
    assert value_of(best, rules, measure) == highest_value(hand, rules, measure)


@pytest.mark.parametrize("game", GAMES)
def test_the_best_is_never_a_foul_and_does_not_depend_on_the_order_of_the_cards(game: Any) -> None:
    rng = random.Random(7)
    for _ in range(100):
        hand = rng.sample(DECK_52, 13)
        best = game.arranging.best(tuple(hand))
        rng.shuffle(hand)
        assert game.arranging.best(tuple(hand)) == best
        assert game.arranging.play(game.arranging.start((tuple(hand),)), 0, best).all_set


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("hand", "front", "middle", "back"),
    [
        pytest.param(
            "KC KD KH 2C 3C 4C 5C 6C 7D 8H 9S TD JS",
            "KC KD KH",
            "7D 8H 9S TD JS",
            "2C 3C 4C 5C 6C",
            id="three in front before two straights",
        ),
        pytest.param(
            "AC AD 2C 5C 7C 9C JC 3D 3H 6S 6D TD QH",
            "QH AC AD",
            "3D 3H 6D 6S TD",
            "2C 5C 7C 9C JC",
            id="a plain flush behind and the aces in front",
        ),
        pytest.param(
            "9C 9D 9H 9S TC TD 4C 4D 2H 3S 7H 8H KD",
            "3S 8H KD",
            "4C 4D TC TD 2H",
            "7H 9C 9D 9H 9S",
            id="four of a kind behind",
        ),
    ],
)
def test_the_best_by_example(game: Any, hand: str, front: str, middle: str, back: str) -> None:
    best = game.arranging.best(cards(hand))
    rows = [set(cards(front)), set(cards(middle)), set(cards(back))]
    assert [set(best.front), set(best.middle), set(best.back)] == rows


def test_the_strongest_back_first_is_never_a_foul() -> None:
    rng = random.Random(8)
    rules = RowRules()
    for _ in range(300):
        move = strongest_back_first(tuple(rng.sample(DECK_52, 13)), rules)
        assert not rules.is_foul(move.front, move.middle, move.back)
