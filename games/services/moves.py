"""Submitting a move: the one way in which any seat acts, be it a person's, a bot's or a clock's."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from contract.transactions import atomic_retried
from games import clock
from games.errors import NoRound, SessionNotFound, StaleTurn, TurnOverdue
from games.models import Actor, Move, Seat, SeatKind, SessionStatus
from games.rules import engine
from games.rules import moves as rule_moves
from games.rules.outcome import Ending
from games.selectors.clocks import (
    TIMEOUTS_OF_THE_ABSENT,
    actor_of,
    is_final,
    is_overdue,
    seats_overdue,
    waiting_for,
)
from games.selectors.live import LiveRound, live_round_get, variant_of
from games.selectors.tables import Table, table_for_service, table_get
from games.services.changes import change_finish
from games.services.rounds import round_redeal, round_settle


@dataclass(frozen=True, slots=True)
class Submitted:
    """An accepted move, and the table and round after it."""

    move: Move
    table: Table
    live: LiveRound


@atomic_retried
def move_submit(
    *, session_id: UUID, player_id: UUID, move: rule_moves.Move, turn: int | None
) -> Submitted:
    """A person's move for the own seat, in time if it came in time. It ends autoplay.

    Raises SessionNotFound, NotSeated, NoRound, StaleTurn (TurnOverdue while the server has to act
    for somebody first), or the rules' refusal; nothing is changed then.
    """
    came_at = clock.now()
    table = table_get(session_id=session_id, player_id=player_id, lock=True)
    number, session = table.own_seat(), table.session
    if is_overdue(session, came_at):
        raise TurnOverdue(turn=session.turn if turn is None else turn, open_turn=session.turn)
    before = _own_round(table, number, turn, came_at)
    seat = table.seats[number]
    if seat.autoplay or seat.timeouts:
        _seat_note(seat, timeouts=0, autoplay=False)
    submitted, new_turn = _apply(table, before, number, move, Actor.PERSON, "")
    live = submitted.live
    if isinstance(move, rule_moves.CallRedeal):
        live = _bots_accept(table, live)
    change_finish(table, live, None, new_turn=new_turn)
    return Submitted(submitted.move, table, live)


@atomic_retried
def move_submit_for(
    *, session_id: UUID, seat: int, move: rule_moves.Move, turn: int, actor: Actor, policy: str
) -> Submitted:
    """The service's move for a seat, with the turn that it was decided for.

    Raises as `move_submit` does; StaleTurn means that somebody was faster, or that the seat is no
    longer the service's to play, which is harmless.
    """
    table = table_for_service(session_id=session_id, lock=True)
    if table is None:
        raise SessionNotFound()
    before = _live_round(table, turn)
    place = table.seats[seat]
    if not _acts_for(table, before, place, actor):
        raise StaleTurn(turn=turn, open_turn=table.session.turn)
    if actor is Actor.CLOCK:
        timeouts = place.timeouts + 1
        _seat_note(place, timeouts=timeouts, autoplay=timeouts >= TIMEOUTS_OF_THE_ABSENT)
    submitted, new_turn = _apply(table, before, seat, move, actor, policy)
    change_finish(table, submitted.live, None, new_turn=new_turn)
    return submitted


def move_check(table: Table, seat: int, move: rule_moves.Move, turn: int | None) -> Any:
    """The rules' state after this move, which is not stored. Raises as `move_submit` does."""
    live = _own_round(table, seat, turn, clock.now())
    return engine.submit(variant_of(table.session), live.state, seat, move)


def _live_round(table: Table, turn: int | None) -> LiveRound:
    session = table.session
    live = live_round_get(session)
    if live is None or session.status != SessionStatus.PLAYING:
        raise NoRound()
    if turn is not None and turn != session.turn:
        raise StaleTurn(turn=turn, open_turn=session.turn)
    return live


def _own_round(table: Table, seat: int, turn: int | None, came_at: datetime) -> LiveRound:
    """The round for a person's move, if this seat may still decide."""
    live = _live_round(table, turn)
    if is_final(table, live, seat, came_at):
        raise StaleTurn(turn=table.session.turn)
    return live


def _acts_for(table: Table, live: LiveRound, seat: Seat, actor: Actor) -> bool:
    """Whether the service acts for this seat now, as this actor, and it has not acted yet."""
    if actor is Actor.CLOCK:
        return seat.number in seats_overdue(table, live, clock.now())
    return actor is actor_of(seat) and seat.number in waiting_for(table, live).bots


def _apply(
    table: Table,
    before: LiveRound,
    seat: int,
    move: rule_moves.Move,
    actor: Actor,
    policy: str,
) -> tuple[Submitted, bool]:
    """The move stored, and whether it opened a decision."""
    session, variant = table.session, variant_of(table.session)
    state = engine.submit(variant, before.state, seat, move)
    session.move_number += 1
    stored = Move.objects.create(
        round_id=before.round_id,
        number=session.move_number,
        version=session.version + 1,
        deal=before.deal,
        turn=session.turn,
        seat=seat,
        data=rule_moves.move_to_json(move),
        pattern=variant.pattern_of(before.state, seat, move) or "",
        actor=actor,
        policy=policy,
    )
    live = LiveRound(before.round_id, before.commitment, before.deal, session.move_number, state)
    new_turn = variant.decisions(state) != variant.decisions(before.state)
    outcome = variant.outcome(state)
    if outcome is not None:
        new_turn = True
        if outcome.ending is Ending.REDEAL:
            live = round_redeal(table, live, outcome)
        else:
            round_settle(table, live, outcome)
    session.turn += new_turn
    return Submitted(stored, table, live), new_turn


def _bots_accept(table: Table, live: LiveRound) -> LiveRound:
    """Bots accept a redeal at once: with only bots beside the caller it is done with the call."""
    for seat in table.seats:
        if seat.kind == SeatKind.BOT:
            accept = rule_moves.AnswerRedeal(accept=True)
            policy = f"{seat.bot_level}/rule-book"
            live = _apply(table, live, seat.number, accept, Actor.BOT, policy)[0].live
    return live


def _seat_note(seat: Seat, *, timeouts: int, autoplay: bool) -> None:
    seat.timeouts, seat.autoplay = timeouts, autoplay
    seat.save(update_fields=["timeouts", "autoplay"])
