"""Reading a table: as fresh as its lock, and the same by the prepared SQL as by the ORM."""

from __future__ import annotations

import threading
import time

from django.db import connection, transaction

from games.models import Seat, Session
from games.selectors.tables import table_for_service
from tests.clients import Api


def test_who_waited_for_the_lock_reads_what_was_committed_meanwhile(api: Api) -> None:
    session = api.open_table(start=False).row()
    locked = threading.Event()

    def change() -> None:
        with transaction.atomic():
            table_for_service(session_id=session.id, lock=True)
            locked.set()
            time.sleep(0.3)
            Session.objects.filter(pk=session.pk).update(version=7)
            Seat.objects.filter(session_id=session.pk, number=2).update(total=99)
        connection.close()

    other = threading.Thread(target=change)
    other.start()
    assert locked.wait(5)
    with transaction.atomic():
        table = table_for_service(session_id=session.id, lock=True)
    other.join()
    assert table is not None
    assert (table.session.version, table.seats[2].total) == (7, 99)


def test_the_prepared_read_gives_what_the_orm_gives(api: Api) -> None:
    session = api.open_table(options={"client_seed": "字"}).row()
    table = table_for_service(session_id=session.id)
    assert table is not None
    names = [field.attname for field in Session._meta.concrete_fields]
    assert [getattr(table.session, name) for name in names] == [
        getattr(session, name) for name in names
    ]
    assert not table.session._state.adding
    assert [seat.number for seat in table.seats] == [0, 1, 2, 3]
    assert list(Seat.objects.filter(session=session)) == table.seats
    assert [seat.player_name for seat in table.seats] == [
        api.player["display_name"],
        None,
        None,
        None,
    ]
