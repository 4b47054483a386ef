"""A round as a board: who held and played what, step by step."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import Any

from games.models import Move, Round, RoundStatus
from games.rules.cards import card_names
from games.rules.errors import RuleViolation
from games.rules.record import hands_held
from games.rules.variant import OwnView, View
from games.selectors.history import SECRET_TYPES, move_card
from games.selectors.live import states_replayed, variant_of
from players.selectors import display_names

SHOWN_OF_A_SECRET_MOVE = ("number", "deal", "seat", "type", "actor", "policy", "created_at")


@dataclass(frozen=True, slots=True)
class BoardSeat:
    """A seat at one step. `hand` is None while it is hidden, `points` until they are settled.

    `rows` are what the seat has set, by their names, if anything. `player` is who was dealt the
    hand, None for a bot.
    """

    number: int
    player: str | None
    role: str | None
    wind: str | None
    cards_left: int
    acts: bool
    hand: list[str] | None
    rows: dict[str, list[str]]
    points: int | None


@dataclass(frozen=True, slots=True)
class Board:
    """A round after `step` of its `last` moves; not `is_whole` where the rules refuse the next.

    `moves` are those of the whole round as `move_card` writes them; those that may still be secret
    say only their type. `view` is what everybody may know at that step, `trick` the plays in it as
    (seat, cards, pattern).
    """

    step: int
    last: int
    is_whole: bool
    deal: int
    hands_shown: bool
    view: View
    seats: list[BoardSeat]
    trick: list[tuple[int, list[str], str | None]]
    kitty: list[str]
    moves: list[dict[str, Any]]


def is_over(round_: Round) -> bool:
    """Whether the hands of the round are no secret any more."""
    return round_.status != RoundStatus.OPEN


def round_board(round_: Round, *, step: int | None = None, look: bool = False) -> Board:
    """The round after so many moves, by default all of them.

    Of a running round only what everybody may know, unless with `look`.
    """
    variant = variant_of(round_.session)
    moves = list(Move.objects.filter(round_id=round_.pk).order_by("number"))
    states: list[tuple[int, Any]] = []
    with contextlib.suppress(RuleViolation):  # keeps those before it
        states.extend(states_replayed(variant, round_.deals, moves))
    last = len(states) - 1
    step = last if step is None else max(0, min(step, last))
    deal, state = states[step]
    shown = look or is_over(round_)
    view = variant.view(state, None)
    owns = [variant.view(state, seat).you if shown else None for seat in range(variant.info.seats)]
    hands = [card_names(hand) for hand in hands_held(variant, state)] if shown else None
    names = display_names(player_ids=[player for player in round_.players if player])
    points = round_.outcome["points"] if round_.outcome and step == last else None
    return Board(
        step=step,
        last=last,
        is_whole=last == len(moves),
        deal=deal,
        hands_shown=shown,
        view=view,
        seats=[
            BoardSeat(
                number=seat.seat,
                player=names.get(player) if player else None,
                role=seat.role,
                wind=seat.wind,
                cards_left=seat.cards_left,
                acts=seat.seat in view.to_act and not seat.has_acted,
                hand=hands[seat.seat] if hands else None,
                rows=_rows(owns[seat.seat]),
                points=points[seat.seat] if points else None,
            )
            for seat, player in zip(view.seats, round_.players, strict=True)
        ],
        trick=[
            (play.seat, card_names(play.cards), play.pattern)
            for play in (view.trick.plays if view.trick else ())
        ],
        kitty=card_names(view.kitty or ()),
        moves=[_move(move, shown=shown) for move in moves],
    )


def _rows(own: OwnView | None) -> dict[str, list[str]]:
    arrangement = own.arrangement if own else None
    if arrangement is None:
        return {}
    rows = {name: getattr(arrangement, name) for name in ("front", "middle", "back")}
    return {name: card_names(row) for name, row in rows.items()}


def _move(move: Move, *, shown: bool) -> dict[str, Any]:
    card = move_card(move)
    if shown or move.data["type"] not in SECRET_TYPES:
        return card
    return {name: card[name] for name in SHOWN_OF_A_SECRET_MOVE}
