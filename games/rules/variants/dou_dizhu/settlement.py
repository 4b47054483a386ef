"""What a round of Dou Dizhu pays (rule book, section 3: Settlement, Wallet)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.rules.outcome import Ending, FinalHand, Outcome, Reason, Transfer
from games.rules.variant import StakeView
from games.rules.variants.dou_dizhu.config import DouDizhuConfig

BID: Final = "bid"
BOMBS: Final = "bombs"
SPRING: Final = "spring"
ANTI_SPRING: Final = "anti_spring"
REASONS: Final = (BID, BOMBS, SPRING, ANTI_SPRING)


def spring_of(landlord: int, winner: int, play_counts: Sequence[int]) -> str | None:
    """`spring`, `anti_spring` or None, from how many plays (no passes) each seat made."""
    if winner == landlord:
        return SPRING if sum(play_counts) == play_counts[landlord] else None
    return ANTI_SPRING if play_counts[landlord] == 1 else None


def stake(config: DouDizhuConfig, bid: int, doublings: int) -> StakeView:
    """What the round is worth after so many doublings."""
    return StakeView(bid, doublings, config.beans_per_bid * bid * 2**doublings)


def settle(
    config: DouDizhuConfig,
    *,
    bid: int,
    landlord: int,
    winner: int,
    play_counts: Sequence[int],
    bombs: int,
    hands: tuple[FinalHand, ...] = (),
) -> Outcome:
    """The settlement of a finished round: points in beans, one a seat, and their working.

    `play_counts` are the plays of each seat, passes not counted; `bombs` counts the bombs and
    rockets played by anyone; `hands`, if they are known, are what the seats have left.
    """
    spring = spring_of(landlord, winner, play_counts)
    plain, bombed = stake(config, bid, 0).value, stake(config, bid, bombs).value
    reasons = [Reason(BID, plain, count=bid, factor=config.beans_per_bid)]
    if bombs:
        reasons.append(Reason(BOMBS, bombed - plain, count=bombs, factor=2**bombs))
    if spring:
        reasons.append(Reason(spring, bombed, factor=2))
    value = sum(reason.points for reason in reasons)

    farmers = [seat for seat in range(len(play_counts)) if seat != landlord]
    landlord_wins = winner == landlord
    points = [-value if landlord_wins else value] * len(play_counts)
    points[landlord] = -sum(points[seat] for seat in farmers)
    transfers = tuple(
        Transfer(farmer, landlord, value, tuple(reasons))
        if landlord_wins
        else Transfer(landlord, farmer, value, tuple(reasons))
        for farmer in farmers
    )
    return Outcome(
        Ending.SETTLED,
        tuple(points),
        winner=winner,
        hands=hands,
        transfers=transfers,
        spring=spring,
    )


def wallet_after(
    balance: int, points: int, *, starting_balance: int = DouDizhuConfig().starting_balance
) -> tuple[int, int]:
    """A player's balance after a settlement, and the top-up that is booked apart (0 for none).

    A balance of 0 or less is set back to the starting balance; all in beans.
    """
    settled = balance + points
    top_up = 0 if settled > 0 else starting_balance - settled
    return settled + top_up, top_up
