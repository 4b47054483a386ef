"""What the losers of a round of Big Two pay (rule book sections 1 and 2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.rules.climbing.big_two_config import BigTwoConfig
from games.rules.outcome import Ending, Outcome, Reason, Transfer

CARDS_LEFT: Final = "cards_left"


def settle(config: BigTwoConfig, cards_left: Sequence[int]) -> Outcome:
    """The settlement for the cards left of each seat, of which the winner's alone are 0."""
    seats = range(len(cards_left))
    winner = cards_left.index(0)
    multipliers = [_multiplier(config, count) for count in cards_left]
    payments = [cards_left[seat] * multipliers[seat] for seat in seats]
    points = tuple(sum(payments) if seat == winner else -payments[seat] for seat in seats)
    transfers = tuple(
        Transfer(
            from_seat=seat,
            to_seat=winner,
            points=payments[seat],
            reasons=(Reason(CARDS_LEFT, payments[seat], cards_left[seat], multipliers[seat]),),
        )
        for seat in seats
        if seat != winner
    )
    return Outcome(
        ending=Ending.SETTLED,
        points=points,
        winner=winner,
        positions=_positions(payments, shared=config.equal_payments_share_position),
        transfers=transfers,
    )


def _multiplier(config: BigTwoConfig, cards_left: int) -> int:
    return next(factor for at_most, factor in config.payment_bands if cards_left <= at_most)


def _positions(payments: Sequence[int], *, shared: bool) -> tuple[int, ...]:
    """1-based places, least payment first; the winner pays nothing."""
    if shared:
        return tuple(1 + sum(other < payment for other in payments) for payment in payments)
    order = sorted(range(len(payments)), key=payments.__getitem__)
    return tuple(1 + order.index(seat) for seat in range(len(payments)))
