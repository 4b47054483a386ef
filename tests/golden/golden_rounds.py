"""Golden rounds: whole rounds as files that a person can read, and what they must come to.

A file has the `hands` as they lie when the cards are dealt (with `kitty` and `first_bidder`, or
`leader` and `turned_card`), the `moves` in order, one text each, and the end. A move is the seat,
the type and what belongs to it: `0 play 3C 4D`, `1 pass`, `2 bid 3`, `3 answer_redeal decline`,
`1 cut 20`, `0 arrange 2C 3D 4H / 5S … / 9S …` (`arrange_foul` says `accept_foul`), `0 declare`. A
play may end in `as PATTERN`. A move that ends in `-> CODE` is refused with that code.
`why` is the arithmetic, done by hand from the rule book.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from games.rules.cards import CARDS_BY_NAME, Card
from games.rules.moves import Cut, Move, move_from_json, parse_cards
from games.rules.outcome import Transfer
from games.rules.variant import Deal
from games.rules.variants.thirteen.ceremony import first_seat

GOLDEN = Path(__file__).parent

Json = dict[str, Any]


def load() -> Iterator[tuple[str, str, Json]]:
    """Game, name and content of every file."""
    for path in sorted(GOLDEN.glob("*/*.json")):
        yield path.parent.name, path.stem, json.loads(path.read_text(encoding="utf-8"))


def read_move(text: str) -> tuple[int, Move, str | None]:
    """The seat, the move, and the code that it is refused with, if any."""
    text, _, refused = text.partition(" -> ")
    seat, kind, *words = text.split(" ", 2)
    rest = words[0] if words else ""
    body: Json = {"type": kind}
    if kind == "play":
        names, _, pattern = rest.partition(" as ")
        body |= {"cards": names.split(), "pattern": pattern or None}
    elif kind == "bid":
        body["bid"] = int(rest)
    elif kind == "cut":
        body["position"] = int(rest)
    elif kind == "answer_redeal":
        body["accept"] = {"accept": True, "decline": False}[rest]
    elif kind in ("arrange", "arrange_foul"):
        front, middle, back = (row.split() for row in rest.split(" / "))
        body = {"type": "arrange", "front": front, "middle": middle, "back": back}
        body["accept_foul"] = kind == "arrange_foul"
    else:
        assert not rest, text
    return int(seat), move_from_json(body), refused or None


def deal_of(golden: Json) -> Deal:
    """The deal whose hands these are."""
    hands = [parse_cards(names.split()) for names in golden["hands"]]
    setup: Json = {"deal": 1}
    if "leader" in golden:
        turned_card = CARDS_BY_NAME[golden["turned_card"]]
        first = first_seat(turned_card, golden["leader"], len(hands))
        deck = _one_by_one(hands[first:] + hands[:first])
        setup |= {"leader": golden["leader"], "draws": (), "turned_card": turned_card}
        return Deal(_uncut(deck, golden["moves"]), setup)
    if "kitty" in golden:
        setup["first_bidder"] = golden["first_bidder"]
        return Deal(_one_by_one(hands) + parse_cards(golden["kitty"].split()), setup)
    return Deal(_one_by_one(hands), setup)


def _one_by_one(hands: list[tuple[Card, ...]]) -> tuple[Card, ...]:
    return tuple(card for cards in zip(*hands, strict=True) for card in cards)


def _uncut(deck: tuple[Card, ...], moves: list[str]) -> tuple[Card, ...]:
    """The deck before the cuts, which are made in the order of the seats."""
    cuts = {
        seat: move.position
        for seat, move, refused in map(read_move, moves)
        if isinstance(move, Cut) and not refused
    }
    for _, position in sorted(cuts.items(), reverse=True):
        deck = deck[len(deck) - position :] + deck[: len(deck) - position]
    return deck


def working(transfers: tuple[Transfer, ...]) -> list[str]:
    """The working as a person would write it."""
    lines = []
    for transfer in transfers:
        reasons = []
        for reason in transfer.reasons:
            text = f"{reason.code} {reason.points:+d}"
            if reason.count is not None:
                text += f" ({reason.count} x {reason.factor})"
            elif reason.factor is not None:
                text += f" (x {reason.factor})"
            reasons.append(text)
        line = f"{transfer.from_seat} pays {transfer.to_seat}: {transfer.points}"
        lines.append(f"{line} = {', '.join(reasons)}" if reasons else line)
    return lines
