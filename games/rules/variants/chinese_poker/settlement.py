"""The settlement of Chinese Poker (rule book: 4, from row points to special hands)."""

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
from games.rules.variants.chinese_poker.config import ChinesePokerConfig

GRAND_SLAM: Final = "grand_slam"


def settle(config: ChinesePokerConfig, hands: Sequence[FinalHand]) -> tuple[Transfer, ...]:
    """What each two seats pay each other and why, from what each seat set or declared."""
    working: dict[tuple[int, int], list[Reason]] = {}
    sweeps: dict[tuple[int, int], int] = {}
    for low, high in seat_pairs(len(hands)):
        a, b = hands[low], hands[high]
        if a.special or b.special:
            working[low, high] = [_special_reason(config, a, b)]
        else:
            results = row_results(config.rows.order, a, b)
            working[low, high] = _row_reasons(config, a, b, results)
            sweeps[low, high] = sweep_of(results)
    slammer = sweeper_of_all(sweeps, len(hands))
    for pair, sweep in sweeps.items():
        if sweep:
            working[pair].append(_sweep_reason(config, working[pair], slam=slammer in pair))
    return transfers_of(working)


def _special_reason(config: ChinesePokerConfig, a: FinalHand, b: FinalHand) -> Reason:
    if a.special == b.special:
        return Reason(SPECIAL, 0)
    winner = next(name for name in config.special_points if name in (a.special, b.special))
    points = config.special_points[winner]
    return Reason(SPECIAL, points if a.special == winner else -points)


def _row_reasons(
    config: ChinesePokerConfig, a: FinalHand, b: FinalHand, results: tuple[int, ...]
) -> list[Reason]:
    """The rows, and what a row won with a high category counts above the 1 of any row."""
    reasons = row_reasons(results)
    rows_a = categories_by_row(config.rows.order, a)
    rows_b = categories_by_row(config.rows.order, b)
    for result, row_a, row_b in zip(results, rows_a, rows_b, strict=True):
        row, category = row_a if result > 0 else row_b
        if result and (row, category) in config.row_values:
            above = config.row_values[row, category] - 1
            reasons.append(Reason(bonus_code(row, category), result * above))
    if a.foul or b.foul:
        reasons.append(Reason(FOUL, 0))
    return reasons


def _sweep_reason(config: ChinesePokerConfig, lines: Sequence[Reason], *, slam: bool) -> Reason:
    """What the sweep or the grand slam adds: the lines before count `factor` times in all."""
    code, factor = (GRAND_SLAM, config.grand_slam_factor) if slam else (SWEEP, config.sweep_factor)
    points = sum(line.points for line in lines)
    return Reason(code, points * (factor - 1), factor=factor)
