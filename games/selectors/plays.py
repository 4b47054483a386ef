"""What a seat may do now: its plays, and what a seat that plays by itself is asked with."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from games.models import Actor, SessionStatus
from games.rules.cards import card_names
from games.rules.moves import Move, Pass, Play
from games.rules.variant import VariantInfo, View
from games.selectors.clocks import actor_of, waiting_for
from games.selectors.live import live_round_get, variant_of
from games.selectors.tables import Table, table_for_service


def legal_plays(table: Table) -> dict[str, Any]:
    """The viewer's plays now, weakest first, and whether passing is open. Raises NotSeated."""
    seat = table.own_seat()
    live = live_round_get(table.session)
    plays: list[dict[str, Any]] = []
    can_pass = False
    variant = variant_of(table.session)
    own = variant.view(live.state, seat).you if live else None
    # Only where plays are made: 13 cards can be set as rows in 72,072 ways.
    if live and own and Play.type in own.actions:
        for move in variant.legal_moves(live.state, seat):
            if isinstance(move, Play):
                pattern = variant.pattern_of(live.state, seat, move)
                plays.append({"cards": card_names(move.cards), "pattern": pattern})
            elif isinstance(move, Pass):
                can_pass = True
    return {"plays": plays, "count": len(plays), "can_pass": can_pass}


@dataclass(frozen=True, slots=True)
class BotTurn:
    """What a policy is asked with: what the seat may know, and what it may do. Nothing else.

    `level` is empty on autoplay. The move is to be made at `due_at`.
    """

    info: VariantInfo
    actor: Actor
    level: str
    view: View
    moves: Iterable[Move]
    due_at: datetime


def bot_turn_get(*, session_id: UUID, turn: int, seat: int) -> BotTurn | None:
    """The decision that waits for this seat, or None if it is closed or a person's."""
    table = table_for_service(session_id=session_id)
    if table is None or table.session.turn != turn:
        return None
    session = table.session
    live = live_round_get(session)
    if live is None or session.status != SessionStatus.PLAYING:
        return None
    if seat not in waiting_for(table, live).bots:
        return None
    variant = variant_of(session)
    assert session.bot_due_at is not None, "it waits for a bot"
    return BotTurn(
        variant.info,
        actor_of(table.seats[seat]),
        table.seats[seat].bot_level,
        variant.view(live.state, seat),
        variant.legal_moves(live.state, seat),
        session.bot_due_at,
    )
