"""Chinese Poker: the settlement by clause, and a deal from its cards to its outcome."""

from __future__ import annotations

import pytest

from games.rules.arranging.arrangement import ArrangingState
from games.rules.arranging.settlement import pairs_of, points_of
from games.rules.cards import DECK_52
from games.rules.dealing import NumberStream
from games.rules.engine import replay, submit
from games.rules.errors import RoundOver, WrongPhase
from games.rules.moves import Arrange, Cut, Declare, Extend, Move, parse_cards
from games.rules.outcome import Ending, FinalHand, Reason, Transfer
from games.rules.variant import Deal, Phase
from games.rules.variants.chinese_poker import CHINESE_POKER, settle

CONFIG = CHINESE_POKER.config


def rows(front: str, middle: str, back: str) -> FinalHand:
    parts = [parse_cards(part.split()) for part in (front, middle, back)]
    return CHINESE_POKER.arranging.rows_set(*parts)


def special(name: str) -> FinalHand:
    return FinalHand(special=name)


# Each of the first four beats the one before in every row. Some cards are in several hands.
LOWEST = rows("2C 3D 5H", "2D 3H 4S 5C 7D", "2H 4C 5S 7C 8D")
LOW = rows("2C 3D 6H", "2D 3H 4S 5C 8D", "2H 4C 5S 7C 9D")
HIGH = rows("2C 3D 7H", "2D 3H 4S 5C 9D", "2H 4C 5S 7C TD")
HIGHEST = rows("2C 3D 8H", "2D 3H 4S 5C TD", "2H 4C 5S 7C JD")
WINS_FRONT = rows("2C 3D 9H", "2D 3H 4S 5C 9D", "2H 4C 5S 7C TD")
FOUL = rows("AC AD AH", "2D 3H 4S 5C 9D", "2H 4C 5S 7C TD")
FRONT_THREE = rows("4C 4D 4H", "5D 5H 5S 7C 9D", "6H 6C 6S 7S TD")
MIDDLE_FULL_HOUSE = rows("2C 3D 4H", "5D 5H 5S 7C 7D", "6H 6C 6S 6D TD")
MIDDLE_FOUR = rows("2C 3D 4H", "5D 5H 5S 5C 7D", "6H 6C 6S 6D TD")
MIDDLE_STRAIGHT_FLUSH = rows("2C 3D 4H", "5D 6D 7D 8D 9D", "6H 7H 8H 9H TH")
BACK_FOUR = rows("2C 3D 4H", "5D 5H 5S 7C 9D", "6H 6C 6S 6D TD")
BACK_STRAIGHT_FLUSH = rows("2C 3D 4H", "5D 5H 5S 7C 9D", "6H 7H 8H 9H TH")


def between(first: FinalHand, second: FinalHand) -> tuple[tuple[str, int], ...]:
    """The working between two seats, as the first gets it."""
    (transfer,) = settle(CONFIG, [first, second])
    sign = 1 if transfer.to_seat == 0 else -1
    return tuple((reason.code, sign * reason.points) for reason in transfer.reasons)


def pair_points(first: FinalHand, second: FinalHand) -> int:
    return sum(points for _, points in between(first, second))


@pytest.mark.parametrize(
    ("first", "second", "row", "bonus"),
    [
        pytest.param(FRONT_THREE, LOWEST, "row_front", 2, id="front three counts 3"),
        pytest.param(MIDDLE_FULL_HOUSE, WINS_FRONT, "row_middle", 1, id="middle full house 2"),
        pytest.param(MIDDLE_FOUR, WINS_FRONT, "row_middle", 7, id="middle four 8"),
        pytest.param(MIDDLE_STRAIGHT_FLUSH, WINS_FRONT, "row_middle", 9, id="middle sf 10"),
        pytest.param(BACK_FOUR, WINS_FRONT, "row_back", 3, id="back four 4"),
        pytest.param(BACK_STRAIGHT_FLUSH, WINS_FRONT, "row_back", 4, id="back sf 5"),
    ],
)
def test_a_row_won_with_a_high_category_counts_more(
    first: FinalHand, second: FinalHand, row: str, bonus: int
) -> None:
    working = dict(between(first, second))
    code = next(code for code in working if code.startswith(f"bonus_{row.removeprefix('row_')}"))
    assert (working[row], working[code]) == (1, bonus)


def test_a_row_lost_with_a_high_category_counts_nothing() -> None:
    higher = rows("5C 5D 5H", "6D 6H 6S 7C 9D", "7H 7C 7S 8S TD")
    working = between(FRONT_THREE, higher)
    assert ("bonus_front_three_of_a_kind", -2) in working
    assert [points for code, points in working if code.startswith("bonus")] == [-2]


def test_equal_rows_are_a_tie() -> None:
    assert between(LOW, LOW) == (("row_front", 0), ("row_middle", 0), ("row_back", 0))


def test_two_rows_to_one_are_no_sweep() -> None:
    assert between(HIGHEST, WINS_FRONT) == (("row_front", -1), ("row_middle", 1), ("row_back", 1))


def test_a_sweep_doubles_what_is_between_the_two() -> None:
    working = (
        ("row_front", 1),
        ("row_middle", 1),
        ("row_back", 1),
        ("bonus_front_three_of_a_kind", 2),
    )
    # Against one other seat the sweep of one is the sweep of all, so a third and fourth sit by.
    transfers = settle(CONFIG, [FRONT_THREE, LOWEST, FRONT_THREE, LOWEST])
    first = next(t for t in transfers if (t.from_seat, t.to_seat) == (1, 0))
    assert tuple((r.code, r.points) for r in first.reasons[:4]) == working
    assert first.reasons[4] == Reason("sweep", 5, factor=2)
    assert first.points == 10


def test_a_grand_slam_counts_four_times_with_each() -> None:
    transfers = settle(CONFIG, [LOWEST, HIGHEST, LOW, HIGH])
    assert pairs_of(transfers, 4) == (
        (0, -12, -6, -6),
        (12, 0, 12, 12),
        (6, -12, 0, -6),
        (6, -12, 6, 0),
    )
    assert points_of(transfers, 4) == (-24, 36, -12, -0)
    against_lowest = next(t for t in transfers if (t.from_seat, t.to_seat) == (0, 1))
    assert against_lowest.reasons[-1] == Reason("grand_slam", 9, factor=4)


def test_a_foul_loses_all_rows_and_is_swept_also_for_a_grand_slam() -> None:
    transfers = settle(CONFIG, [FOUL, LOWEST, FOUL, FOUL])
    assert pairs_of(transfers, 4) == (
        (0, -12, 0, 0),
        (12, 0, 12, 12),
        (0, -12, 0, 0),
        (0, -12, 0, 0),
    )


def test_a_foul_pays_the_value_of_the_winners_rows_only() -> None:
    transfers = settle(CONFIG, [FOUL, FRONT_THREE, HIGHEST, FRONT_THREE])
    assert pairs_of(transfers, 4)[0] == (0, -10, -6, -10)


@pytest.mark.parametrize(
    ("first", "second", "points"),
    [
        pytest.param(special("dragon"), HIGHEST, 13, id="dragon"),
        pytest.param(special("three_flushes"), HIGHEST, 3, id="three flushes"),
        pytest.param(special("three_straights"), HIGHEST, 3, id="three straights"),
        pytest.param(special("six_pairs"), HIGHEST, 3, id="six pairs"),
        pytest.param(special("six_pairs"), FOUL, 3, id="a foul pays too"),
        pytest.param(special("dragon"), special("six_pairs"), 13, id="the higher's points"),
        pytest.param(special("three_flushes"), special("three_straights"), 3, id="order"),
        pytest.param(special("three_straights"), special("six_pairs"), 3, id="order below"),
        pytest.param(special("six_pairs"), special("six_pairs"), 0, id="equal"),
    ],
)
def test_specials(first: FinalHand, second: FinalHand, points: int) -> None:
    assert pair_points(first, second) == points
    assert pair_points(second, first) == -points


def test_there_is_no_grand_slam_beside_a_special() -> None:
    transfers = settle(CONFIG, [HIGHEST, LOWEST, special("six_pairs"), LOWEST])
    assert pairs_of(transfers, 4)[0] == (0, 6, -3, 6)


# -- a deal


HANDS = (
    "3C 3D 5C 5D 7C 7D 9C 9D JC JD KC KD 2S",
    "2C 4D 5H 6S 8C 8D TH TS JH JS QH KS AC",
    "2D 4C 5S 6H 8H 8S TC TD QC QD KH AD AH",
    "2H 3H 3S 4H 4S 6C 6D 7H 7S 9H 9S QS AS",
)


def deal_of(hands: tuple[str, ...]) -> Deal:
    dealt = [parse_cards(hand.split()) for hand in hands]
    return Deal(tuple(card for turn in zip(*dealt, strict=True) for card in turn), {"deal": 1})


def start() -> ArrangingState:
    return CHINESE_POKER.start(deal_of(HANDS))


def best(state: ArrangingState, seat: int) -> Move:
    return CHINESE_POKER.arranging.best(state.hands[seat])


def test_a_whole_deal() -> None:
    state = start()
    moves: list[tuple[int, Move]] = [(3, best(state, 3)), (0, best(state, 0)), (1, best(state, 1))]
    moves += [(0, Declare()), (2, best(state, 2))]
    for seat, move in moves:
        assert CHINESE_POKER.to_act(state) == {0, 1, 2, 3}
        assert CHINESE_POKER.decisions(state) == 0
        assert CHINESE_POKER.outcome(state) is None
        assert CHINESE_POKER.pattern_of(state, seat, move) is None
        state = submit(CHINESE_POKER, state, seat, move)
    assert CHINESE_POKER.to_act(state) == frozenset()
    assert CHINESE_POKER.decisions(state) == 1
    assert list(CHINESE_POKER.legal_moves(state, 0)) == []
    assert replay(CHINESE_POKER, deal_of(HANDS), moves) == state
    outcome = CHINESE_POKER.outcome(state)
    assert outcome is not None
    assert outcome.ending is Ending.SETTLED
    assert sum(outcome.points) == 0
    assert (outcome.winner, outcome.positions, outcome.carry) == (None, None, {})
    assert outcome.hands[0] == FinalHand(cards=state.hands[0], special="six_pairs")
    assert [hand.foul for hand in outcome.hands] == [None, False, False, False]
    assert outcome.transfers[0] == Transfer(1, 0, 3, (Reason("special", 3),))
    with pytest.raises(RoundOver):
        submit(CHINESE_POKER, state, 0, best(state, 0))


@pytest.mark.parametrize("move", [Cut(3), Extend()])
def test_moves_of_other_games_are_refused(move: Move) -> None:
    state = start()
    with pytest.raises(WrongPhase) as refused:
        submit(CHINESE_POKER, state, 0, move)
    assert refused.value.facts == {
        "phase": "arranging",
        "type": move.type,
        "actions": ["arrange", "declare"],
    }
    assert state == start()


def test_others_see_only_that_a_seat_has_set() -> None:
    state = start()
    once = submit(CHINESE_POKER, state, 1, best(state, 1))
    first = next(CHINESE_POKER.legal_moves(state, 1))
    assert first != best(state, 1)
    again = submit(CHINESE_POKER, once, 1, first)
    for viewer in (0, 2, 3, None):
        assert CHINESE_POKER.view(once, viewer) == CHINESE_POKER.view(again, viewer)
    assert [seat.has_acted for seat in CHINESE_POKER.view(once, 0).seats] == [
        False,
        True,
        False,
        False,
    ]
    own = CHINESE_POKER.view(again, 1).you
    assert own is not None
    assert own.arrangement is not None
    assert isinstance(first, Arrange)
    assert own.arrangement.front == first.front


def test_own_view() -> None:
    state = start()
    view = CHINESE_POKER.view(state, 0)
    assert view.phase is Phase.ARRANGING
    assert view.to_act == (0, 1, 2, 3)
    assert [seat.cards_left for seat in view.seats] == [13, 13, 13, 13]
    assert view.you is not None
    assert view.you.hand == tuple(sorted(parse_cards(HANDS[0].split())))
    assert (view.you.special, view.you.actions) == ("six_pairs", ("arrange", "declare"))
    other = CHINESE_POKER.view(state, 1).you
    assert other is not None
    assert (other.special, other.actions, other.arrangement) == (None, ("arrange",), None)
    assert CHINESE_POKER.view(state, None).you is None


def test_deal_draws_only_the_shuffle() -> None:
    deal = CHINESE_POKER.deal(NumberStream(b"\0" * 32, "", 2), 2, {})
    assert deal.setup == {"deal": 2}
    assert deal.deck == NumberStream(b"\0" * 32, "", 2).shuffle(DECK_52)
