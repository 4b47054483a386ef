"""Whom the open decision waits for, and until when."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from games.models import Actor, Seat, SeatKind, Session, SessionStatus
from games.rules.variant import OwnView, Phase, View
from games.selectors.live import LiveRound, variant_of
from games.selectors.tables import Table

SEVERAL_PEOPLE_SECONDS: Final = 30
LEAST_PAUSE_MS: Final = 20
"""Bots have mostly thought by then (99 of 100 plays: 3 ms; a hand's rows: 9 ms), so that no answer
comes sooner or later by what they hold, also where no pause was chosen."""
TIMEOUTS_OF_THE_ABSENT: Final = 2
"""Who lets the time run out so often in a row is no longer there."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """The seats that are to act and have not yet: those that play by themselves, and people.

    `view` is what everybody may know. Only that says who is asked: who else may move can be secret.
    """

    view: View
    bots: tuple[int, ...]
    people: tuple[int, ...]
    on_the_clock: tuple[int, ...]
    """People's seats, those on autoplay too: for them the time runs as well."""


def waiting_for(table: Table, live: LiveRound) -> Waiting:
    """Whom the open decision waits for."""
    view = variant_of(table.session).view(live.state, None)
    awaited = [seat for seat in view.to_act if not view.seats[seat].has_acted]
    return Waiting(
        view,
        bots=tuple(seat for seat in awaited if plays_by_itself(table.seats[seat])),
        people=tuple(seat for seat in awaited if not plays_by_itself(table.seats[seat])),
        on_the_clock=tuple(seat for seat in awaited if table.seats[seat].kind == SeatKind.HUMAN),
    )


def is_absent(seat: Seat) -> bool:
    """Whether the person of this seat has let the time run out again and again."""
    return seat.timeouts >= TIMEOUTS_OF_THE_ABSENT


def plays_by_itself(seat: Seat) -> bool:
    """Whether nobody is asked: a bot's seat, or a person's on autoplay."""
    return seat.kind == SeatKind.BOT or seat.autoplay


def actor_of(seat: Seat) -> Actor:
    """As who a seat acts that plays by itself."""
    return Actor.AUTOPLAY if seat.autoplay else Actor.BOT


def turn_seconds(table: Table) -> int:
    """Seconds for each decision, 0 for no limit; unless chosen, only among several people."""
    chosen = table.session.options["turn_seconds"]
    if chosen is not None:
        return int(chosen)
    people = [seat for seat in table.seats if seat.kind != SeatKind.BOT]
    return SEVERAL_PEOPLE_SECONDS if len(people) > 1 else 0


def bot_due(session: Session, view: View) -> datetime:
    """When those act that play by themselves: a pause after the turn's start.

    Who leads the round also leaves the others time to call for a redeal, whatever they hold.
    """
    assert session.turn_started_at is not None
    pause = max(session.options["bot_delay_ms"], LEAST_PAUSE_MS)
    if view.phase is Phase.PLAYING and view.trick and view.trick.must_include is not None:
        pause = max(pause, session.options["redeal_window_ms"] or 0)
    return session.turn_started_at + timedelta(milliseconds=pause)


def seat_deadline(session: Session, own: OwnView | None) -> datetime | None:
    """Until when the seat of this view may decide, with the extra time that it has asked for."""
    if session.deadline is None or own is None or not own.extension_used:
        return session.deadline
    return session.deadline + timedelta(seconds=session.options["extension_seconds"] or 0)


def clock_due(table: Table, live: LiveRound, seats: tuple[int, ...]) -> datetime | None:
    """When the server has to act for the first of these seats."""
    return min(_deadlines(table, live, seats).values(), default=None)


def is_overdue(session: Session, now: datetime) -> bool:
    """Whether the server has to act for somebody."""
    due = session.clock_due_at
    return session.status == SessionStatus.PLAYING and due is not None and due <= now


def is_final(table: Table, live: LiveRound, seat: int, now: datetime) -> bool:
    """Whether what this seat has set stays: its time is up, though others still have extra time."""
    session = table.session
    if session.deadline is None or session.deadline > now:
        return False
    view = variant_of(session).view(live.state, seat)
    due = seat_deadline(session, view.you)
    return view.seats[seat].has_acted and due is not None and due <= now


def seats_overdue(table: Table, live: LiveRound, now: datetime) -> list[int]:
    """The people whose time is up."""
    seats = waiting_for(table, live).on_the_clock
    return [seat for seat, due in _deadlines(table, live, seats).items() if due <= now]


def _deadlines(table: Table, live: LiveRound, people: tuple[int, ...]) -> dict[int, datetime]:
    session = table.session
    if session.deadline is None:
        return {}
    if not session.options["extension_seconds"]:
        return dict.fromkeys(people, session.deadline)
    variant = variant_of(session)
    owns = {seat: variant.view(live.state, seat).you for seat in people}
    return {seat: due for seat, own in owns.items() if (due := seat_deadline(session, own))}
