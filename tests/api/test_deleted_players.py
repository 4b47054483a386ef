"""Who deletes the account leaves every table; nobody waits for them, and nothing is lost."""

from __future__ import annotations

from games.models import SessionStatus
from scoring.models import LedgerEntry
from tests.clients import Api, Table


def test_a_round_is_played_on_by_bots_settled_once_and_ends_the_session(api: Api) -> None:
    table = api.open_table(options={"bot_delay_ms": 0})
    table.bots_play()
    lobby = api.open_table(start=False)
    assert api.call("DELETE", "players/me/").status == 204
    assert lobby.row().status == SessionStatus.FINISHED
    assert table.row().bot_due_at is not None
    play_bots_out(table)
    assert table.row().status == SessionStatus.FINISHED
    assert LedgerEntry.objects.filter(session_id=table.id).count() == 1
    assert str(LedgerEntry.objects.get(session_id=table.id).player_id) == api.player["id"]


def test_the_others_go_on_under_another_host(api: Api, stranger: Api) -> None:
    seats = [{"kind": "open"}, {"kind": "bot"}, {"kind": "bot"}]
    table = api.open_table(seats=seats, start=False, visibility="public")
    assert stranger.post(f"sessions/{table.id}/join/").status == 200
    assert table.post("start/").status == 200
    assert api.call("DELETE", "players/me/").status == 204
    session = stranger.get(f"sessions/{table.id}/").json
    assert session["host"] == stranger.player["id"]
    assert [seat["kind"] for seat in session["seats"]] == ["bot", "human", "bot", "bot"]


def play_bots_out(table: Table) -> None:
    """Let the bots act to the end, without anybody's API."""
    from bots.services import bot_turn_play
    from games.services.changes import bots_asked_again

    while asked := bots_asked_again(table.row()):
        for turn, seat in asked:
            assert bot_turn_play(session_id=table.row().id, turn=turn, seat=seat)
