"""What is one player's own across sessions: where to go on, and what was reached."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from games.clock import moment
from games.models import Seat, SessionStatus
from games.rules.registry import VARIANTS
from games.rules.variant import ScoreScope
from games.selectors.history import session_card
from games.selectors.states import must_act, state_get, urgency
from games.selectors.tables import sessions_to_resume
from scoring.selectors import standing_before, standings_of


def resume_list(*, player_id: UUID) -> list[dict[str, Any]]:
    """Every open session of the player: who must act first, then by the time left."""
    entries = []
    for table in sessions_to_resume(player_id=player_id):
        state = state_get(table)
        entry = {
            "session": session_card(table),
            "must_act": must_act(table, state),
            "remaining_ms": state["remaining_ms"],
            "version": state["version"],
        }
        entries.append((urgency(table, state), entry))
    entries.sort(key=lambda pair: pair[0])
    return [entry for _, entry in entries]


def own_scores(*, player_id: UUID) -> list[dict[str, Any]]:
    """Best, running total, balance, rounds and wins of the player in every game."""
    standings = standings_of(player_id=player_id)
    running: dict[str, Seat] = {}
    seats = (
        Seat.objects.filter(player_id=player_id, session__counts=True)
        .exclude(session__status=SessionStatus.FINISHED)
        .select_related("session")
        .order_by("session__created_at")
    )
    for seat in seats:
        running[seat.session.game] = seat
    scores = []
    for game, variant in VARIANTS.items():
        wallet = variant.info.score_scope is ScoreScope.WALLET
        standing = standings.get(game) or standing_before(wallet=wallet)
        seat_now = running.get(game)
        scores.append(
            {
                "game": game,
                "best": standing.best,
                "best_at": moment(standing.best_at),
                "best_session": standing.best_session and str(standing.best_session),
                "running_total": seat_now.total if seat_now else None,
                "running_session": str(seat_now.session_id) if seat_now else None,
                "balance": standing.balance,
                "rounds": standing.rounds,
                "wins": standing.wins,
            }
        )
    return scores
