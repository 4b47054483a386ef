"""Examples for the OpenAPI document: a settled round of the table of `games.api.examples`."""

from __future__ import annotations

import json
from typing import Any

from games.api.examples import COMMITMENT, HOST, MADE_AT, MOVE, SESSION_ID, SETTLED_AT
from players.api.examples import given

SERVER_SEED = "8928844c5821aee0251659cc752a99adc9c7e87fbd6c34b01ccc4d0dc5660d38"

_LEFT = {1: ["QS"], 2: ["3D", "3H", "9C"], 3: ["5D"]}
_SETTLEMENT: dict[str, Any] = {
    "winner": 0,
    "points": [5, -1, -3, -1],
    "totals": [5, -1, -3, -1],
    "positions": [1, 2, 4, 2],
    "hands": [
        {
            "seat": seat,
            "cards": _LEFT.get(seat, []),
            "front": None,
            "middle": None,
            "back": None,
            "foul": None,
            "special": None,
        }
        for seat in range(4)
    ],
    "pairs": [
        {
            "from_seat": seat,
            "to_seat": 0,
            "points": len(cards),
            "reasons": [
                {"code": "cards_left", "points": len(cards), "count": len(cards), "factor": 1}
            ],
        }
        for seat, cards in _LEFT.items()
    ],
    "spring": None,
    "server_seed": SERVER_SEED,
    "client_seed": "my own words",
}
_ROUND: dict[str, Any] = {
    "number": 1,
    "winner": 0,
    "points": [5, -1, -3, -1],
    "totals": [5, -1, -3, -1],
    "positions": [1, 2, 4, 2],
    "moves": 61,
    "started_at": MADE_AT,
    "settled_at": SETTLED_AT,
}
_REPLAY: dict[str, Any] = {
    "session_id": SESSION_ID,
    "game": "big-two-tw",
    "number": 1,
    "rules_revision": 1,
    "server_seed": SERVER_SEED,
    "client_seed": "my own words",
    "commitment": COMMITMENT,
    "players": [HOST["id"], None, None, None],
    "totals_before": [0, 0, 0, 0],
    "deals": [
        {
            "deal": 1,
            "given": False,
            "deck": ["4C", "3D", "QS", "3C"],
            "hands": [["4C"], ["3D"], ["QS"], ["3C"]],
            "kitty": None,
            "first_bidder": None,
            "leader": None,
            "draws": [],
            "cuts": [],
            "turned_card": None,
        }
    ],
    "moves": [MOVE],
    "settlement": _SETTLEMENT,
    "started_at": MADE_AT,
    "settled_at": SETTLED_AT,
    "fingerprint": "0b6a0a6d1a1a4f7e9d1f53b0e7c6f2a8d4c9b3e5f60718293a4b5c6d7e8f9012",
}

ROUND_IN_LIST = given(_ROUND)
OWN_ROUND_IN_LIST = given(
    {
        **_ROUND,
        "session_id": SESSION_ID,
        "game": "big-two-tw",
        "seat": 0,
        "balance": 5,
        "seats": [{"seat": seat, "player": None if seat else HOST} for seat in range(4)],
    }
)
REPLAY = given(_REPLAY)
REPLAY_LINE = given(json.dumps(_REPLAY) + "\n", media_type="application/x-ndjson")
