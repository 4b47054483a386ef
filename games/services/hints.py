"""A good move now, for who does not know what to do."""

from __future__ import annotations

from typing import Any

from games.models import SessionStatus
from games.rules.moves import Move, move_to_json
from games.rules.record import move_fields
from games.selectors.live import live_round_get, variant_of
from games.selectors.tables import Table
from games.services.advice import advice_get


def hint_get(table: Table) -> dict[str, Any]:
    """A move as a body that can be sent; None while the viewer is not asked. Raises NotSeated."""
    seat = table.own_seat()
    session = table.session
    live = live_round_get(session)
    if live is None or session.status != SessionStatus.PLAYING:
        return {"move": None}
    variant = variant_of(session)
    if seat not in variant.view(live.state, seat).to_act:
        return {"move": None}
    move: Move = advice_get(session, live, seat).move
    data = move_to_json(move)
    return {
        "move": {
            "type": move.type,
            "turn": session.turn,
            **move_fields(data),
            "pattern": variant.pattern_of(live.state, seat, move),
        }
    }
