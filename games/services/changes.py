"""How every accepted change of a session ends: version, bots asked, everybody told after commit."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial

from django.db import transaction

from games import clock
from games.broadcast import version_announce
from games.models import Change, SeatKind, Session, SessionStatus
from games.selectors.clocks import bot_due, clock_due, turn_seconds, waiting_for
from games.selectors.live import LiveRound, live_round_get, live_round_remember
from games.selectors.tables import Table, seats_of
from games.signals import deadline_set, turn_started

CHANGING_FIELDS = (
    "status",
    "host",
    "version",
    "turn",
    "round_number",
    "move_number",
    "turn_started_at",
    "bot_due_at",
    "deadline",
    "clock_due_at",
    "join_code",
    "rematch",
    "next_server_seed",
    "client_seed",
    "carry",
    "finished_at",
)


def change_finish(
    table: Table,
    live: LiveRound | None,
    change: Change | None,
    *,
    new_turn: bool,
    ask_bots: bool = False,
) -> None:
    """Save the changed session under its next version; after commit, remember, tell and ask.

    `change` says what it was, None for moves: they are stored already, with the version to come.

    `new_turn` says that a decision was opened; those that play by themselves are asked then. So
    they are with `ask_bots`, where a seat has come to play by itself.
    """
    session = table.session
    session.version += 1
    due_before = session.clock_due_at
    bots: tuple[int, ...] = ()
    if live is not None and session.status == SessionStatus.PLAYING:
        waiting = waiting_for(table, live)
        bots = waiting.bots
        if new_turn:
            session.turn_started_at = clock.now()
            session.deadline = None
        session.bot_due_at = bot_due(session, waiting.view) if bots else None
        # It stays while the decision is open: neither autoplay nor coming back gains time.
        if session.deadline is None:
            session.deadline = _deadline(table, (*bots, *waiting.people))
        session.clock_due_at = clock_due(table, live, waiting.on_the_clock)
    else:
        session.turn_started_at = session.bot_due_at = None
        session.deadline = session.clock_due_at = None
    session.save(update_fields=CHANGING_FIELDS)
    if change is not None:
        change.session, change.version = session, session.version
        change.save(force_insert=True)
    asked = bots if new_turn or ask_bots else ()
    due = session.clock_due_at if session.clock_due_at != due_before else None
    transaction.on_commit(partial(_after_commit, session, live, asked, due))


def bots_asked_again(session: Session) -> list[tuple[int, int]]:
    """The (turn, seat) of every seat that plays by itself and that this session waits for."""
    table = Table(session, seats_of(session), None)
    live = live_round_get(session)
    if live is None or session.status != SessionStatus.PLAYING:
        return []
    return [(session.turn, seat) for seat in waiting_for(table, live).bots]


def _deadline(table: Table, awaited: tuple[int, ...]) -> datetime | None:
    """The end of a decision from now on; None without a limit, and while only bots are awaited."""
    seconds = turn_seconds(table)
    if not seconds or all(table.seats[seat].kind != SeatKind.HUMAN for seat in awaited):
        return None
    return clock.now() + timedelta(seconds=seconds)


def _after_commit(
    session: Session, live: LiveRound | None, bots: tuple[int, ...], due: datetime | None
) -> None:
    if live is not None:
        live_round_remember(session, live)
    version_announce(session_id=session.id, version=session.version)
    if bots:
        turn_started.send_robust(
            sender=Session,
            session_id=session.id,
            turn=session.turn,
            bot_seats=bots,
            due_at=session.bot_due_at,
        )
    if due is not None:
        deadline_set.send_robust(sender=Session, session_id=session.id, due_at=due)
