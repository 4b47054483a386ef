"""Matches between levels: duplicate, repeatable, and `normal` is clearly the better one."""

from __future__ import annotations

from collections.abc import Iterable
from io import StringIO
from itertools import tee
from typing import Any, ClassVar

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from bots.matches import MatchResult, match, play_round
from bots.policies.policy import Policy, Randomness
from bots.policies.registry import EASY, NORMAL, policy_for
from games.rules.moves import Move
from games.rules.registry import VARIANTS
from games.rules.variant import Kind, Variant, View

every_variant = pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS.keys())


class Watched:
    """A policy whose hands are written down."""

    name: ClassVar[str] = "watched"
    version: ClassVar[str] = "1"

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.hands: list[tuple[int, ...]] = []

    def choose(self, view: View, moves: Iterable[Move], rng: Randomness) -> Move:
        assert view.you is not None
        self.hands.append(view.you.hand)
        return self.policy.choose(view, moves, rng)


class CaughtWhenIllegal(Watched):
    """Fails when it makes a move that it was not offered."""

    def choose(self, view: View, moves: Iterable[Move], rng: Randomness) -> Move:
        offered, looked_at = tee(moves)
        move = super().choose(view, looked_at, rng)
        assert move in offered  # made one by one: an arranging game has 72,072
        return move


def policy(variant: Variant[Any], level: str) -> Policy:
    return policy_for(variant.info.slug, level)


@every_variant
def test_normal_beats_easy_by_more_than_four_standard_errors(variant: Variant[Any]) -> None:
    result = match(variant, policy(variant, NORMAL), policy(variant, EASY), deals=40, seed=1)
    assert result.rounds == 40 * variant.info.seats
    assert result.mean > 4 * result.standard_error > 0
    assert result.rounds_won > result.rounds / variant.info.seats


@every_variant
def test_equals_win_nothing_of_each_other_and_a_seed_is_always_the_same_match(
    variant: Variant[Any],
) -> None:
    """Each side plays each hand: between equal players every deal comes to 0."""
    normal, easy = policy(variant, NORMAL), policy(variant, EASY)
    assert match(variant, normal, normal, deals=3, seed=2).points_by_deal == (0, 0, 0)
    once = match(variant, normal, easy, deals=3, seed=2)
    assert once == match(variant, normal, easy, deals=3, seed=2)
    assert once != match(variant, normal, easy, deals=3, seed=3)


@every_variant
def test_only_legal_moves_are_made(variant: Variant[Any]) -> None:
    rounds = 1 if variant.info.kind is Kind.ARRANGING else 10
    levels = (NORMAL, EASY, NORMAL, EASY)[: variant.info.seats]
    watched = [CaughtWhenIllegal(policy(variant, level)) for level in levels]
    for number in range(rounds):
        assert sum(play_round(variant, watched, f"legal:{number}").points) == 0
    assert all(player.hands for player in watched)


@every_variant
def test_a_seed_deals_the_same_hands_whoever_sits_where(variant: Variant[Any]) -> None:
    first_hands = []
    for levels in ((NORMAL, EASY), (EASY, NORMAL)):
        watched = [Watched(policy(variant, levels[n % 2])) for n in range(variant.info.seats)]
        play_round(variant, watched, "hands")
        first_hands.append([player.hands[-1 if cuts_first(variant) else 0] for player in watched])
    assert first_hands[0] == first_hands[1]


def cuts_first(variant: Variant[Any]) -> bool:
    return "cut" in variant.info.move_types


def test_the_figures_of_a_match() -> None:
    result = MatchResult((1.0, 2.0, 3.0, 6.0), rounds=16, rounds_won=9)
    assert result.mean == 3
    assert result.standard_error == pytest.approx((14 / 3) ** 0.5 / 2)


def test_the_command_prints_a_line_a_game() -> None:
    out = StringIO()
    call_command("match", "--game", "dou-dizhu", "--deals", "2", "--seed", "7", stdout=out)
    title, line = out.getvalue().splitlines()
    assert title.startswith("normal over easy: points a round ± standard error")
    dou_dizhu = VARIANTS["dou-dizhu"]
    result = match(dou_dizhu, policy(dou_dizhu, NORMAL), policy(dou_dizhu, EASY), deals=2, seed=7)
    assert f"{result.mean:+.2f} ± {result.standard_error:.2f}" in line
    assert " of 6 " in line


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["--game", "poker"], id="no such game"),
        pytest.param(["--levels", "normal", "perfect"], id="no such level"),
        pytest.param(["--deals", "1"], id="no error of one deal"),
        pytest.param(["--deals", "many"], id="no number"),
    ],
)
def test_what_the_command_refuses(arguments: list[str]) -> None:
    with pytest.raises(CommandError):
        call_command("match", *arguments, stdout=StringIO())
