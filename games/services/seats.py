"""Seats: who sits down, who gets up, and the code by which a table is found.

All but the locks inside the caller's transaction and session lock.
"""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import Final
from uuid import UUID

from games import clock
from games.errors import NotHost, SessionFinished
from games.models import Member, Round, Seat, SeatKind, Session, SessionStatus
from games.selectors.changes import waits_for_host_since
from games.selectors.clocks import is_absent
from games.selectors.tables import Table, table_get

# No letters and digits that look alike: 0 O, 1 I L, 2 Z, 5 S, 8 B, U V.
CODE_ALPHABET: Final = "ACDEFGHJKMNPQRTWXY34679"
CODE_LENGTH: Final = 6

# No table stands still for a host who has gone without a word.
HOST_MAY_TAKE: Final = timedelta(minutes=2)


def table_lock_as_host(*, session_id: UUID, player_id: UUID) -> Table:
    """The table, locked, for its host. Raises SessionNotFound, NotHost, SessionFinished."""
    table = table_get(session_id=session_id, player_id=player_id, lock=True)
    if table.session.host_id != player_id:
        raise NotHost()
    if table.session.status == SessionStatus.FINISHED:
        raise SessionFinished()
    return table


def table_lock_to_deal(*, session_id: UUID, player_id: UUID) -> Table:
    """The table, locked, for who may deal: its host, or, once the host has let the table wait, who
    sits there and asks first. That is the host from then on.

    Raises SessionNotFound, NotHost (with the time to go), SessionFinished.
    """
    table = table_get(session_id=session_id, player_id=player_id, lock=True)
    session = table.session
    if session.host_id != player_id:
        if table.seat is None or session.status in (SessionStatus.PLAYING, SessionStatus.FINISHED):
            raise NotHost()
        to_go = waits_for_host_since(table) + HOST_MAY_TAKE - clock.now()
        if to_go > timedelta():
            raise NotHost(wait_ms=round(to_go / timedelta(milliseconds=1)))
        session.host_id = player_id
    if session.status == SessionStatus.FINISHED:
        raise SessionFinished()
    return table


def humans(table: Table) -> list[Seat]:
    """The seats where people sit."""
    return [seat for seat in table.seats if seat.kind == SeatKind.HUMAN]


def host_hand_on(table: Table, *, after: int) -> None:
    """The next person in the order of the seats is host, best one who is there; if any."""
    people = humans(table)
    present = [seat for seat in people if not is_absent(seat)] or people
    following = [seat for seat in present if seat.number > after] or present
    if following and (player_id := following[0].player_id):
        table.session.host_id = player_id


def join_code_draw() -> str:
    """A code that no unfinished session has."""
    while True:
        code = "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))
        if not Session.objects.filter(join_code=code).exists():
            return code


def seat_take(session: Session, seat: Seat, *, player_id: UUID) -> None:
    """The player sits down on an open seat, with the total that they left the table with."""
    member, _ = Member.objects.get_or_create(session=session, player_id=player_id)
    if not member.reads:
        member.reads = True
        member.save(update_fields=["reads"])
    _seat_set(seat, SeatKind.HUMAN, player_id=player_id, total=member.total)


def seat_take_back(seat: Seat, *, player_id: UUID) -> None:
    """Who was dealt the hand of this seat plays it on, instead of the bot."""
    _seat_set(seat, SeatKind.HUMAN, player_id=player_id, total=seat.total)


def seat_vacate(session: Session, seat: Seat, *, player_id: UUID, removed: bool = False) -> None:
    """The seat that was this player's is open. They keep their total, and what they played."""
    dealt = Round.objects.filter(session_id=session.id, players__contains=[player_id]).exists()
    Member.objects.filter(session_id=session.id, player_id=player_id).update(
        reads=dealt, total=seat.total, removed=removed
    )
    seat_open(session, seat)


def seat_open(session: Session, seat: Seat) -> None:
    """Let the seat be free, without a total, and the table be found by a code."""
    _seat_set(seat, SeatKind.OPEN, total=0)
    if session.join_code is None:
        session.join_code = join_code_draw()


def seat_to_bot(seat: Seat, *, level: str) -> None:
    """A bot plays this seat from now on, with its total: of who has just left, or of a bot."""
    _seat_set(seat, SeatKind.BOT, level=level, total=seat.total)


def open_seats_fill(table: Table) -> None:
    """A bot on every open seat."""
    for seat in table.seats:
        if seat.kind == SeatKind.OPEN:
            seat_to_bot(seat, level=table.session.options["bot_level"])


def _seat_set(
    seat: Seat, kind: SeatKind, *, total: int, player_id: UUID | None = None, level: str = ""
) -> None:
    seat.kind, seat.player_id, seat.bot_level, seat.total = kind, player_id, level, total
    seat.autoplay, seat.timeouts = False, 0
    seat.save()
