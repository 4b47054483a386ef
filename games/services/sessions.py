"""Sessions: made, started, continued, finished."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from contract.transactions import atomic_retried
from games.errors import AlreadyStarted, NotStarted, RoundRunning
from games.models import (
    Change,
    ChangeType,
    Member,
    Seat,
    SeatKind,
    Session,
    SessionStatus,
    Visibility,
)
from games.rules.registry import VARIANTS
from games.selectors.tables import Table, table_get
from games.services.changes import change_finish
from games.services.dealing import server_seed_draw
from games.services.rounds import round_open, session_close
from games.services.seats import (
    join_code_draw,
    open_seats_fill,
    table_lock_as_host,
    table_lock_to_deal,
)


@dataclass(frozen=True, slots=True)
class SeatPlan:
    """Who shall sit on a seat of a new table: the host, a bot of a level, or who comes."""

    kind: SeatKind
    bot_level: str = ""

    @classmethod
    def host(cls) -> SeatPlan:
        """The seat of who opens the table."""
        return cls(SeatKind.HUMAN)

    @classmethod
    def bot(cls, level: str) -> SeatPlan:
        """A seat for a bot."""
        return cls(SeatKind.BOT, level)

    @classmethod
    def free(cls) -> SeatPlan:
        """A seat for who joins."""
        return cls(SeatKind.OPEN)


@atomic_retried
def session_create(
    *,
    host_id: UUID,
    game: str,
    options: Mapping[str, Any],
    seats: Sequence[SeatPlan],
    visibility: Visibility,
    start: bool,
    given_deal: Mapping[str, Any] | None = None,
) -> Table:
    """A new table. `seats` has exactly one human seat, the host's; `options` are complete.

    With `start` the first round is dealt at once, from the client seed of the options; a table with
    an open seat waits in the lobby all the same. With `given_deal`, in the form that a round
    stores, the first hands are those, and nothing that is played at this table counts.
    """
    assert len(seats) == VARIANTS[game].info.seats
    waits = any(plan.kind == SeatKind.OPEN for plan in seats)
    session = Session.objects.create(
        game=game,
        status=SessionStatus.LOBBY,
        visibility=visibility,
        host_id=host_id,
        options=dict(options),
        next_server_seed=server_seed_draw(),
        client_seed=options["client_seed"],
        counts=given_deal is None,
        join_code=join_code_draw() if waits else None,
    )
    Member.objects.create(session=session, player_id=host_id)
    Seat.objects.bulk_create(
        Seat(
            session=session,
            number=number,
            kind=plan.kind,
            player_id=host_id if plan.kind == SeatKind.HUMAN else None,
            bot_level=plan.bot_level,
        )
        for number, plan in enumerate(seats)
    )
    table = table_get(session_id=session.id, player_id=host_id, lock=True)
    if start and not waits:
        _deal(table, client_seed=None, given_deal=given_deal)
    return table


@atomic_retried
def session_start(*, session_id: UUID, player_id: UUID, client_seed: str | None) -> Table:
    """Deal the first round. Raises SessionNotFound, NotHost, SessionFinished, AlreadyStarted."""
    table = table_lock_to_deal(session_id=session_id, player_id=player_id)
    if table.session.status != SessionStatus.LOBBY:
        raise AlreadyStarted()
    _deal(table, client_seed=client_seed)
    return table


@atomic_retried
def round_deal(*, session_id: UUID, player_id: UUID, client_seed: str | None) -> Table:
    """Deal the next round.

    Raises SessionNotFound, NotHost, SessionFinished, NotStarted, RoundRunning.
    """
    table = table_lock_to_deal(session_id=session_id, player_id=player_id)
    session = table.session
    if session.status == SessionStatus.LOBBY:
        raise NotStarted()
    if session.status == SessionStatus.PLAYING:
        raise RoundRunning(round=session.round_number)
    _deal(table, client_seed=client_seed)
    return table


@atomic_retried
def session_finish(*, session_id: UUID, player_id: UUID) -> Table:
    """End the session; its totals end here.

    Raises SessionNotFound, NotHost, SessionFinished, RoundRunning.
    """
    table = table_lock_as_host(session_id=session_id, player_id=player_id)
    session = table.session
    if session.status == SessionStatus.PLAYING:
        raise RoundRunning(round=session.round_number)
    session_close(table)
    change_finish(table, None, Change(type=ChangeType.FINISHED), new_turn=False)
    return table


def _deal(
    table: Table, *, client_seed: str | None, given_deal: Mapping[str, Any] | None = None
) -> None:
    open_seats_fill(table)
    live = round_open(table, client_seed=client_seed, given_deal=given_deal)
    change_finish(table, live, Change(type=ChangeType.DEALT), new_turn=True)
