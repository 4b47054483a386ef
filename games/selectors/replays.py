"""Settled rounds complete: what anyone needs to see them again, and to verify them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, Final

from django.db.models import Q, QuerySet

from games.clock import moment
from games.errors import RoundNotFound, RoundRunning
from games.models import Move, Round, RoundStatus
from games.rules.dealing import commitment
from games.rules.moves import move_from_json
from games.rules.record import FINGERPRINT, deal_to_json, fingerprint
from games.selectors.history import move_card
from games.selectors.live import deal_from_json, variant_of
from games.selectors.rounds import rounds_booked
from games.selectors.states import settlement_of
from games.selectors.tables import Table

ROUNDS_AT_ONCE: Final = 25
"""So many rounds of an export are in memory at the same time."""


def round_replay(table: Table, *, number: int) -> dict[str, Any]:
    """A settled round of this table complete. Raises RoundNotFound, RoundRunning."""
    rounds = Round.objects.filter(session_id=table.session.id, number=number)
    rounds = rounds.exclude(status=RoundStatus.VOIDED)
    round_ = rounds.select_related("session").first()
    if round_ is None:
        raise RoundNotFound(round=number)
    if round_.status != RoundStatus.SETTLED:
        raise RoundRunning(round=number)
    return replay_of(round_, list(Move.objects.filter(round_id=round_.id).order_by("number")))


def replays_booked(bookings: QuerySet[Any]) -> Iterator[dict[str, Any]]:
    """The rounds of these bookings complete, the oldest first, read a few at a time."""
    ordered = bookings.order_by("created_at", "id")
    some = list(ordered[:ROUNDS_AT_ONCE])
    while some:
        yield from _replays(some)
        last = some[-1]
        later = Q(created_at__gt=last.created_at) | Q(created_at=last.created_at, id__gt=last.id)
        some = list(ordered.filter(later)[:ROUNDS_AT_ONCE])


def _replays(bookings: Sequence[Any]) -> Iterator[dict[str, Any]]:
    rounds = rounds_booked(bookings, Round.objects.select_related("session"))
    moves = defaultdict(list)
    ids = [round_.id for round_ in rounds.values()]
    for move in Move.objects.filter(round_id__in=ids).order_by("round_id", "number"):
        moves[move.round_id].append(move)
    for entry in bookings:
        round_ = rounds[entry.session_id, entry.round_number]
        yield replay_of(round_, moves[round_.id])


def replay_of(round_: Round, moves: Sequence[Move]) -> dict[str, Any]:
    """The contract's replay. Seeds, deals and moves are stored; all else follows from them."""
    settlement = settlement_of(round_)
    assert settlement is not None, "the round is settled"
    variant, seed = variant_of(round_.session), bytes(round_.server_seed)
    made = defaultdict(list)
    for move in moves:
        made[move.deal].append((move.seat, move_from_json(move.data)))
    record = {
        "session_id": str(round_.session_id),
        "game": round_.session.game,
        "number": round_.number,
        "rules_revision": round_.rules_revision,
        "server_seed": seed.hex(),
        "client_seed": round_.client_seed,
        "commitment": commitment(seed),
        "players": [None if player is None else str(player) for player in round_.players],
        "totals_before": [
            total - points
            for total, points in zip(settlement["totals"], settlement["points"], strict=True)
        ],
        "deals": [
            deal_to_json(variant, deal_from_json(deal), made[number])
            for number, deal in enumerate(round_.deals, start=1)
        ],
        "moves": [move_card(move) for move in moves],
        "settlement": settlement,
        "started_at": moment(round_.created_at),
        "settled_at": moment(round_.settled_at),
    }
    return {**record, FINGERPRINT: fingerprint(record)}
