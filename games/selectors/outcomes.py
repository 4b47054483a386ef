"""How a round ended, as JSON: points, and the working that explains every one of them."""

from __future__ import annotations

from typing import Any

from games.rules.cards import card_names
from games.rules.outcome import FinalHand, Outcome, Transfer


def outcome_to_json(outcome: Outcome) -> dict[str, Any]:
    """The contract's `settlement`, without totals and seeds."""
    return {
        "winner": outcome.winner,
        "points": list(outcome.points),
        "positions": list(outcome.positions) if outcome.positions else None,
        "hands": [_hand(seat, hand) for seat, hand in enumerate(outcome.hands)],
        "pairs": [_pair(transfer) for transfer in outcome.transfers],
        "spring": outcome.spring,
    }


def _pair(transfer: Transfer) -> dict[str, Any]:
    return {
        "from_seat": transfer.from_seat,
        "to_seat": transfer.to_seat,
        "points": transfer.points,
        "reasons": [
            {
                "code": reason.code,
                "points": reason.points,
                "count": reason.count,
                "factor": reason.factor,
            }
            for reason in transfer.reasons
        ],
    }


def _hand(seat: int, hand: FinalHand) -> dict[str, Any]:
    rows = {
        name: None if row is None else card_names(row)
        for name, row in (("front", hand.front), ("middle", hand.middle), ("back", hand.back))
    }
    return {
        "seat": seat,
        "cards": card_names(hand.cards),
        **rows,
        "foul": hand.foul,
        "special": hand.special,
    }
