"""What the sandbox changes: tables with given hands, their bots' moves, their clock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

from contract.transactions import atomic_retried
from games.errors import NoRound, SessionNotFound
from games.models import SeatKind, SessionStatus, Visibility
from games.rules import engine
from games.rules.errors import RuleViolation
from games.rules.moves import Move, move_from_json
from games.rules.registry import VARIANTS
from games.selectors.history import moves_log
from games.selectors.live import live_round_get, variant_of
from games.selectors.tables import Table, table_for_service, table_get
from games.services.changes import change_finish
from games.services.clocks import table_fresh
from games.services.dealing import server_seed_draw
from games.services.sessions import SeatPlan, session_create
from sandbox.deals import WantedDeal, deal_lay
from sandbox.models import Rehearsal

SCRIPT = "script"
"""The policy by which scripted moves are known in the log."""


@atomic_retried
def rehearsal_open(
    *,
    host_id: UUID,
    game: str,
    wanted: WantedDeal,
    script: Sequence[Mapping[str, Any]],
    options: Mapping[str, Any],
    scenario: str = "",
) -> Table:
    """A private table, dealt: the host in seat 0, bots that follow the script in the others.

    Raises Implausible or DuplicateCard for a deal that this game cannot have.
    """
    variant = VARIANTS[game]
    bots = [SeatPlan(SeatKind.BOT, options["bot_level"])] * (variant.info.seats - 1)
    table = session_create(
        host_id=host_id,
        game=game,
        options=options,
        seats=[SeatPlan.host(), *bots],
        visibility=Visibility.PRIVATE,
        start=True,
        given_deal=deal_lay(variant, wanted, seed=server_seed_draw()),
    )
    Rehearsal.objects.create(session=table.session, scenario=scenario, script=list(script))
    return table


def scripted_move(*, session_id: UUID, seat: int) -> Move | None:
    """What the script has for this seat now: its next move, if the rules take it.

    A seat has left its script once it has made another move, and once the hands are dealt anew.
    """
    rehearsal = Rehearsal.objects.filter(session_id=session_id).first()
    table = table_for_service(session_id=session_id) if rehearsal else None
    live = live_round_get(table.session) if table else None
    if rehearsal is None or table is None or live is None:
        return None
    if table.session.round_number != 1 or live.deal != 1:
        return None
    made = [move for move in moves_log(replace(table, seat=seat)) if move["seat"] == seat]
    own = [line for line in rehearsal.script if line["seat"] == seat]
    if len(made) >= len(own) or any(move["policy"] != SCRIPT for move in made):
        return None
    try:
        move = move_from_json(own[len(made)])
        engine.submit(variant_of(table.session), live.state, seat, move)
    except RuleViolation:
        return None
    return move


def clock_advance(*, session_id: UUID, player_id: UUID, by: timedelta) -> Table:
    """Let the time that the open decision has be shorter by this; whose time is up then, for that
    the server acts.

    Raises SessionNotFound, also for what is no table of the sandbox; NotSeated; NoRound.
    """
    _clock_shift(session_id=session_id, player_id=player_id, by=by)
    return table_fresh(session_id=session_id, player_id=player_id)


@atomic_retried
def _clock_shift(*, session_id: UUID, player_id: UUID, by: timedelta) -> None:
    table = table_get(session_id=session_id, player_id=player_id, lock=True)
    session = table.session
    if not Rehearsal.objects.filter(session_id=session_id).exists():
        raise SessionNotFound()
    table.own_seat()
    if session.status != SessionStatus.PLAYING or session.turn_started_at is None:
        raise NoRound()
    session.turn_started_at -= by
    if session.deadline is not None:
        session.deadline -= by
    # Told by no change of its own: who watches gets the whole state. All else follows from these.
    change_finish(table, live_round_get(session), None, new_turn=False, ask_bots=True)
