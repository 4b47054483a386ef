"""What was dealt, beside what chance deals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import sqrt
from typing import Any, Final

from games.models import DealTally, SeatKind
from games.rules.chances import Fact
from games.rules.registry import VARIANTS

HANDS: Final = "hands"
"""How many hands were dealt to a kind of seat."""
PAIRS: Final = "pairs"
"""How many times two different seats of the kind were dealt hands of one deal, in both orders."""
DEALT_TO: Final = (SeatKind.HUMAN, SeatKind.BOT)


def fairness_list() -> list[dict[str, Any]]:
    """Every game's counts, one row read a game."""
    tallies = {tally.game: tally for tally in DealTally.objects.all()}
    empty = DealTally()
    return [
        {
            "game": game,
            "deals": tallies.get(game, empty).deals,
            "facts": [
                line
                for fact in variant.dealt_facts()
                for line in _lines(fact, tallies.get(game, empty).counts)
            ],
        }
        for game, variant in VARIANTS.items()
    ]


def _lines(fact: Fact, counts: Mapping[str, Mapping[str, int]]) -> Iterator[dict[str, Any]]:
    for kind in DEALT_TO:
        counted = counts.get(kind, {})
        hands, count = counted.get(HANDS, 0), counted.get(fact.name, 0)
        expected = hands * fact.mean
        error = sqrt(hands * fact.variance + counted.get(PAIRS, 0) * fact.covariance)
        yield {
            "fact": fact.name,
            "seat_kind": kind.value,
            "hands": hands,
            "count": count,
            "expected": round(float(expected), 4),
            "standard_error": round(error, 4),
            "deviation": round(float(count - expected) / error, 4) if error else None,
        }
