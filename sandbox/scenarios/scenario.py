"""What a scenario is, and how its moves are written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise

from games.rules.moves import parse_cards
from sandbox.deals import WantedDeal


@dataclass(frozen=True, slots=True)
class Scenario:
    """A case that a client should be able to show: its deal, and all moves on the way to it."""

    game: str
    name: str
    summary: Promise
    deal: WantedDeal
    script: tuple[Mapping[str, Any], ...]


def dealt(*hands: str, kitty: str = "", first: int | None = None) -> WantedDeal:
    """A deal from the names of its cards."""
    return WantedDeal(
        hands=tuple(parse_cards(hand.split()) for hand in hands),
        kitty=parse_cards(kitty.split()),
        first=first,
    )


def lines(*texts: str) -> tuple[dict[str, Any], ...]:
    """Moves, one text each: the seat, the type and what belongs to it.

    `0 play 3C 4D`, `1 pass`, `2 bid 3`, `3 answer_redeal accept`, `1 cut 20`, `0 declare`,
    `0 arrange 2C 3D 4H / 5S ... / 9S ...` (`arrange_foul` says `accept_foul`).
    """
    return tuple(_line(*text.split(" ", 2)) for text in texts)


def _line(seat: str, kind: str, rest: str = "") -> dict[str, Any]:
    move: dict[str, Any] = {"seat": int(seat), "type": kind}
    if kind == "play":
        move["cards"] = rest.split()
    elif kind == "bid":
        move["bid"] = int(rest)
    elif kind == "cut":
        move["position"] = int(rest)
    elif kind == "answer_redeal":
        move["accept"] = rest == "accept"
    elif kind.startswith("arrange"):
        front, middle, back = (row.split() for row in rest.split(" / "))
        move |= {"type": "arrange", "front": front, "middle": middle, "back": back}
        move["accept_foul"] = kind == "arrange_foul"
    return move


def everybody_passes(leader: int, *, seats: int = 4) -> tuple[str, ...]:
    """The passes after which the leader leads again."""
    return tuple(f"{(leader + place) % seats} pass" for place in range(1, seats))
