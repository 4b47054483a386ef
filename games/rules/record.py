"""The record of a round, as JSON that anyone can check after its end (contract: replay).

Who serves a replay and who verifies one build these parts with the same functions.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeVar

from games.rules import engine
from games.rules.cards import CARD_NAMES, card_names
from games.rules.moves import Move, move_to_json
from games.rules.outcome import FinalHand, Outcome, Transfer
from games.rules.variant import Deal, Variant

S = TypeVar("S")

MOVE_FIELDS: Final = (
    "cards",
    "bid",
    "accept",
    "position",
    "front",
    "middle",
    "back",
    "accept_foul",
)
"""What a move may hold besides its `type` and its `pattern`; null where a type has none of it."""
FINGERPRINT: Final = "fingerprint"


def move_fields(data: Mapping[str, Any]) -> dict[str, Any]:
    """All of MOVE_FIELDS, from the flat JSON form of a move."""
    return {name: data.get(name) for name in MOVE_FIELDS}


def hands_held(variant: Variant[S], state: S) -> list[tuple[int, ...]]:
    """The cards in each seat's hand, in the order of the ordered deck."""
    owns = [variant.view(state, seat).you for seat in range(variant.info.seats)]
    return [own.hand if own else () for own in owns]


def deal_to_json(
    variant: Variant[S], deal: Deal, moves: Iterable[tuple[int, Move]]
) -> dict[str, Any]:
    """One deal of a finished round; `moves` are those made in it, as (seat, move).

    The hands are as they were dealt: where the deck is cut first, after the cuts. Raises what the
    rules refuse in those cuts.
    """
    state = variant.start(deal)
    pending = iter(moves)
    hands = hands_held(variant, state)
    while not all(hands) and (made := next(pending, None)):
        state = engine.submit(variant, state, *made)
        hands = hands_held(variant, state)
    cutting = variant.view(state, None).cutting
    turned_card = cutting.turned_card if cutting else None
    return {
        "deal": deal.setup["deal"],
        "given": deal.setup.get("given", False),
        "deck": card_names(deal.deck),
        "hands": [card_names(hand) for hand in hands],
        "kitty": card_names(sorted(set(deal.deck).difference(*hands))) or None,
        "first_bidder": deal.setup.get("first_bidder"),
        "leader": deal.setup.get("leader"),
        "draws": [
            {"seat": seat, "card": CARD_NAMES[card]} for seat, card in deal.setup.get("draws") or ()
        ],
        "cuts": [
            {"seat": seat, "position": position}
            for seat, position in (cutting.cuts if cutting else ())
        ],
        "turned_card": None if turned_card is None else CARD_NAMES[turned_card],
    }


def move_to_record(move: Move, pattern: str | None) -> dict[str, Any]:
    """What the rules say of a move in the log: its type, its fields and how it was read."""
    return {"type": move.type, **move_fields(move_to_json(move)), "pattern": pattern}


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


def fingerprint(record: Mapping[str, Any]) -> str:
    """SHA-256, in hex, of all the rest of the record: JSON with sorted names, without spaces, and
    ASCII only."""
    rest = {name: value for name, value in record.items() if name != FINGERPRINT}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
