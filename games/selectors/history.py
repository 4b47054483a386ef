"""What has been: sessions in short, the move log, settled rounds and their replays."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Count, QuerySet

from games.clock import moment
from games.errors import RoundNotFound, RoundRunning
from games.models import Move, Round, RoundStatus, SeatKind, Session, SessionStatus
from games.rules import engine
from games.rules.cards import CARD_NAMES, card_names
from games.rules.dealing import commitment
from games.rules.moves import Arrange, Cut, Declare, move_from_json
from games.selectors.clocks import turn_seconds
from games.selectors.live import deal_from_json, variant_of
from games.selectors.states import next_commitment, player_card, settlement_of
from games.selectors.tables import Table, sessions_of, sessions_open

# What others answer to the same decision stays hidden until it is closed.
SECRET_TYPES = (Arrange.type, Declare.type, Cut.type)
MOVE_FIELDS = (
    "cards",
    "bid",
    "accept",
    "position",
    "front",
    "middle",
    "back",
    "accept_foul",
)


def session_card(table: Table) -> dict[str, Any]:
    """The contract's session: who sits where, what was agreed, how far it is.

    The join code is only for who sits there.
    """
    session = table.session
    playing = session.status == SessionStatus.PLAYING
    return {
        "id": str(session.id),
        "game": session.game,
        "status": session.status,
        "visibility": session.visibility,
        "version": session.version,
        "host": str(session.host_id),
        "join_code": session.join_code if table.seat is not None else None,
        "options": {**session.options, "turn_seconds": turn_seconds(table)},
        "seats": [
            {
                "seat": seat.number,
                "kind": seat.kind,
                "player": player_card(seat),
                "bot_level": seat.bot_level if seat.kind == SeatKind.BOT else None,
                "autoplay": seat.autoplay,
                "total": seat.total,
            }
            for seat in table.seats
        ],
        "rounds_played": session.round_number - playing,
        "rematch": None if session.rematch_id is None else str(session.rematch_id),
        "next_commitment": next_commitment(session),
        "created_at": moment(session.created_at),
        "finished_at": moment(session.finished_at),
    }


def sessions_filtered(
    *,
    player_id: UUID,
    only_open: bool = False,
    game: str | None = None,
    status: str | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
) -> QuerySet[Session]:
    """The player's sessions, or with `only_open` the public tables of all that have a free seat;
    `since` and `until` bound the time of their creation."""
    sessions = sessions_open() if only_open else sessions_of(player_id=player_id)
    filters = {
        "game": game,
        "status": status,
        "created_at__gte": since,
        "created_at__lt": until,
    }
    return sessions.filter(**{name: value for name, value in filters.items() if value is not None})


def move_card(move: Move) -> dict[str, Any]:
    """One move of the log: the flat body, and who made it when."""
    fields = {name: move.data.get(name) for name in MOVE_FIELDS}
    return {
        "number": move.number,
        "deal": move.deal,
        "turn": move.turn,
        "seat": move.seat,
        "type": move.data["type"],
        **fields,
        "pattern": move.pattern or None,
        "actor": move.actor,
        "policy": move.policy or None,
        "created_at": moment(move.created_at),
    }


def moves_log(
    table: Table, *, number: int | None = None, after: int = 0, limit: int = 500
) -> list[dict[str, Any]]:
    """The moves of a round (the current one if `number` is None) with a number above `after`.

    Raises RoundNotFound.
    """
    session = table.session
    wanted = session.round_number if number is None else number
    if number is None and wanted == 0:
        return []
    round_ = Round.objects.filter(session_id=session.id, number=wanted).only("id").first()
    if round_ is None:
        raise RoundNotFound(round=wanted)
    moves = Move.objects.filter(round_id=round_.id, number__gt=after).order_by("number")[:limit]
    return [move_card(move) for move in moves if not move_is_secret(move, table)]


def move_is_secret(move: Move, table: Table) -> bool:
    """Whether the viewer may not know it yet."""
    still_open = move.turn == table.session.turn
    return still_open and move.data["type"] in SECRET_TYPES and move.seat != table.seat


def rounds_settled(table: Table) -> QuerySet[Round]:
    """The settled rounds of a session, without deals and moves."""
    return (
        Round.objects.filter(session_id=table.session.id, status=RoundStatus.SETTLED)
        .defer("deals")
        .annotate(move_count=Count("moves"))
    )


def round_card(round_: Any) -> dict[str, Any]:
    """A settled round in short."""
    outcome = round_.outcome
    return {
        "number": round_.number,
        "winner": outcome["winner"],
        "points": outcome["points"],
        "totals": outcome["totals"],
        "positions": outcome["positions"],
        "moves": round_.move_count,
        "started_at": moment(round_.created_at),
        "settled_at": moment(round_.settled_at),
    }


def round_replay(table: Table, *, number: int) -> dict[str, Any]:
    """A settled round complete: seeds, deals, every move, the settlement with its working.

    Raises RoundNotFound, RoundRunning.
    """
    session = table.session
    round_ = Round.objects.filter(session_id=session.id, number=number).first()
    if round_ is None:
        raise RoundNotFound(round=number)
    if round_.status != RoundStatus.SETTLED:
        raise RoundRunning(round=number)
    moves = list(Move.objects.filter(round_id=round_.id).order_by("number"))
    return {
        "session_id": str(session.id),
        "game": session.game,
        "number": round_.number,
        "rules_revision": round_.rules_revision,
        "server_seed": bytes(round_.server_seed).hex(),
        "client_seed": round_.client_seed,
        "commitment": commitment(bytes(round_.server_seed)),
        "players": [None if player is None else str(player) for player in round_.players],
        "deals": [
            _deal_card(session, index, deal, [move for move in moves if move.deal == index])
            for index, deal in enumerate(round_.deals, start=1)
        ],
        "moves": [move_card(move) for move in moves],
        "settlement": settlement_of(round_),
        "started_at": moment(round_.created_at),
        "settled_at": moment(round_.settled_at),
    }


def _deal_card(
    session: Session, number: int, deal: dict[str, Any], moves: Iterable[Move]
) -> dict[str, Any]:
    setup = deal["setup"]
    turned_card = setup.get("turned_card")
    return {
        "deal": number,
        "deck": deal["deck"],
        "hands": _hands_dealt(session, deal, moves),
        "first_bidder": setup.get("first_bidder"),
        "leader": setup.get("leader"),
        "draws": [
            {"seat": seat, "card": CARD_NAMES[card]} for seat, card in setup.get("draws") or []
        ],
        "turned_card": None if turned_card is None else CARD_NAMES[turned_card],
    }


def _hands_dealt(session: Session, deal: dict[str, Any], moves: Iterable[Move]) -> list[list[str]]:
    """The hands as they were dealt: where the deck is cut first, after the cuts."""
    variant = variant_of(session)
    state = variant.start(deal_from_json(deal))
    pending = iter(moves)
    while True:
        owns = [variant.view(state, seat).you for seat in range(variant.info.seats)]
        hands = [card_names(own.hand) if own else [] for own in owns]
        move = None if all(hands) else next(pending, None)
        if move is None:
            return hands
        state = engine.submit(variant, state, move.seat, move_from_json(move.data))
