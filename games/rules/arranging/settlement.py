"""What two settlements share: comparing rows, and turning the working into transfers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Final, TypeAlias

from games.rules.arranging.rows import ROW_NAMES, Category, RowKey, RowOrder, category_of
from games.rules.outcome import FinalHand, Reason, Transfer

FOUL: Final = "foul"
SPECIAL: Final = "special"
SWEEP: Final = "sweep"

RowBonuses: TypeAlias = Mapping[tuple[str, Category], int]
"""Points by name of the row and category."""

Working: TypeAlias = Mapping[tuple[int, int], Sequence[Reason]]
"""For each two seats (lower, higher): the reasons, their points as the lower seat gets them."""


def row_keys(order: RowOrder, hand: FinalHand) -> tuple[RowKey, ...]:
    """The keys of the rows that were set, front to back. None for a declared special."""
    rows = (hand.front, hand.middle, hand.back)
    return tuple(order.key(row) for row in rows if row is not None)


def row_results(order: RowOrder, a: FinalHand, b: FinalHand) -> tuple[int, ...]:
    """For each row, front to back: 1 where `a` wins it, -1 where it loses it, 0 for a tie.

    A foul loses all three rows to a hand that is none; between two fouls nothing is won.
    """
    if a.foul and b.foul:
        return (0, 0, 0)
    if a.foul or b.foul:
        return (-1, -1, -1) if a.foul else (1, 1, 1)
    keys = zip(row_keys(order, a), row_keys(order, b), strict=True)
    return tuple((key_a > key_b) - (key_a < key_b) for key_a, key_b in keys)


def row_reasons(results: Iterable[int]) -> list[Reason]:
    """One line for each row: +1, -1 or 0 points."""
    return [Reason(row_code(row), result) for row, result in zip(ROW_NAMES, results, strict=True)]


def sweep_of(results: tuple[int, ...]) -> int:
    """1 where all three rows were won, -1 where all were lost, else 0."""
    return results[0] if results[0] == results[1] == results[2] else 0


def sweeper_of_all(sweeps: Mapping[tuple[int, int], int], seats: int) -> int | None:
    """The seat that sweeps all others, if any. `sweeps[i, j]` is 1 where i sweeps j, -1 where j i.

    A pair that is not there is no sweep.
    """
    swept = [0] * seats
    for (low, high), sweep in sweeps.items():
        swept[low] += sweep == 1
        swept[high] += sweep == -1
    return swept.index(seats - 1) if seats - 1 in swept else None


def reason_codes(bonuses: RowBonuses, sweep_of_all: str) -> tuple[str, ...]:
    """Every code of such a settlement, in the order of its lines."""
    return (
        *(row_code(row) for row in ROW_NAMES),
        *(bonus_code(row, category) for row, category in bonuses),
        FOUL,
        SWEEP,
        sweep_of_all,
        SPECIAL,
    )


def row_code(row: str) -> str:
    """The word for what a row brings, such as `row_front`."""
    return f"row_{row}"


def bonus_code(row: str, category: Category) -> str:
    """The word for the bonus of a row, such as `bonus_front_three_of_a_kind`."""
    return f"bonus_{row}_{category.label}"


def categories_by_row(order: RowOrder, hand: FinalHand) -> tuple[tuple[str, Category], ...]:
    """The name of each row that was set and its category, front to back."""
    return tuple(
        (row, category_of(key)) for row, key in zip(ROW_NAMES, row_keys(order, hand), strict=True)
    )


def transfers_of(working: Working) -> tuple[Transfer, ...]:
    """One transfer for each two seats; the reasons' points are what the receiver gets by them.

    Two seats that are even: 0 points from the lower seat to the higher.
    """
    transfers = []
    for (low, high), reasons in working.items():
        points = sum(reason.points for reason in reasons)
        if points > 0:
            transfers.append(Transfer(high, low, points, tuple(reasons)))
        else:
            flipped = tuple(
                Reason(reason.code, -reason.points, reason.count, reason.factor)
                for reason in reasons
            )
            transfers.append(Transfer(low, high, -points, flipped))
    return tuple(transfers)


def seat_pairs(seats: int) -> Iterable[tuple[int, int]]:
    """Each two seats, the lower first."""
    return combinations(range(seats), 2)


def pairs_of(transfers: Iterable[Transfer], seats: int) -> tuple[tuple[int, ...], ...]:
    """`pairs[i][j]`: what seat i gets from seat j."""
    pairs = [[0] * seats for _ in range(seats)]
    for transfer in transfers:
        pairs[transfer.to_seat][transfer.from_seat] += transfer.points
        pairs[transfer.from_seat][transfer.to_seat] -= transfer.points
    return tuple(tuple(row) for row in pairs)


def points_of(transfers: Iterable[Transfer], seats: int) -> tuple[int, ...]:
    """The points of each seat; they sum to zero."""
    return tuple(sum(row) for row in pairs_of(transfers, seats))
