"""Thirteen: the ceremony, the settlement by clause, and a deal to its outcome."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest

from games.rules.arranging.settlement import pairs_of, points_of
from games.rules.cards import CARDS_BY_NAME, DECK_52
from games.rules.dealing import NumberStream
from games.rules.engine import replay, submit
from games.rules.errors import (
    CannotCut,
    CutOutOfRange,
    ExtensionUsed,
    NotYourTurn,
    RoundOver,
    WrongPhase,
)
from games.rules.moves import Arrange, Cut, Declare, Extend, Move, Pass, parse_cards
from games.rules.outcome import Ending, FinalHand, Reason
from games.rules.variant import Deal, Phase
from games.rules.variants.thirteen import THIRTEEN, Thirteen, ThirteenConfig, next_leader, settle
from games.rules.variants.thirteen.ceremony import (
    cut_deck,
    deal_from,
    draw_for_leader,
    first_seat,
    wind_of,
)
from games.rules.variants.thirteen.variant import ThirteenState

CONFIG = THIRTEEN.config
DRAGON = FinalHand(special="dragon")


def rows(front: str, middle: str, back: str) -> FinalHand:
    parts = [parse_cards(part.split()) for part in (front, middle, back)]
    return THIRTEEN.arranging.rows_set(*parts)


# Each of the first four beats the one before in every row. Some cards are in several hands.
LOWEST = rows("2C 3D 5H", "2D 3H 4S 5C 7D", "2H 4C 5S 7C 8D")
LOW = rows("2C 3D 6H", "2D 3H 4S 5C 8D", "2H 4C 5S 7C 9D")
HIGH = rows("2C 3D 7H", "2D 3H 4S 5C 9D", "2H 4C 5S 7C TD")
HIGHEST = rows("2C 3D 8H", "2D 3H 4S 5C TD", "2H 4C 5S 7C JD")
WINS_FRONT = rows("2C 3D 9H", "2D 3H 4S 5C 9D", "2H 4C 5S 7C TD")
FOUL = rows("AC AD AH", "2D 3H 4S 5C 9D", "2H 4C 5S 7C TD")
FRONT_THREE = rows("4C 4D 4H", "5D 5H 5S 7C 9D", "6H 6C 6S 7S TD")


# -- settlement


@pytest.mark.parametrize(
    ("bonus", "hand"),
    [
        pytest.param(3, FRONT_THREE, id="front three"),
        pytest.param(0, rows("2C 3D 4H", "5D 5H 5S 7C 7D", "6H 6C 6S 7S 7H"), id="full houses"),
        pytest.param(4, rows("2C 3D 4H", "5D 5H 5S 7C 9D", "6H 6C 6S 6D TD"), id="back four"),
        pytest.param(8, rows("2C 3D 4H", "5D 5H 5S 5C 9D", "6H 6C 6S 6D TD"), id="middle four too"),
        pytest.param(5, rows("2C 3D 4H", "5D 5H 5S 7C 9D", "6H 7H 8H 9H TH"), id="back sf"),
        pytest.param(10, rows("2C 3D 4H", "5D 6D 7D 8D 9D", "6H 7H 8H 9H TH"), id="middle sf too"),
    ],
)
def test_bonuses_come_on_top_of_the_rows(bonus: int, hand: FinalHand) -> None:
    pairs = pairs_of(settle(CONFIG, [hand, WINS_FRONT, hand, WINS_FRONT]), 4)
    front = 1 if hand is FRONT_THREE else -1
    sweep = 3 if hand is FRONT_THREE else 0
    assert pairs[0][1] == front + 2 + sweep + bonus
    assert pairs[0][2] == 0


HIGHER_THREE = rows("5C 5D 5H", "6D 6H 6S 7C 9D", "7H 7D 7S 8S TD")


def bonuses_between(config: ThirteenConfig, first: FinalHand, second: FinalHand) -> list[Reason]:
    (transfer,) = settle(config, [first, second])
    return [reason for reason in transfer.reasons if reason.code.startswith("bonus")]


def test_a_bonus_is_paid_for_a_row_that_was_lost() -> None:
    assert bonuses_between(CONFIG, HIGHER_THREE, FRONT_THREE) == [
        Reason("bonus_front_three_of_a_kind", 3),
        Reason("bonus_front_three_of_a_kind", -3),
    ]


def test_a_house_may_choose_that_only_a_row_that_was_won_has_its_bonus() -> None:
    config = replace(CONFIG, bonus_needs_won_row=True)
    assert bonuses_between(config, HIGHER_THREE, FRONT_THREE) == [
        Reason("bonus_front_three_of_a_kind", 3)
    ]


def test_worked_front_three_is_nine_by_its_bonus_from_three_and_three_by_its_row() -> None:
    higher = rows("2C 3D 5H", "6D 6H 6S 7C 9D", "7H 7D 7S 8S TD")
    transfers = settle(CONFIG, [FRONT_THREE, higher, higher, higher])
    of_the_front = [
        reason.points * (1 if transfer.to_seat == 0 else -1)
        for transfer in transfers
        if 0 in (transfer.from_seat, transfer.to_seat)
        for reason in transfer.reasons
        if "front" in reason.code
    ]
    assert sum(of_the_front) == 12


def test_worked_two_sweeps() -> None:
    transfers = settle(CONFIG, [HIGHEST, LOWEST, LOW, WINS_FRONT])
    assert pairs_of(transfers, 4)[0] == (0, 6, 6, 1)
    assert points_of(transfers, 4)[0] == 13
    first = transfers[0]
    assert (first.from_seat, first.to_seat) == (1, 0)
    assert first.reasons == (
        Reason("row_front", 1),
        Reason("row_middle", 1),
        Reason("row_back", 1),
        Reason("sweep", 3),
    )


def test_a_home_run_is_twelve_from_each() -> None:
    transfers = settle(CONFIG, [LOWEST, LOW, HIGHEST, HIGH])
    assert pairs_of(transfers, 4) == (
        (0, -6, -12, -6),
        (6, 0, -12, -6),
        (12, 12, 0, 12),
        (6, 6, -12, 0),
    )
    against_lowest = next(t for t in transfers if (t.from_seat, t.to_seat) == (0, 2))
    assert against_lowest.reasons[-1] == Reason("home_run", 9)


def test_a_tied_row_is_no_sweep() -> None:
    ties_front = rows("2D 3C 8D", "2D 3H 4S 5C 9D", "2H 4C 5S 7C TD")
    assert pairs_of(settle(CONFIG, [HIGHEST, ties_front, ties_front, HIGHEST]), 4)[0][1] == 2


def test_a_foul_is_swept_pays_bonuses_and_has_none() -> None:
    transfers = settle(CONFIG, [FOUL, FRONT_THREE, FOUL, WINS_FRONT])
    assert pairs_of(transfers, 4) == (
        (0, -15, 0, -6),
        (15, 0, 15, 15),
        (0, -15, 0, -6),
        (6, -15, 6, 0),
    )


def test_a_foul_counts_as_swept_for_a_home_run() -> None:
    assert pairs_of(settle(CONFIG, [FOUL, HIGHEST, LOW, LOW]), 4)[1] == (12, 0, 12, 12)


@pytest.mark.parametrize(
    ("choice", "points"),
    [
        pytest.param({}, 15, id="as chosen"),
        pytest.param({"foul_is_swept": False}, 6, id="not swept"),
        pytest.param({"foul_pays_bonuses": False}, 12, id="pays no bonus"),
        pytest.param({"foul_keeps_bonuses": True}, 12, id="keeps its own"),
    ],
)
def test_what_a_house_may_choose_of_fouls(choice: dict[str, bool], points: int) -> None:
    (transfer,) = settle(replace(CONFIG, **choice), [FOUL, FRONT_THREE])
    assert (transfer.from_seat, transfer.to_seat, transfer.points) == (0, 1, points)


@pytest.mark.parametrize(
    ("hands", "points"),
    [
        pytest.param([DRAGON, HIGHEST, LOWEST, FOUL], (108, -36, -36, -36), id="one"),
        pytest.param([DRAGON, DRAGON, HIGHEST, FRONT_THREE], (72, 72, -72, -72), id="two"),
        pytest.param([LOW, DRAGON, DRAGON, DRAGON], (-108, 36, 36, 36), id="three"),
        pytest.param([DRAGON] * 4, (0, 0, 0, 0), id="four"),
    ],
)
def test_dragons(hands: list[FinalHand], points: tuple[int, ...]) -> None:
    transfers = settle(CONFIG, hands)
    assert points_of(transfers, 4) == points
    assert all(
        abs(reason.points) in (0, 36) and reason.code == "special"
        for transfer in transfers
        for reason in transfer.reasons
    )


@pytest.mark.parametrize(
    ("points", "leader", "following"),
    [
        pytest.param((12, -15, 0, 3), 1, 0, id="most"),
        pytest.param((5, 5, -5, -5), 1, 1, id="tie, East first"),
        pytest.param((5, 5, -5, -5), 2, 0, id="tie, clockwise from East"),
        pytest.param((0, 0, 0, 0), 3, 3, id="all even"),
    ],
)
def test_next_leader(points: tuple[int, ...], leader: int, following: int) -> None:
    assert next_leader(points, leader) == following


# -- ceremony


class Numbers(NumberStream):
    """A stream that gives these numbers."""

    def __init__(self, *numbers: int) -> None:
        self._numbers = iter(numbers)

    def below(self, n: int) -> int:
        return next(self._numbers)


def drawn(*names: str) -> Numbers:
    return Numbers(*(CARDS_BY_NAME[name] for name in names))


@pytest.mark.parametrize(
    ("draws", "leader", "kept"),
    [
        pytest.param(["9H", "2S", "KC", "QS"], 2, "0:9H 1:2S 2:KC 3:QS", id="2 is low"),
        pytest.param(["9H", "AS", "KC", "QS"], 1, "0:9H 1:AS 2:KC 3:QS", id="A is high"),
        pytest.param(
            ["KH", "3C", "KC", "4C", "5D", "6D"],
            2,
            "0:KH 1:3C 2:KC 3:4C 0:5D 2:6D",
            id="the tied draw again",
        ),
        pytest.param(
            ["KH", "KH", "3C", "KC", "4C", "KC", "5D", "3C", "5H", "7C", "6C"],
            0,
            "0:KH 1:3C 2:KC 3:4C 0:5D 2:5H 0:7C 2:6C",
            id="cards drawn before do not count",
        ),
    ],
)
def test_draw_for_leader(draws: list[str], leader: int, kept: str) -> None:
    expected = tuple(
        (int(seat), CARDS_BY_NAME[name])
        for seat, name in (draw.split(":") for draw in kept.split())
    )
    result = draw_for_leader(drawn(*draws), 4, tied_draw_is_repeated=True)
    assert result == (leader, expected)


def test_a_house_may_choose_that_the_first_of_tied_draws_leads() -> None:
    leader, draws = draw_for_leader(drawn("3C", "KH", "KC", "4C"), 4, tied_draw_is_repeated=False)
    assert (leader, len(draws)) == (1, 4)


@pytest.mark.parametrize(
    ("card", "leader", "seat"),
    [
        pytest.param("6C", 0, 1, id="6 is South"),
        pytest.param("AS", 2, 2, id="A is 1"),
        pytest.param("2D", 2, 3, id="2"),
        pytest.param("JH", 0, 2, id="J is 11"),
        pytest.param("QH", 0, 3, id="Q is 12"),
        pytest.param("KH", 3, 3, id="K is 13"),
    ],
)
def test_first_seat(card: str, leader: int, seat: int) -> None:
    assert first_seat(CARDS_BY_NAME[card], leader, 4) == seat


def test_cuts_move_the_first_cards_to_the_end_in_order() -> None:
    assert cut_deck((0, 1, 2, 3, 4), (2, 1)) == (3, 4, 0, 1, 2)


def test_deal_goes_clockwise_from_the_first_seat() -> None:
    assert deal_from(tuple(range(8)), 3, 4) == ((1, 5), (2, 6), (3, 7), (0, 4))


def test_winds_follow_clockwise_from_the_leader() -> None:
    assert [wind_of(seat, 2) for seat in range(4)] == ["west", "north", "east", "south"]


# -- a deal


def deal_of(turned_card: str = "AC", leader: int = 1) -> Deal:
    return Deal(
        NumberStream(b"\1" * 32, "", 1).shuffle(DECK_52),
        {
            "deal": 1,
            "leader": leader,
            "draws": [],
            "turned_card": CARDS_BY_NAME[turned_card],
            "first_round": False,
        },
    )


def dealt() -> ThirteenState:
    return replay(THIRTEEN, deal_of(), [(0, Cut(10)), (2, Cut(0)), (3, Cut(20))])


def best(state: ThirteenState, seat: int) -> Move:
    return THIRTEEN.arranging.best(state.table.hands[seat])


def test_the_first_round_draws_for_the_leader_and_later_ones_do_not() -> None:
    first = THIRTEEN.deal(NumberStream(b"\2" * 32, "", 1), 1, {})
    later = THIRTEEN.deal(NumberStream(b"\2" * 32, "", 1), 1, {"leader": 3})
    assert len(first.setup["draws"]) >= 4
    assert first.setup["first_round"] is True
    assert (later.setup["draws"], later.setup["leader"]) == ([], 3)
    assert later.setup["first_round"] is False
    assert THIRTEEN.start(first).leader == first.setup["leader"]


def test_cuts_count_in_order_of_seat_however_they_were_made() -> None:
    moves = [(0, Cut(10)), (2, Cut(0)), (3, Cut(20))]
    states = {replay(THIRTEEN, deal_of(), order) for order in permutations(moves)}
    (state,) = states
    deck = cut_deck(deal_of().deck, (10, 20))
    assert state.table.hands == tuple(
        tuple(sorted(hand)) for hand in deal_from(deck, first=1, seats=4)
    )


def test_a_house_may_choose_that_the_cut_deck_gives_the_turned_card() -> None:
    game = Thirteen(replace(CONFIG, turned_from_full_deck=False))
    state = replay(game, deal_of(), [(0, Cut(10)), (2, Cut(0)), (3, Cut(20))])
    assert state.turned_card == cut_deck(deal_of().deck, (10, 20))[-1]


def test_cutting() -> None:
    state = THIRTEEN.start(deal_of())
    assert THIRTEEN.to_act(state) == {0, 2, 3}
    assert THIRTEEN.decisions(state) == 0
    assert list(THIRTEEN.legal_moves(state, 0)) == [Cut(position) for position in range(52)]
    assert list(THIRTEEN.legal_moves(state, 1)) == []
    after = submit(THIRTEEN, state, 3, Cut(51))
    assert THIRTEEN.to_act(after) == {0, 2}
    assert THIRTEEN.decisions(after) == 0
    assert THIRTEEN.decisions(dealt()) == 1
    assert THIRTEEN.to_act(dealt()) == {0, 1, 2, 3}


@pytest.mark.parametrize(
    ("seat", "move", "refusal", "facts"),
    [
        pytest.param(1, Cut(5), CannotCut, {}, id="the leader"),
        pytest.param(3, Cut(5), CannotCut, {}, id="a second cut"),
        pytest.param(1, Extend(), NotYourTurn, {"seat": 1, "to_act": [0, 2]}, id="not to act"),
        pytest.param(0, Cut(52), CutOutOfRange, {"position": 52}, id="52"),
        pytest.param(0, Cut(-1), CutOutOfRange, {"position": -1}, id="-1"),
        pytest.param(
            0,
            Extend(),
            WrongPhase,
            {"phase": "cutting", "type": "extend", "actions": ["cut"]},
            id="no extension yet",
        ),
    ],
)
def test_refusals_while_cutting(
    seat: int, move: Move, refusal: type[Exception], facts: dict[str, object]
) -> None:
    state = submit(THIRTEEN, THIRTEEN.start(deal_of()), 3, Cut(7))
    before = replace(state)
    with pytest.raises(refusal) as refused:
        submit(THIRTEEN, state, seat, move)
    assert refused.value.facts == facts  # type: ignore[attr-defined]
    assert state == before


@pytest.mark.parametrize("move", [Cut(5), Pass()])
def test_refusals_while_arranging(move: Move) -> None:
    with pytest.raises(WrongPhase) as refused:
        submit(THIRTEEN, dealt(), 0, move)
    assert refused.value.facts == {
        "phase": "arranging",
        "type": move.type,
        "actions": ["arrange", "declare", "extend"],
    }


def test_each_seat_may_extend_once() -> None:
    once = submit(THIRTEEN, dealt(), 2, Extend())
    assert once.extension_used == (False, False, True, False)
    assert once.table == dealt().table
    assert THIRTEEN.decisions(once) == 1
    before = replace(once)
    with pytest.raises(ExtensionUsed):
        submit(THIRTEEN, once, 2, Extend())
    assert once == before
    other = submit(THIRTEEN, once, 0, Extend())
    assert other.extension_used == (True, False, True, False)


def test_the_extension_is_a_legal_move_until_it_is_used() -> None:
    state = dealt()
    assert list(THIRTEEN.legal_moves(state, 2))[-1] == Extend()
    used = submit(THIRTEEN, state, 2, Extend())
    assert isinstance(list(THIRTEEN.legal_moves(used, 2))[-1], Arrange)


def test_views_while_cutting() -> None:
    state = submit(THIRTEEN, THIRTEEN.start(deal_of()), 3, Cut(7))
    view = THIRTEEN.view(state, 0)
    assert view.phase is Phase.CUTTING
    assert view.to_act == (0, 2)
    assert view.cutting is not None
    assert (view.cutting.leader, view.cutting.cuts, view.cutting.turned_card) == (1, (), None)
    assert [seat.wind for seat in view.seats] == ["north", "east", "south", "west"]
    assert [seat.has_acted for seat in view.seats] == [False, False, False, True]
    assert [seat.cards_left for seat in view.seats] == [0, 0, 0, 0]
    assert view.you is not None
    assert (view.you.hand, view.you.actions, view.you.extension_used) == ((), ("cut",), False)
    leader = THIRTEEN.view(state, 1).you
    assert leader is not None
    assert leader.actions == ()


def test_a_cut_is_hidden_until_all_have_answered() -> None:
    start = THIRTEEN.start(deal_of())
    for viewer in (0, 1, 2, None):
        views = {
            repr(THIRTEEN.view(submit(THIRTEEN, start, 3, Cut(position)), viewer))
            for position in (0, 7, 51)
        }
        assert len(views) == 1
    cutting = THIRTEEN.view(dealt(), None).cutting
    assert cutting is not None
    assert cutting.cuts == ((0, 10), (2, 0), (3, 20))
    assert cutting.turned_card == CARDS_BY_NAME["AC"]


def test_views_while_arranging() -> None:
    state = submit(THIRTEEN, dealt(), 2, Extend())
    state = submit(THIRTEEN, state, 2, best(state, 2))
    own = THIRTEEN.view(state, 2).you
    other = THIRTEEN.view(state, 0).you
    assert own is not None
    assert other is not None
    assert (own.actions, own.extension_used) == (("arrange",), True)
    assert own.arrangement is not None
    assert (other.actions, other.extension_used) == (("arrange", "extend"), False)
    assert other.arrangement is None
    assert [seat.has_acted for seat in THIRTEEN.view(state, None).seats] == [
        False,
        False,
        True,
        False,
    ]


def test_others_do_not_see_what_a_seat_has_set() -> None:
    state = dealt()
    first = next(THIRTEEN.legal_moves(state, 1))
    assert first != best(state, 1)
    one = submit(THIRTEEN, state, 1, best(state, 1))
    two = submit(THIRTEEN, one, 1, first)
    for viewer in (0, 2, 3, None):
        assert THIRTEEN.view(one, viewer) == THIRTEEN.view(two, viewer)


def test_a_whole_deal() -> None:
    state = dealt()
    for seat in (2, 0, 3, 1):
        assert THIRTEEN.outcome(state) is None
        state = submit(THIRTEEN, state, seat, best(state, seat))
    assert THIRTEEN.decisions(state) == 2
    assert THIRTEEN.to_act(state) == frozenset()
    outcome = THIRTEEN.outcome(state)
    assert outcome is not None
    assert outcome.ending is Ending.SETTLED
    assert sum(outcome.points) == 0
    assert outcome.carry == {"leader": next_leader(outcome.points, 1)}
    assert [hand.foul for hand in outcome.hands] == [False] * 4
    assert THIRTEEN.view(state, 0).phase is Phase.SETTLED
    with pytest.raises(RoundOver):
        submit(THIRTEEN, state, 0, Extend())


def test_an_undeclared_dragon_is_an_ordinary_hand() -> None:
    dragon = parse_cards(
        ["AC", "2D", "3H", "4S", "5C", "6D", "7H", "8S", "9C", "TD", "JH", "QS", "KC"]
    )
    rules = THIRTEEN.arranging
    state = rules.start((dragon,))
    assert rules.play(state, 0, Declare()).settings[0] == FinalHand(
        cards=tuple(sorted(dragon)), special="dragon"
    )
    setting = rules.play(state, 0, rules.best(dragon)).settings[0]
    assert setting is not None
    assert setting.special is None
