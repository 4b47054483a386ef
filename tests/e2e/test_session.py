"""The main job over HTTP, with the bots in a real Celery worker."""

from __future__ import annotations

import hashlib

import psycopg

from tests.e2e.http_player import HttpTable


def test_a_session_from_the_guest_to_the_best_score(player):
    http = player.http
    created = http.post(
        "sessions/", json={"game": "big-two-tw", "start": False, "options": {"bot_delay_ms": 40}}
    )
    assert created.status_code == 201
    session = created.json()
    path = f"sessions/{session['id']}/"
    assert (session["status"], session["version"]) == ("lobby", 1)

    started = http.post(f"{path}start/", json={"client_seed": "mine"})
    assert (started.status_code, started.json()["status"]) == (200, "playing")
    settlements = [play_round(player, path, 1, session["next_commitment"])]
    promised = http.get(f"{path}state/").json()["next_commitment"]
    assert http.post(f"{path}rounds/", json={"client_seed": "mine too"}).status_code == 201
    settlements.append(play_round(player, path, 2, promised))

    finished = http.post(f"{path}finish/")
    assert (finished.status_code, finished.json()["status"]) == (200, "finished")
    assert http.get("sessions/").json()["results"] == [finished.json()]
    points = [settlement["points"] for settlement in settlements]
    totals = [sum(column) for column in zip(*points, strict=True)]
    assert settlements[1]["totals"] == totals
    assert [seat["total"] for seat in finished.json()["seats"]] == totals
    rounds = http.get(f"{path}rounds/").json()["results"]
    assert [(entry["number"], entry["points"]) for entry in rounds] == [
        (2, points[1]),
        (1, points[0]),
    ]
    ledger = http.get("players/me/ledger/").json()["results"]
    assert [(entry["amount"], entry["balance"]) for entry in ledger] == [
        (points[1][0], totals[0]),
        (points[0][0], points[0][0]),
    ]
    scores = http.get("players/me/scores/").json()["results"]
    score = next(score for score in scores if score["game"] == "big-two-tw")
    assert (score["best"], score["rounds"]) == (max(points[0][0], totals[0]), 2)
    assert http.get("players/me/resume/").json() == {"results": []}


def play_round(player, path, number, promised):
    """The settlement of a round whose log was checked."""
    table = HttpTable(player, path.split("/")[1])
    state = table.wait_for_turn(table.state())
    own_moves = 0
    while state["status"] == "playing":
        before = state["version"]
        state = table.act(state)
        own_moves += 1
        # The answer shows the own move and nothing after it: bots think elsewhere.
        assert state["version"] == before + 1
        assert state["status"] != "playing" or state["to_act"] == [1]
        state = table.wait_for_turn(state)
    log = table.log(round=number)
    assert [move["number"] for move in log] == list(range(1, len(log) + 1))
    actors = [(move["actor"], move["policy"] is None) for move in log if move["seat"] == 0]
    assert actors == [("person", True)] * own_moves
    assert {move["actor"] for move in log if move["seat"] != 0} == {"bot"}
    settlement = state["settlement"]
    assert sum(settlement["points"]) == 0
    seed = bytes.fromhex(settlement["server_seed"])
    assert hashlib.sha256(seed).hexdigest() == promised == state["commitment"]
    return settlement


ANSWERED_AFTER = """
    SELECT extract(epoch FROM bot.created_at - person.created_at)
    FROM games_move person
    JOIN games_move bot ON bot.round_id = person.round_id AND bot.number = person.number + 1
    JOIN games_round round ON round.id = person.round_id
    WHERE round.session_id = %s AND person.actor = 'person' AND bot.actor = 'bot'
    ORDER BY 1
"""


def test_time_from_a_stored_move_to_the_stored_answer_of_the_bot(player, service, capsys):
    table = player.open_table(bot_delay_ms=0)
    table.play_on(table.state(), moves=12)
    with psycopg.connect(service.environment["DATABASE_URL"]) as connection:
        rows = connection.execute(ANSWERED_AFTER, [table.id]).fetchall()
    times = [round(1000 * seconds) for (seconds,) in rows]
    assert times
    with capsys.disabled():
        print(f" [bot's answer: median {times[len(times) // 2]} ms of {times}] ", end="")
