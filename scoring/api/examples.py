"""Examples of the scores for the OpenAPI document. A test sends and compares them."""

from __future__ import annotations

from typing import Any

from players.api.examples import given

PLAYER_ID = "5b0c1b1e-5c0d-4a55-9c6e-0f8a4c3b7d21"
COUNTED: dict[str, Any] = {
    "rounds": 40,
    "wins": 13,
    "win_rate": 0.325,
    "points": 57,
    "first": 13,
    "second": 11,
    "third": 9,
    "fourth": 7,
    "bombs": 6,
    "springs": 0,
    "sweeps": 0,
    "grand_slams": 0,
    "home_runs": 0,
    "fouls": 0,
    "specials": 0,
    "streak": 2,
    "longest_streak": 4,
}
STATS = given(
    {
        "player": PLAYER_ID,
        "overall": COUNTED,
        "games": [
            {
                "game": "big-two-tw",
                "best": 31,
                "best_at": "2026-03-01T09:36:12Z",
                **COUNTED,
            }
        ],
    }
)
ENTRY_ON_BOARD = given(
    {
        "rank": 1,
        "player": {"id": PLAYER_ID, "display_name": "Mei"},
        "is_you": True,
        "best": 31,
        "best_at": "2026-03-01T09:36:12Z",
        "balance": None,
        "rounds": 40,
        "wins": 13,
        "first": 13,
        "second": 11,
        "third": 9,
        "fourth": 7,
    }
)
