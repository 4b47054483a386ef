"""Acting for people whose time is up (contract: Options).

A task at the deadline, a sweep, and any read of or move at an overdue table all come here. Together
they are harmless: whether a seat's time is up, and whether it has not acted, is looked at once more
under the session's lock.
"""

from __future__ import annotations

from typing import Final
from uuid import UUID

from games import clock
from games.errors import NoRound, StaleTurn, TurnOverdue
from games.models import Actor
from games.rules.moves import Move
from games.rules.variant import Phase
from games.selectors.clocks import is_overdue, seats_overdue, waiting_for
from games.selectors.live import LiveRound, live_round_get, variant_of
from games.selectors.tables import Table, sessions_overdue, table_for_service, table_get
from games.services.advice import Advice, advice_get
from games.services.moves import Submitted, move_submit, move_submit_for

OWN_TABLES: Final = 100


def turn_finish(*, session_id: UUID) -> int:
    """Act for everybody whose time for the open decision is up; for how many."""
    table = table_for_service(session_id=session_id)
    if table is None or not is_overdue(table.session, clock.now()):
        return 0
    live = live_round_get(table.session)
    if live is None:
        return 0
    return sum(_act(table, live, seat) for seat in seats_overdue(table, live, clock.now()))


def table_fresh(*, session_id: UUID, player_id: UUID) -> Table:
    """The table as this player may see it, once what is overdue has been done.

    Raises SessionNotFound.
    """
    table = table_get(session_id=session_id, player_id=player_id)
    if not is_overdue(table.session, clock.now()):
        return table
    turn_finish(session_id=session_id)
    return table_get(session_id=session_id, player_id=player_id)


def move_make(*, session_id: UUID, player_id: UUID, move: Move, turn: int | None) -> Submitted:
    """A person's move, once what is overdue has been done: too late is too late, whoever looks.

    A move without a turn was meant for the decision that was open. Raises as `move_submit` does.
    """
    try:
        return move_submit(session_id=session_id, player_id=player_id, move=move, turn=turn)
    except TurnOverdue as overdue:
        turn = overdue.facts["turn"]
    turn_finish(session_id=session_id)
    return move_submit(session_id=session_id, player_id=player_id, move=move, turn=turn)


def own_turns_finish(*, player_id: UUID) -> None:
    """Do what is overdue at the tables where this player sits."""
    for session_id in sessions_overdue(now=clock.now(), limit=OWN_TABLES, player_id=player_id):
        turn_finish(session_id=session_id)


def _act(table: Table, live: LiveRound, seat: int) -> bool:
    advice = _default_move(table, live, seat)
    try:
        move_submit_for(
            session_id=table.session.id,
            seat=seat,
            move=advice.move,
            turn=table.session.turn,
            actor=Actor.CLOCK,
            policy=advice.policy,
        )
    except (StaleTurn, NoRound):
        return False
    return True


def _default_move(table: Table, live: LiveRound, seat: int) -> Advice:
    """The first legal move is the pass, the lowest lead, the skipped cut, the redeal accepted."""
    if waiting_for(table, live).view.phase is Phase.ARRANGING:
        return advice_get(table.session, live, seat)
    return Advice(next(variant_of(table.session).legal_moves(live.state, seat)), "")
