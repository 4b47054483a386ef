"""Holding what the service says against what was played. All raise PlayError where it differs."""

from __future__ import annotations

import hashlib
from typing import Any

from config.playing.errors import require


def review_round(
    number: int, *, commitment: str, settlement: dict[str, Any], replay: dict[str, Any], moves: int
) -> None:
    """The settlement of a round that was dealt under `commitment`, and its replay."""
    seed = settlement["server_seed"]
    require(
        hashlib.sha256(bytes.fromhex(seed)).hexdigest() == commitment,
        f"The server seed {seed} of round {number} is not the one committed to.",
    )
    points = settlement["points"]
    require(sum(points) == 0, f"The points {points} of round {number} do not add up to 0.")
    require(
        settlement == replay["settlement"],
        f"The replay of round {number} shows another settlement than the state did.",
    )
    numbers = [move["number"] for move in replay["moves"]]
    require(
        numbers == list(range(1, moves + 1)),
        f"The replay of round {number} has the moves {numbers}; its log had {moves}.",
    )


def review_history(
    session: dict[str, Any],
    *,
    rounds: list[dict[str, Any]],
    newest: list[dict[str, Any]],
    settlements: list[dict[str, Any]],
) -> None:
    """The finished session, its settled rounds in order, and the list of the own sessions."""
    require(
        (session["status"], session["rounds_played"]) == ("finished", len(settlements)),
        f"The session is {session['status']} after {session['rounds_played']} rounds.",
    )
    require(newest == [session], "The finished session is not the newest of the own ones.")
    listed = [(entry["number"], entry["points"], entry["totals"]) for entry in rounds]
    played = [
        (number, settlement["points"], settlement["totals"])
        for number, settlement in enumerate(settlements, start=1)
    ]
    require(listed == played, f"The list of rounds says {listed}; played was {played}.")


def review_scores(
    score: dict[str, Any], *, ledger: list[dict[str, Any]], points: list[int]
) -> None:
    """The score in the game, and the ledger from the oldest booking on, of a player whose only
    session gave these points."""
    settled = [entry for entry in ledger if entry["kind"] == "settlement"]
    booked = [(entry["round"], entry["amount"]) for entry in settled]
    played = list(enumerate(points, start=1))
    require(booked == played, f"The ledger has booked {booked}; played was {played}.")
    figures = [entry["balance"] for entry in ledger]
    if score["balance"] is not None:  # a wallet, which counts as it was given too
        figures.append(ledger[0]["balance"] - ledger[0]["amount"])
    require(
        score["best"] == max(figures),
        f"The best score is {score['best']}; the ledger's figures are {figures}.",
    )
