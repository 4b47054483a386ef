"""The shape of a replay: its parts, all of them and no other, and what may stand in each."""

from __future__ import annotations

import re
import reprlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any, Final, TypeAlias

from games.rules.moves import MOVE_CLASS_BY_TYPE
from games.rules.record import FINGERPRINT
from games.verify.errors import NoReplay, Wrong

ACTORS: Final = ("person", "bot", "clock", "autoplay")
TIME_FORMAT: Final = "%Y-%m-%dT%H:%M:%SZ"
"""The one form of RFC 3339 that the service writes: such times are ordered as texts are."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What a single value must be."""

    name: str
    fits: Callable[[Any], bool]


@dataclass(frozen=True, slots=True)
class OrNull:
    """A part that a game or a move may not have."""

    shape: Shape


Shape: TypeAlias = "Kind | OrNull | list[Shape] | Mapping[str, Shape]"


def hex_digest(value: Any) -> bool:
    """Whether this is SHA-256, or a seed of that size, as the service writes it."""
    return isinstance(value, str) and re.fullmatch("[0-9a-f]{64}", value) is not None


def _whole(value: Any, least: int | None = None) -> bool:
    return type(value) is int and (least is None or value >= least)  # true is not 1


def _uuid(value: Any) -> bool:
    pattern = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
    return isinstance(value, str) and re.fullmatch(pattern, value) is not None


def _time(value: Any) -> bool:
    try:
        return datetime.strptime(value, TIME_FORMAT).strftime(TIME_FORMAT) == value
    except (TypeError, ValueError):
        return False


def _one_of(*words: str) -> Kind:
    return Kind(f"one of {', '.join(words)}", lambda value: value in words)


TEXT = Kind("text", lambda value: isinstance(value, str))
FLAG = Kind("true or false", lambda value: isinstance(value, bool))
NUMBER = Kind("a whole number", _whole)
COUNT = Kind("a whole number from 0 on", lambda value: _whole(value, 0))
ORDINAL = Kind("a whole number from 1 on", lambda value: _whole(value, 1))
HEX = Kind("64 hexadecimal digits", hex_digest)
UUID = Kind("a UUID", _uuid)
TIME = Kind("a time like 2026-03-01T09:30:00Z", _time)
ACTOR = _one_of(*ACTORS)
MOVE_TYPE = _one_of(*MOVE_CLASS_BY_TYPE)

CARDS: Shape = [TEXT]
MOVE: Shape = {
    "number": ORDINAL,
    "deal": ORDINAL,
    "turn": ORDINAL,
    "seat": COUNT,
    "type": MOVE_TYPE,
    "cards": OrNull(CARDS),
    "bid": OrNull(COUNT),
    "accept": OrNull(FLAG),
    "position": OrNull(COUNT),
    "front": OrNull(CARDS),
    "middle": OrNull(CARDS),
    "back": OrNull(CARDS),
    "accept_foul": OrNull(FLAG),
    "pattern": OrNull(TEXT),
    "actor": ACTOR,
    "policy": OrNull(TEXT),
    "created_at": TIME,
}
DEAL: Shape = {
    "deal": ORDINAL,
    "given": FLAG,
    "deck": CARDS,
    "hands": [CARDS],
    "kitty": OrNull(CARDS),
    "first_bidder": OrNull(COUNT),
    "leader": OrNull(COUNT),
    "draws": [{"seat": COUNT, "card": TEXT}],
    "cuts": [{"seat": COUNT, "position": COUNT}],
    "turned_card": OrNull(TEXT),
}
HAND: Shape = {
    "seat": COUNT,
    "cards": CARDS,
    "front": OrNull(CARDS),
    "middle": OrNull(CARDS),
    "back": OrNull(CARDS),
    "foul": OrNull(FLAG),
    "special": OrNull(TEXT),
}
REASON: Shape = {
    "code": TEXT,
    "points": NUMBER,
    "count": OrNull(NUMBER),
    "factor": OrNull(NUMBER),
}
PAIR: Shape = {"from_seat": COUNT, "to_seat": COUNT, "points": NUMBER, "reasons": [REASON]}
SETTLEMENT: Shape = {
    "winner": OrNull(COUNT),
    "points": [NUMBER],
    "totals": [NUMBER],
    "positions": OrNull([ORDINAL]),
    "hands": [HAND],
    "pairs": [PAIR],
    "spring": OrNull(TEXT),
    "server_seed": HEX,
    "client_seed": TEXT,
}
REPLAY: Mapping[str, Shape] = {
    "session_id": UUID,
    "game": TEXT,
    "number": ORDINAL,
    "rules_revision": ORDINAL,
    "server_seed": HEX,
    "client_seed": TEXT,
    "commitment": HEX,
    "players": [OrNull(UUID)],
    "totals_before": [NUMBER],
    "deals": [DEAL],
    "moves": [MOVE],
    "settlement": SETTLEMENT,
    "started_at": TIME,
    "settled_at": TIME,
    FINGERPRINT: HEX,
}


def shape_check(replay: Any) -> None:
    """Raises NoReplay for what lacks a part of a replay, Wrong for parts that are not as they are.

    What has passed can be read as a replay without a look at the types of its values.
    """
    if not isinstance(replay, dict):
        raise NoReplay(f"this is no replay, but {reprlib.repr(replay)}")
    missing = [name for name in REPLAY if name not in replay]
    if missing:
        code = replay.get("code")
        what = f"but the problem {code!r}" if isinstance(code, str) else f"it has no `{missing[0]}`"
        raise NoReplay(f"this is no replay, {what}")
    _fit("", replay, REPLAY)
    _in_order(replay)


def _fit(where: str, value: Any, shape: Shape) -> None:
    """Raises Wrong for the first part within that does not fit."""
    if isinstance(shape, OrNull):
        if value is not None:
            _fit(where, value, shape.shape)
    elif isinstance(shape, Kind):
        if not shape.fits(value):
            raise _misfit(where, value, shape.name)
    elif isinstance(shape, list):
        if not isinstance(value, list):
            raise _misfit(where, value, "a list")
        for index, part in enumerate(value):
            _fit(f"{where}[{index}]", part, shape[0])
    else:
        if not isinstance(value, dict):
            raise _misfit(where, value, "an object")
        prefix = f"{where}." if where else ""
        for name in value:
            if name not in shape:
                raise Wrong(f"{prefix}{reprlib.repr(name)[1:-1]} is no part of a replay.")
        for name, part in shape.items():
            if name not in value:
                raise Wrong(f"{prefix}{name} is missing.")
            _fit(f"{prefix}{name}", value[name], part)


def _misfit(where: str, value: Any, must_be: str) -> Wrong:
    return Wrong(f"{where} is {reprlib.repr(value)}, but it must be {must_be}.")


def _in_order(replay: Mapping[str, Any]) -> None:
    """Raises Wrong for the first time that is before the one before it."""
    moves = enumerate(replay["moves"])
    times = [
        ("started_at", replay["started_at"]),
        *((f"moves[{index}].created_at", move["created_at"]) for index, move in moves),
        ("settled_at", replay["settled_at"]),
    ]
    for (before, earlier), (where, later) in pairwise(times):
        if later < earlier:
            raise Wrong(f"{where} is {later}, which is before {before}, {earlier}.")
