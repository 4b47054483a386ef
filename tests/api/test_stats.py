"""Statistics over HTTP: the own ones, and those of others."""

from __future__ import annotations

from datetime import timedelta

import pytest

from players.models import Player
from players.services import player_ban
from scoring.results import Feats
from tests.api.test_deleted_players import play_bots_out
from tests.clients import Api
from tests.factories import PlayerFactory
from tests.scoring.rounds import NOW, book

NOTHING = {
    "rounds": 0,
    "wins": 0,
    "win_rate": None,
    "points": 0,
    "first": 0,
    "second": 0,
    "third": 0,
    "fourth": 0,
    "bombs": 0,
    "springs": 0,
    "sweeps": 0,
    "grand_slams": 0,
    "home_runs": 0,
    "fouls": 0,
    "specials": 0,
    "streak": 0,
    "longest_streak": 0,
}


def own(api: Api) -> Player:
    return Player.objects.get(pk=api.player["id"])


def test_who_has_played_nothing_has_nothing(api: Api) -> None:
    answer = api.get("players/me/stats/")
    assert answer.status == 200
    assert answer.json == {"player": api.player["id"], "overall": NOTHING, "games": []}


def test_all_that_was_done_per_game_and_in_all(api: Api, stranger: Api) -> None:
    player = own(api)
    feats = Feats(bombs=2, springs=1, sweeps=3, grand_slams=1, home_runs=1, fouls=1, specials=1)
    book([player], [5], [5], places=[1], feats=[feats])
    book([player], [3], [8], places=[2], at=NOW + timedelta(minutes=5))
    book([player], [-4], [4], places=[4])
    book([player], [20], game="dou-dizhu")
    answer = api.get("players/me/stats/").json
    done = {
        "bombs": 2,
        "springs": 1,
        "sweeps": 3,
        "grand_slams": 1,
        "home_runs": 1,
        "fouls": 1,
        "specials": 1,
    }
    assert answer["overall"] == {
        **{"rounds": 4, "wins": 3, "win_rate": 0.75, "points": 24},
        **{"first": 2, "second": 1, "third": 0, "fourth": 1, "streak": 1, "longest_streak": 2},
        **done,
    }
    two, landlord = answer["games"]
    assert two == {
        **{"game": "big-two-tw", "best": 8, "best_at": "2026-03-04T12:05:00Z"},
        **{"rounds": 3, "wins": 2, "win_rate": 0.6667, "points": 4},
        **{"first": 1, "second": 1, "third": 0, "fourth": 1, "streak": 0, "longest_streak": 2},
        **done,
    }
    assert (landlord["game"], landlord["best"], landlord["wins"]) == ("dou-dizhu", 1020, 1)
    assert stranger.get(f"players/{player.pk}/stats/").json == answer


def test_a_left_seat_counts_for_who_was_dealt_the_hand(api: Api) -> None:
    table = api.open_table(options={"bot_delay_ms": 0, "rounds": 1})
    table.bots_play()
    assert table.post("leave/").status == 200
    assert api.get("players/me/stats/").json["overall"] == NOTHING
    play_bots_out(table)
    assert api.get("players/me/stats/").json["overall"]["rounds"] == 1


def test_who_is_gone_or_was_never_there_has_no_public_statistics(api: Api, stranger: Api) -> None:
    book([own(stranger)], [5])
    path = f"players/{stranger.player['id']}/stats/"
    assert api.get(path).status == 200
    assert stranger.call("DELETE", "players/me/").status == 204
    assert api.get(path).code == "not_found"
    banned = PlayerFactory()
    player_ban(player=banned, reason="cheating", by=own(api))
    assert api.get(f"players/{banned.pk}/stats/").code == "not_found"
    assert api.get("players/00000000-0000-4000-8000-000000000000/stats/").code == "not_found"


@pytest.mark.parametrize(
    "path", ["players/me/stats/", "players/00000000-0000-4000-8000-000000000000/stats/"]
)
def test_without_a_token_there_are_none(anonymous: Api, path: str) -> None:
    assert anonymous.get(path).code == "not_authenticated"
