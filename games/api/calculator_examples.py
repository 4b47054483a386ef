"""Examples for the OpenAPI document: the catalogue and the calculators. A test compares them."""

from __future__ import annotations

from typing import Any

from players.api.examples import given, sent


def _cards(names: str) -> list[str]:
    return names.split()


_BIG_TWO: dict[str, Any] = {
    "slug": "big-two-tw",
    "name": "Big Two (Taiwan)",
    "summary": (
        "Be the first to play all 13 cards. Bombs beat anything, and the losers pay for "
        "the cards that they hold."
    ),
    "seats": 4,
    "deck_size": 52,
    "direction": "counter_clockwise",
    "kind": "climbing",
    "score_scope": "session",
    "bot_levels": ["easy", "normal"],
    "patterns": [
        {"word": "single", "name": "Single"},
        {"word": "pair", "name": "Pair"},
        {"word": "triple", "name": "Triple"},
        {"word": "straight", "name": "Straight"},
        {"word": "flush", "name": "Flush"},
        {"word": "full_house", "name": "Full house"},
        {"word": "four_of_a_kind", "name": "Four of a kind"},
        {"word": "straight_flush", "name": "Straight flush"},
    ],
    "specials": [],
    "options": {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "bot_delay_ms": {
                "type": "integer",
                "description": "Pause before a bot's move.",
                "default": 600,
                "minimum": 0,
                "maximum": 5000,
            }
        },
    },
}

GAMES = given({"results": [_BIG_TWO]})
GAME = given(
    {
        **_BIG_TWO,
        "phases": [
            {"word": "playing", "name": "Playing"},
            {"word": "settled", "name": "Settlement"},
        ],
        "move_types": [{"word": "play", "name": "Play"}, {"word": "pass", "name": "Pass"}],
        "reasons": [{"word": "cards_left", "name": "Cards left"}],
        "rules": "# Big Two (Taiwan)\n\n## Goal\n\nFour players, 13 cards each. …",
    }
)

CARDS = sent({"cards": _cards("3C 3D 3H 4C 4D 4H 5C 5D 5H 6C 6D 6H")})
CLASSIFICATION = given({"pattern": "airplane", "readings": ["airplane", "airplane_with_singles"]})

HAND = sent({"hand": ["5C", "5D", "5H", "5S", "9C"], "on": {"cards": ["8D"], "pattern": "single"}})
PLAYS = given(
    {
        "plays": [
            {"cards": ["9C"], "pattern": "single"},
            {"cards": ["5C", "5D", "5H", "5S"], "pattern": "bomb"},
        ],
        "count": 2,
        "can_pass": True,
    }
)

ROWS = sent(
    {
        "front": ["KC", "KD", "2H"],
        "middle": ["AC", "AD", "3S", "5H", "7C"],
        "back": ["9C", "9D", "JC", "JD", "4S"],
    }
)
EVALUATION = given(
    {
        "categories": {"front": "pair", "middle": "pair", "back": "two_pair"},
        "foul": False,
        "special": None,
    }
)

FINISHED_ROUND = sent({"cards_left": [0, 3, 10, 13]})
_LEFT = ((1, 3, 1), (2, 10, 2), (3, 13, 3))
SETTLEMENT = given(
    {
        "winner": 0,
        "points": [62, -3, -20, -39],
        "positions": [1, 2, 3, 4],
        "hands": [],
        "pairs": [
            {
                "from_seat": seat,
                "to_seat": 0,
                "points": count * factor,
                "reasons": [
                    {
                        "code": "cards_left",
                        "points": count * factor,
                        "count": count,
                        "factor": factor,
                    }
                ],
            }
            for seat, count, factor in _LEFT
        ],
        "spring": None,
    }
)

SEEDS = sent(
    {
        "server_seed": "8928844c5821aee0251659cc752a99adc9c7e87fbd6c34b01ccc4d0dc5660d38",
        "client_seed": "my own words",
        "deal": 1,
    }
)
DEAL = given(
    {
        "commitment": "6a0c187c5486573276efcac13230a8111d6e267b3aa249b7eba7978d530bdf41",
        "hands": [
            _cards("3C 4C 4D 4H 6H 7C 9C 9D 9H JD QC QH KC KH AD 2D 2H"),
            _cards("3D 5C 5S 6C 6S 7D 8C 8H 9S TC TD TH TS KS AH 2C RJ"),
            _cards("3H 3S 4S 5D 5H 6D 7H 8D 8S JC JS QD QS KD AC AS BJ"),
        ],
        "kitty": ["7S", "JH", "2S"],
        "first_bidder": 2,
        "leader_draws": None,
        "leader": None,
        "turned_card": None,
    }
)
