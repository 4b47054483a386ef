"""Examples for the OpenAPI document."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiExample

from players.api.examples import given, sent

SCENARIO: dict[str, Any] = {
    "game": "big-two-hk",
    "scenario": "redeal_offer",
    "summary": "Another player calls for a redeal, and you are asked to accept or decline.",
    "deal": {
        "hands": [
            ["6H", "7H", "8S", "9S", "JD", "JS", "QH", "KD", "KS", "AD", "2C", "2H", "2S"],
            ["3D", "3H", "3S", "4D", "4H", "4S", "5C", "5D", "5S", "6C", "6D", "JC", "QD"],
            ["3C", "4C", "5H", "6S", "7C", "8C", "8D", "8H", "9C", "9D", "TC", "TD", "TH"],
            ["7D", "7S", "9H", "TS", "JH", "QC", "QS", "KC", "KH", "AC", "AH", "AS", "2D"],
        ],
        "kitty": None,
        "first": None,
    },
    "script": [
        {"seat": 1, "type": "call_redeal"},
        {"seat": 2, "type": "answer_redeal", "accept": True},
        {"seat": 3, "type": "answer_redeal", "accept": True},
    ],
}
SCENARIOS = given({"results": [SCENARIO]})
OPEN_SCENARIO = sent({"game": "big-two-tw", "scenario": "one_card_left"})
OPEN_DEAL = OpenApiExample(
    "Own deal",
    request_only=True,
    value={
        "game": "big-two-tw",
        "deal": {"hands": [["3C", "2S"], ["9C", "9D", "9H", "9S"], [], []]},
        "script": [{"seat": 1, "type": "pass"}],
        "options": {"turn_seconds": 30, "bot_delay_ms": 0},
    },
)
ADVANCE = sent({"advance_ms": 30_000})
