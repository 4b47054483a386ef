"""Acting for people whose time is up (contract: Options).

A task at the deadline, a sweep, and any read of an overdue session all come here. Together they are
harmless: whether a seat's time is up, and whether it has not acted, is looked at once more under
the session's lock.
"""

from __future__ import annotations

from typing import Final
from uuid import UUID

from games import clock
from games.errors import NoRound, StaleTurn
from games.models import Actor, SessionStatus
from games.rules.variant import Phase
from games.selectors.clocks import seats_overdue, waiting_for
from games.selectors.live import LiveRound, live_round_get, variant_of
from games.selectors.tables import Table, sessions_overdue, table_for_service, table_get
from games.services.advice import Advice, advice_get
from games.services.moves import move_submit_for

OWN_TABLES: Final = 100


def turn_finish(*, session_id: UUID) -> int:
    """Act for everybody whose time for the open decision is up; for how many."""
    table = table_for_service(session_id=session_id)
    if table is None or not _is_overdue(table):
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
    if not _is_overdue(table):
        return table
    turn_finish(session_id=session_id)
    return table_get(session_id=session_id, player_id=player_id)


def own_turns_finish(*, player_id: UUID) -> None:
    """Do what is overdue at the tables where this player sits."""
    for session_id in sessions_overdue(now=clock.now(), limit=OWN_TABLES, player_id=player_id):
        turn_finish(session_id=session_id)


def _is_overdue(table: Table) -> bool:
    session = table.session
    due = session.clock_due_at
    return session.status == SessionStatus.PLAYING and due is not None and due <= clock.now()


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
