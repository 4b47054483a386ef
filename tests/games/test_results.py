"""What a round tells the scores of each seat, by the golden rounds: places and what was done."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from games.models import Move
from games.rules.engine import submit
from games.rules.outcome import Ending, FinalHand, Outcome, Reason, Transfer
from games.rules.registry import VARIANTS
from games.selectors.results import bombs_played, feats_of, places_of
from scoring.results import Feats
from tests.clients import Api
from tests.golden.golden_rounds import deal_of, load, read_move

GOLDEN = {(game, name): golden for game, name, golden in load()}


def played(game: str, name: str) -> tuple[Any, Counter[int]]:
    """The outcome, and how many bombs each seat played."""
    variant, golden = VARIANTS[game], GOLDEN[game, name]
    state, bombs = variant.start(deal_of(golden)), Counter[int]()
    for text in golden["moves"]:
        seat, move, refused = read_move(text)
        if not refused:
            bombs[seat] += variant.pattern_of(state, seat, move) in variant.info.bombs
            state = submit(variant, state, seat, move)
    return variant.outcome(state), bombs


@pytest.mark.parametrize(
    ("game", "name", "places", "feats"),
    [
        pytest.param(game, name, places, feats, id=f"{game}-{name}")
        for game, name, places, feats in (
            ("thirteen", "home_run", [1, 2, 3, 4], {0: Feats(sweeps=3, home_runs=1)}),
            ("thirteen", "four_kings_and_a_sweep", [1, 4, 2, 3], {2: Feats(sweeps=1)}),
            ("thirteen", "one_dragon", [1, 2, 2, 2], {0: Feats(specials=1)}),
            ("thirteen", "four_fouls", [1, 1, 1, 1], dict.fromkeys(range(4), Feats(fouls=1))),
            (
                "chinese-poker",
                "grand_slam",
                [1, 2, 3, 4],
                {0: Feats(sweeps=3, grand_slams=1)},
            ),
            (
                "chinese-poker",
                "three_fouls_make_a_grand_slam",
                [2, 2, 2, 1],
                {
                    **dict.fromkeys(range(3), Feats(fouls=1)),
                    3: Feats(sweeps=3, grand_slams=1),
                },
            ),
            ("dou-dizhu", "spring", [1, 2, 2], {0: Feats(springs=1)}),
            ("dou-dizhu", "anti_spring", [3, 1, 1], dict.fromkeys((1, 2), Feats(springs=1))),
            ("dou-dizhu", "bombs_each_double", [1, 2, 2], dict.fromkeys((0, 1), Feats(bombs=1))),
            (
                "dou-dizhu",
                "rocket_beats_a_bomb",
                [3, 1, 1],
                dict.fromkeys(range(3), Feats(bombs=1)),
            ),
            (
                "big-two-tw",
                "bombs_on_a_single",
                [1, 4, 2, 2],
                dict.fromkeys((0, 2, 3), Feats(bombs=1)),
            ),
            ("big-two-hk", "equal_payments_share_a_place", [1, 2, 2, 4], {}),
            ("big-two-hk", "no_bombs_and_no_two_in_a_straight", [1, 3, 2, 4], {}),
        )
    ],
)
def test_places_and_feats_of_each_seat(
    game: str, name: str, places: list[int], feats: dict[int, Feats]
) -> None:
    outcome, bombs = played(game, name)
    seats = range(len(outcome.points))
    assert list(places_of(outcome)) == places
    assert {seat: feats_of(outcome, seat, bombs=bombs[seat]) for seat in seats} == {
        seat: feats.get(seat, Feats()) for seat in seats
    }


def test_who_is_swept_but_gains_by_bonuses_has_swept_nobody() -> None:
    """The line of the sweep counts, not who pays in the end."""
    outcome = Outcome(
        Ending.SETTLED,
        points=(4, -4),
        hands=(FinalHand(), FinalHand()),
        transfers=(Transfer(1, 0, 4, (Reason("bonus", 10), Reason("sweep", -6))),),
    )
    assert [feats_of(outcome, seat, bombs=0).sweeps for seat in (0, 1)] == [0, 1]


def test_the_bombs_of_a_stored_round_are_counted_by_seat(api: Api) -> None:
    table = api.open_table(options={"bot_delay_ms": 0})
    table.play_round()
    moves = list(Move.objects.order_by("number"))
    Move.objects.update(pattern="single")
    for move, pattern in zip(
        moves, ("four_of_a_kind", "straight_flush", "full_house"), strict=False
    ):
        Move.objects.filter(pk=move.pk).update(pattern=pattern)
    round_id = moves[0].round_id
    expected = Counter(move.seat for move in moves[:2])
    assert bombs_played(VARIANTS["big-two-tw"], round_id=round_id) == expected
    assert bombs_played(VARIANTS["big-two-hk"], round_id=round_id) == {}
