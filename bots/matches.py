"""Matches between two levels of bots: how many points one wins over the other.

Each deal is played once for each seat: there sits the one player of the challenging level, among
opponents who are all of the other. So each side plays each hand, and luck with the cards evens out.
Pure, and the same for the same seed.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev
from typing import Any

from bots.policies.policy import Policy
from games.rules.dealing import NumberStream
from games.rules.engine import submit
from games.rules.outcome import Ending, Outcome
from games.rules.variant import Variant, View


@dataclass(frozen=True, slots=True)
class MatchResult:
    """What the challenger won, in points: in each deal, the mean over the seats."""

    points_by_deal: tuple[float, ...]
    rounds: int
    rounds_won: int
    """The rounds in which the challenger's points were more than 0."""

    @property
    def mean(self) -> float:
        """Points a round."""
        return fmean(self.points_by_deal)

    @property
    def standard_error(self) -> float:
        """Of the mean. Rounds of one deal have its cards in common, so a deal counts once."""
        return stdev(self.points_by_deal) / sqrt(len(self.points_by_deal))


def match(
    variant: Variant[Any], challenger: Policy, opponent: Policy, *, deals: int, seed: int
) -> MatchResult:
    """Play so many deals (2 or more), each as many times as the game has seats."""
    seats = range(variant.info.seats)
    points_by_deal = []
    rounds_won = 0
    for deal in range(deals):
        points = []
        for own_seat in seats:
            table = [challenger if seat == own_seat else opponent for seat in seats]
            points.append(play_round(variant, table, f"{seed}:{deal}").points[own_seat])
        points_by_deal.append(fmean(points))
        rounds_won += sum(won > 0 for won in points)
    return MatchResult(tuple(points_by_deal), deals * variant.info.seats, rounds_won)


def play_round(variant: Variant[Any], table: Sequence[Policy], seed: str) -> Outcome:
    """How a round between these policies ends, one a seat; redeals are played on.

    The cards and each seat's randomness come from the seed alone, whoever sits there.
    """
    # No secrets: a match is to be repeatable.
    randomness = [random.Random(f"{seed}:{seat}") for seat in range(len(table))]  # noqa: S311
    carry: dict[str, Any] = {}
    number = 0
    while True:
        number += 1
        state = variant.start(variant.deal(NumberStream(seed.encode(), "", number), number, carry))
        while (outcome := variant.outcome(state)) is None:
            seat = seat_to_ask(variant.view(state, None))
            move = table[seat].choose(
                variant.view(state, seat), variant.legal_moves(state, seat), randomness[seat]
            )
            state = submit(variant, state, seat, move)
        if outcome.ending is Ending.SETTLED:
            return outcome
        carry = dict(outcome.carry)


def seat_to_ask(view: View) -> int:
    """The first seat that the game waits for and that has not acted in the open decision."""
    return next(seat for seat in view.to_act if not view.seats[seat].has_acted)
