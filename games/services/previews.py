"""What a move would be, without making it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from contract.errors import Refusal
from games.rules.errors import DoesNotBeat, FoulArrangement, RuleViolation, WrongPattern
from games.rules.moves import Play, move_from_json
from games.selectors.live import live_round_get, variant_of
from games.selectors.tables import Table
from games.services.moves import move_check


def move_preview(table: Table, *, data: Mapping[str, Any], turn: int | None) -> dict[str, Any]:
    """The contract's preview of a body. Raises NotSeated."""
    seat = table.own_seat()
    preview: dict[str, Any] = {
        "accepted": True,
        "code": None,
        "params": {},
        "pattern": None,
        "beats": None,
        "foul": None,
        "special": None,
    }
    variant, live = variant_of(table.session), live_round_get(table.session)
    beaten: bool | None = None
    try:
        move = move_from_json(data)
        if live and isinstance(move, Play):
            preview["pattern"] = variant.pattern_of(live.state, seat, move)
            trick = variant.view(live.state, seat).trick
            beaten = trick is not None and trick.to_beat is not None
        state = move_check(table, seat, move, turn)
    except (RuleViolation, Refusal) as refusal:
        preview |= {"accepted": False, "code": refusal.code, "params": refusal.facts}
        if isinstance(refusal, WrongPattern | DoesNotBeat):
            preview["beats"] = False
        if isinstance(refusal, FoulArrangement):
            preview["foul"] = True
    else:
        own = variant.view(state, seat).you
        preview["beats"] = True if beaten else None
        if own and own.arrangement:
            preview["foul"] = own.arrangement.foul
            preview["special"] = own.arrangement.special
    return preview
