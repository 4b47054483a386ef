"""A player's own data: all of it in the export, none of it left after the deletion."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone

from bots.services import bot_turn_play
from config.models import StoredAnswer
from games.models import Member, Move, Round, Seat
from games.services.changes import bots_asked_again
from players.models import Ban, Device, Player
from scoring.models import LedgerEntry, RoundFacts, Standing
from tests.clients import Api, People, Table
from tests.once import once
from tests.openapi import document, faults
from tests.races import another_transaction, in_threads, wait_for_waiting

Json = dict[str, Any]

NAME, USERNAME, AGENT = "Mei of the Nine Gates", "nine_gates_mei", "GatesApp/9 (phone)"


def export(api: Api) -> Json:
    """The document, held against the OpenAPI document; it is streamed."""
    url = "/api/v1/players/me/export/"
    response = api.client.get(url, headers={"Authorization": f"Bearer {api.token}"})
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "application/json"
    exported: Json = json.loads(b"".join(response.streaming_content))
    assert faults({"$ref": "#/components/schemas/PlayerExport"}, exported) == []
    return exported


def somebody() -> Api:
    """With a name, a username, a second device, a log entry and stored answers."""
    api = Api.guest()
    assert api.call("PATCH", "players/me/", {"display_name": NAME}).status == 200
    credentials = {"username": USERNAME, "password": "seven little dragons"}
    claimed = api.post("players/me/claim/", credentials, Idempotency_Key="claim-1")
    assert claimed.status == 200
    assert Api().post("auth/login/", credentials, User_Agent=AGENT).status == 200
    player = Player.objects.get(pk=api.player["id"])
    LogEntry.objects.create(
        user=player,
        content_type=ContentType.objects.get_for_model(Player),
        object_id=str(player.pk),
        object_repr=NAME,
        action_flag=CHANGE,
        change_message="said to be rude",
    )
    return api


def somebody_who_has_played() -> tuple[Api, Table]:
    api = somebody()
    return api, played(api)


@pytest.fixture
def mei(transactional_db: Any) -> Api:
    return once(somebody)


def played(api: Api) -> Table:
    """A finished round and a running one, of one table."""
    table = api.open_table(options={"bot_delay_ms": 0})
    table.play_round()
    assert table.post("rounds/", Idempotency_Key="deal-2").status == 201
    table.bots_play()
    assert table.follow_hint().status == 201
    return table


# --- the export ---


def test_everything_of_the_player_is_in_the_export(mei: Api) -> None:
    table = played(mei)
    left = mei.open_table(seats=[{"kind": "open"}, {"kind": "bot"}, {"kind": "bot"}], start=False)
    assert left.post("leave/").status == 200
    me = mei.player["id"]
    exported = export(mei)
    player = Player.objects.get(pk=me)
    assert exported["player"] == {
        "id": me,
        "username": USERNAME,
        "display_name": NAME,
        "language": "en",
        "is_active": True,
        "is_staff": False,
        "is_superuser": False,
        "last_login": None,
        "created_at": mei.player["created_at"],
        "deleted_at": None,
    }
    assert AGENT in [device["name"] for device in exported["devices"]]
    assert len(exported["devices"]) == Device.objects.filter(user=player).count() == 2
    assert [entry["change_message"] for entry in exported["operator_log"]] == ["said to be rude"]
    assert {seat["session_id"] for seat in exported["seats"]} == {table.id}
    assert {one["session_id"] for one in exported["memberships"]} == {table.id, left.id}
    assert {session["id"] for session in exported["sessions"]} == {table.id, left.id}
    rounds = exported["rounds"]
    assert [(r["number"], r["points"] is None, r["settled_at"] is None) for r in rounds] == [
        (1, False, False),
        (2, True, True),
    ]
    for one in rounds:
        seat = one["seat"]
        own = Move.objects.filter(round__session_id=table.id, seat=seat, actor="person")
        own = own.filter(round__number=one["number"]).order_by("number")
        assert [m["number"] for m in one["moves"]] == [m.number for m in own]
        assert len(one["moves"]) > 0
    for section, rows in (
        ("ledger", LedgerEntry.objects.filter(player=player)),
        ("round_facts", RoundFacts.objects.filter(entry__player=player)),
        ("standings", Standing.objects.filter(player=player)),
        ("stored_answers", StoredAnswer.objects.filter(player=player)),
    ):
        assert len(exported[section]) == rows.count() > 0, section
    assert exported["ledger"][0]["amount"] == rounds[0]["points"]
    assert {answer["key"] for answer in exported["stored_answers"]} == {"claim-1", "deal-2"}


def test_no_secret_is_in_it_and_nothing_of_others(
    mei: Api, stranger: Api, transactional_db: Any
) -> None:
    people = People.at_a_table("big-two-tw", others=1)
    host, guest = people.tables
    exported = json.dumps(export(host.api))
    row = Player.objects.get(pk=host.api.player["id"])
    device = Device.objects.get(user=row)
    for secret in (row.password, device.digest, device.token_key, host.api.token):
        assert secret not in exported
    assert bytes(Round.objects.get(session_id=host.id).server_seed).hex() not in exported
    theirs = set(guest.state()["you"]["hand"])
    assert not [card for card in theirs if f'"{card}"' in exported]


def test_a_table_that_may_no_longer_be_seen_is_a_membership_and_no_more(
    api: Api, stranger: Api
) -> None:
    table = api.open_table(seats=[{"kind": "open"}] * 3, start=False)
    code = table.get().json["join_code"]
    assert stranger.post("sessions/join/", {"code": code}).status == 200
    assert stranger.post(f"sessions/{table.id}/leave/").status == 200
    assert stranger.get(f"sessions/{table.id}/").status == 404
    exported = export(stranger)
    assert [one["session_id"] for one in exported["memberships"]] == [table.id]
    assert (exported["sessions"], exported["seats"], exported["rounds"]) == ([], [], [])
    assert api.player["display_name"] not in json.dumps(exported)


def test_bans_are_in_it_with_their_reason_and_without_who_gave_them(mei: Api) -> None:
    player = Player.objects.get(pk=mei.player["id"])
    operator = Player.objects.create(display_name="Operator", is_staff=True)
    Ban.objects.create(
        player=player,
        reason="cheated",
        banned_by=operator,
        lifted_by=operator,
        lifted_at=timezone.now(),
        lift_reason="did not",
    )
    exported = export(mei)
    assert [(ban["reason"], ban["lift_reason"]) for ban in exported["bans"]] == [
        ("cheated", "did not")
    ]
    assert str(operator.pk) not in json.dumps(exported)


def test_many_rounds_take_few_queries(api: Api, django_assert_max_num_queries: Any) -> None:
    table = api.open_table(game="chinese-poker", options={"bot_delay_ms": 0})
    table.play_on()
    with django_assert_max_num_queries(30) as one:
        export(api)
    for _ in range(3):
        assert table.post("rounds/").status == 201
        table.play_on()
    with django_assert_max_num_queries(30) as four:
        assert len(export(api)["rounds"]) == 4
    assert len(four) == len(one)


def test_it_is_for_the_player_alone(anonymous: Api) -> None:
    assert anonymous.get("players/me/export/").status == 401


# --- the deletion ---


def test_nothing_personal_is_left_in_any_table(mei: Api) -> None:
    played(mei)
    assert found_anywhere(NAME, USERNAME, AGENT)
    assert mei.call("DELETE", "players/me/").status == 204
    assert found_anywhere(NAME, USERNAME, AGENT, "said to be rude") == []
    assert mei.get("players/me/export/").status == 401
    assert not Device.objects.filter(user_id=mei.player["id"]).exists()
    assert not StoredAnswer.objects.filter(player_id=mei.player["id"]).exists()


def found_anywhere(*texts: str) -> list[str]:
    """The tables where one of these texts stands, in any column."""
    from django.db import connection

    found = []
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            for text in texts:
                cursor.execute(
                    f'SELECT count(*) FROM "{table}" AS row WHERE row::text LIKE %s',
                    [f"%{text}%"],
                )
                if cursor.fetchone()[0]:
                    found.append(f"{table}: {text}")
    return found


def test_the_matches_of_others_stay_whole(transactional_db: Any) -> None:
    people = People.at_a_table("big-two-tw", others=1, options={"bot_delay_ms": 0})
    host, guest = people.tables
    people.play_on()
    assert host.api.call("PATCH", "players/me/", {"display_name": NAME}).status == 200
    before = guest.get("rounds/1/").json
    assert host.api.call("DELETE", "players/me/").status == 204
    assert guest.get("rounds/1/").json == before
    own = guest.api.get("players/me/rounds/").json["results"]
    assert own[0]["seats"][0] == {
        "seat": 0,
        "player": {"id": host.api.player["id"], "display_name": "Deleted player"},
    }
    exported = export(guest.api)
    assert len(exported["rounds"]) == len(exported["ledger"]) == 1
    assert NAME not in json.dumps(exported)


def test_no_answer_that_others_were_given_names_who_is_deleted(api: Api, stranger: Api) -> None:
    """Nor by an older name. All else in the answers stays, and so does another of that name."""
    table = api.open_table(seats=[{"kind": "open"}] * 3, start=False)
    code = {"code": table.get().json["join_code"]}
    namesake = Api.guest()
    assert namesake.call("PATCH", "players/me/", {"display_name": NAME}).status == 200
    assert namesake.post("sessions/join/", code).status == 200
    answers = {}
    for name in ("The old name", NAME, 'A "quoted\\" 梅'):
        assert api.call("PATCH", "players/me/", {"display_name": name}).status == 200
        answers[name] = stranger.post("sessions/join/", code, Idempotency_Key=name[:5])
        assert answers[name].json["seats"][0]["player"]["display_name"] == name
    left = stranger.post(f"sessions/{table.id}/leave/", Idempotency_Key="leave")
    assert (left.status, api.call("DELETE", "players/me/").status) == (200, 204)
    for name, first in answers.items():
        again = stranger.post("sessions/join/", code, Idempotency_Key=name[:5])
        own = json.dumps({"id": api.player["id"], "display_name": name}, ensure_ascii=False)
        assert own.replace(": ", ":").replace(", ", ",") in first.bytes.decode()
        first.json["seats"][0]["player"]["display_name"] = "Deleted player"
        assert again.json == first.json
        assert len(again.bytes) == len(first.bytes) + len("Deleted player") - len(
            json.dumps(name, ensure_ascii=False)[1:-1].encode()
        )
    again = stranger.post(f"sessions/{table.id}/leave/", Idempotency_Key="leave")
    left.json["seats"][0]["player"]["display_name"] = "Deleted player"
    assert again.json == left.json
    exported = json.dumps(export(stranger)["stored_answers"], ensure_ascii=False)
    assert [name for name in answers if name in exported] == [NAME]  # the namesake's


def test_an_answer_that_is_being_given_meanwhile_names_nobody_who_is_deleted(
    transactional_db: Any,
) -> None:
    people = People.at_a_table("thirteen", others=1, options={"bot_delay_ms": 0})
    mei, mate = people.tables
    assert mei.api.call("PATCH", "players/me/", {"display_name": NAME}).status == 200
    with in_threads(2) as begin, another_transaction() as held:
        held("SELECT * FROM games_seat FOR UPDATE")
        giving = begin(lambda: mate.post("autoplay/", {"enabled": True}, Idempotency_Key="auto"))
        wait_for_waiting(1)
        deleting = begin(lambda: mei.api.call("DELETE", "players/me/"))
        wait_for_waiting(2)
    assert (giving.result().status, deleting.result().status) == (200, 204)
    assert giving.result().json["seats"][0]["player"]["display_name"] == NAME
    assert NAME not in StoredAnswer.objects.get(player_id=mate.api.player["id"]).body


def test_a_round_that_is_running_is_played_out_and_booked(mei: Api) -> None:
    table = played(mei)
    assert mei.call("DELETE", "players/me/").status == 204
    while asked := bots_asked_again(table.row()):
        for turn, seat in asked:
            assert bot_turn_play(session_id=table.row().id, turn=turn, seat=seat)
    assert Round.objects.filter(session_id=table.id, status="settled").count() == 2
    assert LedgerEntry.objects.filter(player_id=mei.player["id"]).count() == 2


# --- every place where a player is named ---

EXPORTED = "in the export"
DELETED = "in the export, and deleted with the player"
HIDDEN = "a secret, or a serial number that says nothing"
STAFF = "says which of the staff acted: theirs, and the service's own record"

# Model, and what becomes of each of its columns. A column that is not named is "in the export".
KNOWN: dict[str, dict[str, str]] = {
    "players.Player": {
        "password": HIDDEN,
        "device_secret_hash": HIDDEN,
        "groups": "rights of the staff, taken away with the deletion",
        "user_permissions": "rights of the staff, taken away with the deletion",
    },
    "players.Device": {"digest": HIDDEN, "token_key": HIDDEN, "user": DELETED},
    "players.Ban": {"id": HIDDEN, "player": DELETED, "banned_by": STAFF, "lifted_by": STAFF},
    "config.StoredAnswer": {"id": HIDDEN, "player": DELETED, "fingerprint": HIDDEN},
    "admin.LogEntry": {
        "id": HIDDEN,
        "user": STAFF,
        "content_type": HIDDEN,
        "object_id": "the player's own id, which anonymous rows keep",
    },
    "games.Seat": {
        "id": HIDDEN,
        "player": "the player's own id, which anonymous rows keep",
        "kind": "human, where a player sits",
        "bot_level": "empty, where a player sits",
    },
    "games.Member": {"id": HIDDEN, "player": "the player's own id, which anonymous rows keep"},
    "scoring.LedgerEntry": {
        "player": "the player's own id, which anonymous rows keep",
        "booked_by": STAFF,
    },
    "scoring.RoundFacts": {},
    "scoring.Standing": {"id": HIDDEN, "player": "the player's own id, which anonymous rows keep"},
}
SECTIONS = {
    "players.Player": "player",
    "players.Device": "devices",
    "players.Ban": "bans",
    "config.StoredAnswer": "stored_answers",
    "admin.LogEntry": "operator_log",
    "games.Seat": "seats",
    "games.Member": "memberships",
    "scoring.LedgerEntry": "ledger",
    "scoring.RoundFacts": "round_facts",
    "scoring.Standing": "standings",
}
# They name a player among much that is everybody's; the export has their shape of the contract.
SHARED = {
    "games.Session": ["host"],  # `sessions`: as the player may see it
    "games.Round": ["players"],  # `rounds`: what the player's seat did
}
# A UUID that is no player.
OTHER_IDS = {
    "players.Player.id": "the player's own row",
    "players.Device.public_id": "the device",
    "games.Session.id": "the session",
    "scoring.LedgerEntry.public_id": "the entry",
    "scoring.LedgerEntry.session_id": "the session",
    "scoring.Standing.best_session": "the session",
}


def names_a_player(field: models.Field[Any, Any]) -> bool:
    """Whether it is a key to a player, or could be a player's id without a key."""
    if field.related_model is Player:
        return True
    inner = field.base_field if isinstance(field, ArrayField) else field
    key = f"{field.model._meta.label}.{field.name}"
    return isinstance(inner, models.UUIDField) and key not in OTHER_IDS


def models_about_players() -> dict[str, type[models.Model]]:
    """Those that name a player, and those that hang on one of them by a key that is their own."""
    found = {"players.Player": Player, "scoring.RoundFacts": RoundFacts}
    for model in apps.get_models(include_auto_created=True):
        if any(names_a_player(field) for field in model._meta.get_fields() if field.concrete):
            found[model._meta.label] = model
    return found


def test_every_model_that_names_a_player_is_known() -> None:
    rights = {"players.Player_groups", "players.Player_user_permissions"}
    assert set(models_about_players()) == {*KNOWN, *SHARED, *rights}
    assert set(KNOWN) == set(SECTIONS)
    for label, names in SHARED.items():
        fields = [field for field in apps.get_model(label)._meta.get_fields() if field.concrete]
        assert [field.name for field in fields if names_a_player(field)] == names


def test_other_models_hold_no_text_that_a_player_wrote() -> None:
    """What people write stands in models that are known, or is named here with its reason."""
    known = {
        "games.Session.client_seed": "part of the proof of everybody's deal",
        "games.Round.client_seed": "part of the proof of everybody's deal",
    }
    typed = ("client_seed", "display_name", "username", "reason", "message", "name", "text", "note")
    found = {
        f"{model._meta.label}.{field.name}"
        for model in apps.get_models()
        if model._meta.app_label in ("config", "players", "scoring", "games", "bots")
        and model._meta.label not in KNOWN
        for field in model._meta.get_fields()
        if field.concrete and field.name.endswith(typed)
    }
    assert found == set(known)


@pytest.mark.parametrize("label", KNOWN)
def test_every_column_is_in_the_export_or_has_a_reason_not_to_be(
    transactional_db: Any, label: str
) -> None:
    mei, table = once(somebody_who_has_played)
    player = Player.objects.get(pk=mei.player["id"])
    operator = Player.objects.create(display_name="Operator", is_staff=True)
    Ban.objects.create(
        player=player,
        reason="cheated",
        banned_by=operator,
        lifted_by=operator,
        lifted_at=timezone.now(),
        lift_reason="did not",
    )
    assert Seat.objects.filter(session_id=table.id, player=player).exists()
    assert Member.objects.filter(session_id=table.id, player=player).exists()
    section = export(mei)[SECTIONS[label]]
    (row, *_) = section if isinstance(section, list) else [section]
    fields = [field for field in apps.get_model(label)._meta.get_fields() if field.concrete]
    assert set(KNOWN[label]) <= {field.name for field in fields}
    expected = {
        getattr(field, "attname", field.name)
        for field in fields
        if KNOWN[label].get(field.name, EXPORTED) == EXPORTED
    }
    assert set(row) == expected


def test_the_sections_are_those_of_the_document() -> None:
    properties = document()["components"]["schemas"]["PlayerExport"]["properties"]
    assert set(properties) == {*SECTIONS.values(), "sessions", "rounds"}
