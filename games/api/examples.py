"""Examples for the OpenAPI document: one table of Big Two (Taiwan), seen by its host."""

from __future__ import annotations

from typing import Any

from players.api.examples import given, sent

SESSION_ID = "6c1d1f5e-9d0b-4f6a-8c3e-2b7a9e4d5f10"
HOST = {"id": "5b0c1b1e-5c0d-4a55-9c6e-0f8a4c3b7d21", "display_name": "Mei"}
COMMITMENT = "6a0c187c5486573276efcac13230a8111d6e267b3aa249b7eba7978d530bdf41"
MADE_AT = "2026-03-01T09:30:00Z"
SETTLED_AT = "2026-03-01T09:36:12Z"
HAND = ["4C", "4D", "5H", "6C", "7C", "7D", "TC", "TH", "JH", "KD", "AH", "AS", "2H"]


def _bot(seat: int, **more: Any) -> dict[str, Any]:
    return {"seat": seat, "kind": "bot", "player": None, "bot_level": "normal", **more}


def _host(**more: Any) -> dict[str, Any]:
    return {"seat": 0, "kind": "human", "player": HOST, "bot_level": None, **more}


def _session_seat(seat: int) -> dict[str, Any]:
    shown = {"autoplay": False, "total": 0}
    return _host(**shown) if seat == 0 else _bot(seat, **shown)


def _state_seat(seat: int, cards_left: int, total: int = 0) -> dict[str, Any]:
    shown = {
        "autoplay": False,
        "cards_left": cards_left,
        "total": total,
        "has_acted": False,
        "role": None,
        "wind": None,
        "balance": None,
    }
    return _host(**shown) if seat == 0 else _bot(seat, **shown)


_SESSION: dict[str, Any] = {
    "id": SESSION_ID,
    "game": "big-two-tw",
    "status": "playing",
    "visibility": "private",
    "version": 2,
    "host": HOST["id"],
    "join_code": None,
    "options": {
        "turn_seconds": 0,
        "extension_seconds": None,
        "bot_level": "normal",
        "bot_delay_ms": 600,
        "redeal_window_ms": None,
        "client_seed": "",
        "rounds": None,
    },
    "seats": [_session_seat(seat) for seat in range(4)],
    "rounds_played": 0,
    "rematch": None,
    "next_commitment": None,
    "created_at": MADE_AT,
    "finished_at": None,
}
_LOBBY: dict[str, Any] = {
    **_SESSION,
    "status": "lobby",
    "version": 1,
    "join_code": "K7QX4M",
    "options": {**_SESSION["options"], "turn_seconds": 30},
    "seats": [
        _session_seat(0),
        {**_session_seat(1), "kind": "open", "bot_level": None},
        *(_session_seat(seat) for seat in (2, 3)),
    ],
    "next_commitment": COMMITMENT,
}
_OPENING = {"seat": 3, "cards": ["3C"], "pattern": "single"}
_STATE: dict[str, Any] = {
    "session_id": SESSION_ID,
    "game": "big-two-tw",
    "status": "playing",
    "version": 3,
    "turn": 2,
    "round": 1,
    "deal": 1,
    "phase": "playing",
    "to_act": [0],
    "deadline": None,
    "remaining_ms": None,
    "commitment": COMMITMENT,
    "next_commitment": None,
    "you": {
        "seat": 0,
        "hand": HAND,
        "actions": ["play", "pass"],
        "special": None,
        "can_call_redeal": None,
        "arrangement": None,
        "extension_used": None,
        "autoplay": False,
    },
    "seats": [_state_seat(0, 13), _state_seat(1, 13), _state_seat(2, 13), _state_seat(3, 12)],
    "trick": {"leader": 3, "plays": [_OPENING], "to_beat": _OPENING, "must_include": None},
    "bidding": None,
    "kitty": None,
    "stake": None,
    "redeal": None,
    "cutting": None,
    "settlement": None,
}
MOVE: dict[str, Any] = {
    "number": 2,
    "deal": 1,
    "turn": 2,
    "seat": 0,
    "type": "play",
    "cards": ["4C"],
    "bid": None,
    "accept": None,
    "position": None,
    "front": None,
    "middle": None,
    "back": None,
    "accept_foul": None,
    "pattern": "single",
    "actor": "person",
    "policy": None,
    "created_at": "2026-03-01T09:30:09Z",
}
_AFTER_MOVE = {
    **_STATE,
    "version": 4,
    "turn": 3,
    "to_act": [1],
    "you": {**_STATE["you"], "hand": HAND[1:], "actions": []},
    "seats": [_state_seat(0, 12), _state_seat(1, 13), _state_seat(2, 13), _state_seat(3, 12)],
    "trick": {
        "leader": 3,
        "plays": [_OPENING, {"seat": 0, "cards": ["4C"], "pattern": "single"}],
        "to_beat": {"seat": 0, "cards": ["4C"], "pattern": "single"},
        "must_include": None,
    },
}

CREATE_SESSION = sent({"game": "big-two-tw"})
CLIENT_SEED = sent({"client_seed": "my own words"})
JOIN_CODE = sent({"code": "K7QX4M"})
BOT_SEAT = sent({"kind": "bot", "level": "normal"})
AUTOPLAY = sent({"enabled": True})
PLAY = sent({"type": "play", "cards": ["4C"], "turn": 2})
SESSION = given(_SESSION, "200", "201")
LOBBY = given(_LOBBY)
SESSION_IN_LIST = given(_SESSION)
FINISHED_SESSION = given(
    {
        **_SESSION,
        "status": "finished",
        "version": 63,
        "rounds_played": 1,
        "finished_at": SETTLED_AT,
    }
)
STATE = given(_STATE)
MOVE_ANSWER = given({"move": MOVE, "state": _AFTER_MOVE}, "201")
EVENT = given(
    {
        "version": _AFTER_MOVE["version"],
        "type": "move",
        "seat": MOVE["seat"],
        "moves": [MOVE],
        "state": _AFTER_MOVE,
    },
    media_type="text/event-stream",
)
MOVE_LOG = given({"results": [MOVE]})
PREVIEW = given(
    {
        "accepted": False,
        "code": "does_not_beat",
        "params": {"pattern": "single", "to_beat": _OPENING},
        "pattern": "single",
        "beats": False,
        "foul": None,
        "special": None,
    }
)
LEGAL_PLAYS = given(
    {"plays": [{"cards": ["4C"], "pattern": "single"}], "count": 1, "can_pass": True}
)
_UNSEEN = (3, 2, 3, 3, 2, 4, 4, 2, 3, 4, 3, 2, 3)
HINT = given(
    {
        "move": {
            "type": "play",
            "turn": 2,
            "cards": ["4C"],
            "pattern": "single",
            **dict.fromkeys(
                ("bid", "accept", "position", "front", "middle", "back", "accept_foul")
            ),
        }
    }
)
UNSEEN = given(
    {
        "ranks": [
            {"rank": rank, "count": count}
            for rank, count in zip("3456789TJQKA2", _UNSEEN, strict=True)
        ],
        "count": 38,
    }
)
RESUME = given(
    {"results": [{"session": _SESSION, "must_act": True, "remaining_ms": None, "version": 3}]}
)
SCORES = given(
    {
        "results": [
            {
                "game": "big-two-tw",
                "best": 5,
                "best_at": SETTLED_AT,
                "best_session": SESSION_ID,
                "running_total": 5,
                "running_session": SESSION_ID,
                "balance": None,
                "rounds": 1,
                "wins": 1,
            }
        ]
    }
)
