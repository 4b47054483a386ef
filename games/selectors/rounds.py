"""Settled rounds in short: of one session, and of one player over all sessions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Any
from uuid import UUID

from django.db.models import F, Q, QuerySet

from games.clock import moment
from games.models import Round, RoundStatus
from games.selectors.tables import Table
from players.selectors import display_names
from scoring.selectors import settlements_of

# Read out of the settlement one by one: the hands and the working of a list stay where they are.
SHORT = ("winner", "points", "totals", "positions")


def rounds_settled(table: Table) -> QuerySet[Round]:
    """The settled rounds of a session in short: no deals, no hands, no moves."""
    return _in_short(Round.objects.filter(session_id=table.session.id, status=RoundStatus.SETTLED))


def _in_short(rounds: QuerySet[Round]) -> QuerySet[Round]:
    found = {name: F(f"outcome__{name}") for name in SHORT}
    return rounds.defer("deals", "outcome", "server_seed", "client_seed").annotate(**found)


def round_card(round_: Any) -> dict[str, Any]:
    """A settled round in short."""
    return {
        "number": round_.number,
        **{name: getattr(round_, name) for name in SHORT},
        "moves": round_.move_count,
        "started_at": moment(round_.created_at),
        "settled_at": moment(round_.settled_at),
    }


def bookings_filtered(
    *,
    player_id: UUID,
    game: str | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
) -> QuerySet[Any]:
    """The ledger's entries of the rounds that this player was dealt, one a round.

    They are the index of the own rounds, in the order of their settlements; `since` and `until`
    bound the time of those.
    """
    return settlements_of(player_id=player_id, game=game, since=since, until=until)


def rounds_booked(bookings: Iterable[Any], rounds: QuerySet[Round]) -> dict[tuple[UUID, int], Any]:
    """Those of the rounds that these bookings are of, by session and number, in one query."""
    keys = [Q(session_id=entry.session_id, number=entry.round_number) for entry in bookings]
    if not keys:
        return {}
    found = rounds.filter(reduce(or_, keys))
    return {(round_.session_id, round_.number): round_ for round_ in found}


def own_round_cards(bookings: Sequence[Any]) -> list[dict[str, Any]]:
    """The player's rounds in short, with who was dealt which seat, in the order of the bookings."""
    rounds = rounds_booked(bookings, _in_short(Round.objects.all()))
    dealt = {player for round_ in rounds.values() for player in round_.players if player}
    names = display_names(player_ids=dealt)
    return [
        _own_card(entry, rounds[entry.session_id, entry.round_number], names) for entry in bookings
    ]


def _own_card(entry: Any, round_: Any, names: Mapping[UUID, str]) -> dict[str, Any]:
    return {
        "session_id": str(entry.session_id),
        "game": entry.game,
        "seat": entry.seat,
        "balance": entry.balance,
        "seats": [
            {
                "seat": seat,
                "player": player and {"id": str(player), "display_name": names[player]},
            }
            for seat, player in enumerate(round_.players)
        ],
        **round_card(round_),
    }
