"""What has changed at a table, version by version, as its viewers may see it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db.models import Q

from games.models import Change, ChangeType, Move, Round, SeatKind
from games.selectors.history import move_card, move_is_secret
from games.selectors.prepared import PreparedRead
from games.selectors.states import state_get
from games.selectors.tables import Table

SNAPSHOT: Final = "snapshot"
MOVE: Final = "move"
# Who has missed more, or more than the round before, starts anew.
MOST_MISSED: Final = 500

# Chained filters, since their order is that of the parameters.
MOVES_ABOVE = PreparedRead[Move](
    lambda session, first_round, version: (
        Move.objects.filter(round__session_id=session)
        .filter(round__number__gte=first_round)
        .filter(version__gt=version)
        .order_by("version", "number")
    ),
    *(UUID(int=0), 1, 2),
)


@dataclass(frozen=True, slots=True)
class Entry:
    """What made one version: moves, or a change of another kind."""

    version: int
    type: str
    seat: int | None
    moves: Sequence[Move] = ()


def waits_for_host_since(table: Table) -> datetime:
    """Since when a person sits at a table, at which no round is played, and its host does nothing.

    What others do in the meantime, or who else comes, does not let the host wait longer.
    """
    session = table.session
    people = [seat for seat in table.seats if seat.kind == SeatKind.HUMAN]
    own = next((seat.number for seat in people if seat.player_id == session.host_id), None)
    changes = Change.objects.filter(session_id=session.id).order_by("version")
    by_host = changes.filter(Q(seat=own) | Q(type=ChangeType.SEAT_CHANGED)).last()
    came = [
        joined.created_at
        if (joined := changes.filter(type=ChangeType.JOINED, seat=seat.number).last())
        else session.created_at
        for seat in people
        if seat.number != own
    ]
    settled = Round.objects.filter(session_id=session.id, number=session.round_number).first()
    times = (
        *(session.created_at, by_host and by_host.created_at, settled and settled.settled_at),
        min(came, default=None),
    )
    return max(time for time in times if time)


def entries_above(table: Table, version: int) -> list[Entry] | None:
    """What made each version of the table above this one, in order; None if that is not told."""
    session = table.session
    missed = session.version - version
    if not 0 <= missed <= MOST_MISSED:
        return None
    if missed == 0:
        return []
    entries = _of_moves(table, version)
    if len(entries) < missed:
        changes = Change.objects.filter(
            session_id=session.id, version__gt=version, version__lte=session.version
        )
        entries += [Entry(change.version, change.type, change.seat) for change in changes]
    if len(entries) < missed:
        return None
    return sorted(entries, key=lambda entry: entry.version)


def _of_moves(table: Table, version: int) -> list[Entry]:
    session = table.session
    moves: defaultdict[int, list[Move]] = defaultdict(list)
    rows = MOVES_ABOVE.rows(session.id, session.round_number - 1, version)
    for move in MOVES_ABOVE.instances(rows):
        # What was committed after the table was read is the next reader's.
        if move.version <= session.version:
            moves[move.version].append(move)
    return [Entry(number, MOVE, made[0].seat, made) for number, made in moves.items()]


def snapshot(table: Table) -> dict[str, Any]:
    """The event that a stream begins with: nothing but the state."""
    return _event(table, Entry(table.session.version, SNAPSHOT, None), state_get(table))


def events_of(table: Table, entries: Sequence[Entry]) -> list[dict[str, Any]]:
    """These entries, the last of which made the table what it is, as the table's viewer may see
    them.

    Only the last has a state: the others' is gone.
    """
    *before, last = entries
    return [
        *[_event(table, entry) for entry in before],
        _event(table, last, state_get(table)),
    ]


def events_since(table: Table, version: int | None) -> list[dict[str, Any]]:
    """The events above a version that the viewer has seen; a snapshot if there is none such."""
    entries = None if version is None else entries_above(table, version)
    if entries is None:
        return [snapshot(table)]
    return events_of(table, entries) if entries else []


def _event(table: Table, entry: Entry, state: dict[str, Any] | None = None) -> dict[str, Any]:
    event = {
        "version": entry.version,
        "type": entry.type,
        "seat": entry.seat,
        "moves": [move_card(move) for move in entry.moves if not move_is_secret(move, table)],
    }
    return event if state is None else {**event, "state": state}
