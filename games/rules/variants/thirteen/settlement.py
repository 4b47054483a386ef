"""The settlement of Thirteen, and who leads next (rule book: 5, Settlement and Leader)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.rules.arranging.settlement import (
    FOUL,
    SPECIAL,
    SWEEP,
    bonus_code,
    categories_by_row,
    row_reasons,
    row_results,
    seat_pairs,
    sweep_of,
    sweeper_of_all,
    transfers_of,
)
from games.rules.outcome import FinalHand, Reason, Transfer
from games.rules.variants.thirteen.config import ThirteenConfig

HOME_RUN: Final = "home_run"


def settle(config: ThirteenConfig, hands: Sequence[FinalHand]) -> tuple[Transfer, ...]:
    """What each two seats pay each other and why, from what each seat set or declared."""
    if any(hand.special for hand in hands):
        return _settle_dragons(config, hands)
    working: dict[tuple[int, int], list[Reason]] = {}
    sweeps: dict[tuple[int, int], int] = {}
    for low, high in seat_pairs(len(hands)):
        a, b = hands[low], hands[high]
        results = row_results(config.rows.order, a, b)
        one_fouls = bool(a.foul) != bool(b.foul)
        working[low, high] = [
            *row_reasons(results),
            *_bonus_reasons(config, a, b, results),
            *([Reason(FOUL, 0)] if a.foul or b.foul else []),
        ]
        sweeps[low, high] = 0 if one_fouls and not config.foul_is_swept else sweep_of(results)
    runner = sweeper_of_all(sweeps, len(hands))
    for pair, sweep in sweeps.items():
        if sweep and runner in pair:
            working[pair].append(Reason(HOME_RUN, sweep * config.home_run))
        elif sweep:
            working[pair].append(Reason(SWEEP, sweep * config.sweep))
    return transfers_of(working)


def _settle_dragons(config: ThirteenConfig, hands: Sequence[FinalHand]) -> tuple[Transfer, ...]:
    """Beside a declared special nobody else is compared: those without pay those with one."""
    worth = [config.special_points[hand.special] if hand.special else 0 for hand in hands]
    return transfers_of(
        {
            (low, high): [Reason(SPECIAL, worth[low] - worth[high])]
            if bool(worth[low]) != bool(worth[high])
            else []
            for low, high in seat_pairs(len(hands))
        }
    )


def _bonus_reasons(
    config: ThirteenConfig, a: FinalHand, b: FinalHand, results: Sequence[int]
) -> list[Reason]:
    """The bonuses between two hands, `a`'s as gains and `b`'s as losses."""
    reasons = []
    for holder, payer, sign in ((a, b, 1), (b, a, -1)):
        if holder.foul and (payer.foul or not config.foul_keeps_bonuses):
            continue
        if payer.foul and not config.foul_pays_bonuses:
            continue
        rows = categories_by_row(config.rows.order, holder)
        for (row, category), result in zip(rows, results, strict=True):
            points = config.row_bonuses.get((row, category), 0)
            if points and (result == sign or not config.bonus_needs_won_row):
                reasons.append(Reason(bonus_code(row, category), sign * points))
    return reasons


def next_leader(points: Sequence[int], leader: int) -> int:
    """Who leads the next round: the seat that won most, of several the first from the leader on."""
    seats = len(points)
    in_order_of_winds = [(leader + step) % seats for step in range(seats)]
    return max(in_order_of_winds, key=lambda seat: points[seat])
