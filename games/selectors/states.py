"""What one viewer may know of a table now, as the contract's `state`.

Everything of a running round comes from the variant's `view`; nothing here looks into its state.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from games import clock
from games.models import Round, Seat, SeatKind, Session, SessionStatus
from games.rules.cards import CARD_NAMES, card_names
from games.rules.dealing import commitment
from games.rules.variant import (
    ArrangementView,
    BiddingView,
    CuttingView,
    OwnView,
    PlayView,
    RedealView,
    ScoreScope,
    StakeView,
    TrickView,
    View,
)
from games.selectors.clocks import seat_deadline
from games.selectors.live import LiveRound, live_round_get, variant_of
from games.selectors.tables import Table
from scoring.selectors import balances_get


def state_get(table: Table) -> dict[str, Any]:
    """The state of the table as `table.seat` may see it (a watcher sees no hand)."""
    return state_of(table, live_round_get(table.session))


def state_of(table: Table, live: LiveRound | None) -> dict[str, Any]:
    """The same, of a round that has been read already."""
    session = table.session
    view = variant_of(session).view(live.state, table.seat) if live else None
    playing = session.status == SessionStatus.PLAYING
    settled = live is not None and not playing
    deadline = seat_deadline(session, view.you) if view else None
    return {
        "session_id": str(session.id),
        "game": session.game,
        "status": session.status,
        "version": session.version,
        "turn": session.turn,
        "round": session.round_number,
        "deal": live.deal if live else None,
        "phase": view.phase.value if view else None,
        "to_act": list(view.to_act) if view and playing else [],
        "deadline": clock.moment(deadline),
        "remaining_ms": _milliseconds_until(deadline),
        "commitment": live.commitment if live else None,
        "next_commitment": next_commitment(session),
        "you": _own(view, table) if table.seat is not None else None,
        "seats": _seats(table, view),
        "trick": _trick(view.trick) if view else None,
        "bidding": _bidding(view.bidding) if view else None,
        "kitty": _cards(view.kitty) if view else None,
        "stake": _stake(view.stake) if view else None,
        "redeal": _redeal(view.redeal) if view else None,
        "cutting": _cutting(view.cutting) if view else None,
        "settlement": _settlement(session) if settled else None,
    }


def _milliseconds_until(deadline: datetime | None) -> int | None:
    if deadline is None:
        return None
    return max(0, round((deadline - clock.now()).total_seconds() * 1000))


def next_commitment(session: Session) -> str | None:
    """The commitment of the round that may be dealt next; None while there is none."""
    seed = bytes(session.next_server_seed)
    return commitment(seed) if seed else None


def _cards(cards: Sequence[int] | None) -> list[str] | None:
    return None if cards is None else card_names(cards)


def _seats(table: Table, view: View | None) -> list[dict[str, Any]]:
    session = table.session
    balances: dict[Any, int] = {}
    if variant_of(session).info.score_scope is ScoreScope.WALLET:
        players = [seat.player_id for seat in table.seats if seat.player_id]
        balances = balances_get(player_ids=players, game=session.game)
    return [_seat(seat, view, balances) for seat in table.seats]


def _seat(seat: Seat, view: View | None, balances: dict[Any, int]) -> dict[str, Any]:
    shown = view.seats[seat.number] if view else None
    return {
        "seat": seat.number,
        "kind": seat.kind,
        "player": player_card(seat),
        "bot_level": seat.bot_level if seat.kind == SeatKind.BOT else None,
        "autoplay": seat.autoplay,
        "cards_left": shown.cards_left if shown else None,
        "total": seat.total,
        "has_acted": shown.has_acted if shown else False,
        "role": shown.role if shown else None,
        "wind": shown.wind if shown else None,
        "balance": balances.get(seat.player_id),
    }


def player_card(seat: Seat) -> dict[str, Any] | None:
    """Who sits there, as everybody may see it."""
    if seat.player_id is None:
        return None
    return {"id": str(seat.player_id), "display_name": seat.player_name}


def _own(view: View | None, table: Table) -> dict[str, Any]:
    number = table.own_seat()
    own = view.you if view else None
    playing = table.session.status == SessionStatus.PLAYING
    return {
        "seat": number,
        "hand": card_names(own.hand) if own else [],
        "actions": list(own.actions) if own and playing else [],
        "special": own.special if own else None,
        "can_call_redeal": own.can_call_redeal if own else None,
        "arrangement": _arrangement(own),
        "extension_used": own.extension_used if own else None,
        "autoplay": table.seats[number].autoplay,
    }


def _arrangement(own: OwnView | None) -> dict[str, Any] | None:
    arrangement: ArrangementView | None = own.arrangement if own else None
    if arrangement is None:
        return None
    return {
        "front": card_names(arrangement.front),
        "middle": card_names(arrangement.middle),
        "back": card_names(arrangement.back),
        "special": arrangement.special,
        "foul": arrangement.foul,
    }


def _play(play: PlayView | None) -> dict[str, Any] | None:
    if play is None:
        return None
    return {"seat": play.seat, "cards": card_names(play.cards), "pattern": play.pattern}


def _trick(trick: TrickView | None) -> dict[str, Any] | None:
    if trick is None:
        return None
    return {
        "leader": trick.leader,
        "plays": [_play(play) for play in trick.plays],
        "to_beat": _play(trick.to_beat),
        "must_include": None if trick.must_include is None else CARD_NAMES[trick.must_include],
    }


def _bidding(bidding: BiddingView | None) -> dict[str, Any] | None:
    if bidding is None:
        return None
    return {
        "bids": [{"seat": seat, "bid": bid} for seat, bid in bidding.bids],
        "highest": bidding.highest,
    }


def _stake(stake: StakeView | None) -> dict[str, Any] | None:
    if stake is None:
        return None
    return {"bid": stake.bid, "doublings": stake.doublings, "value": stake.value}


def _redeal(redeal: RedealView | None) -> dict[str, Any] | None:
    if redeal is None:
        return None
    return {
        "caller": redeal.caller,
        "answers": [{"seat": seat, "accept": accept} for seat, accept in redeal.answers],
    }


def _cutting(cutting: CuttingView | None) -> dict[str, Any] | None:
    if cutting is None:
        return None
    return {
        "leader": cutting.leader,
        "draws": _seat_cards(cutting.draws),
        "cuts": [{"seat": seat, "position": position} for seat, position in cutting.cuts],
        "turned_card": None if cutting.turned_card is None else CARD_NAMES[cutting.turned_card],
    }


def _seat_cards(pairs: Iterable[tuple[int, int]]) -> list[dict[str, Any]]:
    return [{"seat": seat, "card": CARD_NAMES[card]} for seat, card in pairs]


def _settlement(session: Session) -> dict[str, Any] | None:
    round_ = (
        Round.objects.filter(session_id=session.id, number=session.round_number)
        .only("outcome", "server_seed", "client_seed")
        .first()
    )
    return settlement_of(round_) if round_ else None


def settlement_of(round_: Round) -> dict[str, Any] | None:
    """The settlement of a round, with the seeds that are public from then on."""
    if round_.outcome is None:
        return None
    return {
        **round_.outcome,
        "server_seed": bytes(round_.server_seed).hex(),
        "client_seed": round_.client_seed,
    }


def must_act(table: Table, state: dict[str, Any]) -> bool:
    """Whether the open decision waits for the viewer; not once rows are set or a cut is made."""
    return table.seat in state["to_act"] and not state["seats"][table.seat]["has_acted"]


def urgency(table: Table, state: dict[str, Any]) -> tuple[bool, float]:
    """A sort key for the sessions to resume: who must act first, then who has least time."""
    remaining = state["remaining_ms"]
    return (not must_act(table, state), float("inf") if remaining is None else remaining)
