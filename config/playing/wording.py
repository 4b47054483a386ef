"""A session in words: who did what, with which cards, and what it came to."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any, Final

from django.utils.translation import gettext, override

from games.rules.registry import VARIANTS
from players.languages import Language

SUITS: Final = dict(zip("CDHS", "♣♦♥♠", strict=True))
WORDS: Final = {
    "pass": "pass",
    "call_redeal": "calls for a redeal",
    "declare": "declares a special hand",
    "extend": "takes more time",
}
ORDINALS: Final = {1: "1st", 2: "2nd", 3: "3rd"}


class Wording:
    """How things are said to a terminal that can show the characters of one encoding."""

    def __init__(self, encoding: str) -> None:
        self._encoding = encoding
        self._has_suits = self._can_show("".join(SUITS.values()))

    def _can_show(self, text: str) -> bool:
        try:
            text.encode(self._encoding)
        except UnicodeEncodeError:
            return False
        return True

    def printable(self, text: str) -> str:
        """The text with `?` for what the terminal cannot show."""
        return text.encode(self._encoding, "replace").decode(self._encoding)

    def game(self, slug: str) -> str:
        """The game's name, also in Chinese if that can be shown."""
        if slug not in VARIANTS:
            return slug
        english = VARIANTS[slug].info.name
        with override(Language.ZH_HANT):
            chinese = gettext(english)
        return " ".join(filter(self._can_show, (english, chinese)))

    def cards(self, cards: Iterable[str]) -> str:
        """Cards with the signs of their suits, or by their names."""
        return " ".join(map(self._card, cards)) or "no cards"

    def _card(self, card: str) -> str:
        rank, suit = card[0], card[1:]
        return f"{rank}{SUITS[suit]}" if self._has_suits and suit in SUITS else card

    def rows(self, hand: dict[str, Any]) -> str:
        """Front, middle and back of an arrangement."""
        return " | ".join(self.cards(hand[row]) for row in ("front", "middle", "back"))

    def final_hand(self, hand: dict[str, Any]) -> str:
        """What a seat shows at the end."""
        if hand["special"]:
            return f"{self.cards(hand['cards'])} ({spaced(hand['special'])})"
        if hand["front"]:
            return self.rows(hand) + (" (foul)" if hand["foul"] else "")
        return f"left: {self.cards(hand['cards'])}" if hand["cards"] else ""

    def move(self, move: dict[str, Any]) -> str:
        """What was done, without who did it."""
        kind = move["type"]
        if kind == "play":
            cards = padded(self.cards(move["cards"]), 16)
            return f"{cards} {spaced(move['pattern'] or '')}".rstrip()
        if kind == "bid":
            return f"bids {move['bid']}" if move["bid"] else "does not bid"
        if kind == "answer_redeal":
            return f"{'accepts' if move['accept'] else 'declines'} the redeal"
        if kind == "cut":
            return f"cuts at {move['position']}" if move["position"] else "does not cut"
        if kind == "arrange":
            return f"sets {self.rows(move)}"
        return WORDS.get(kind, spaced(kind))

    def settlement(self, settlement: dict[str, Any], names: list[str]) -> Iterator[str]:
        """The lines of a settlement: a line a seat, then who pays whom and why."""
        width = max(map(displayed_width, names))
        positions = settlement["positions"] or [None] * len(names)
        for hand in settlement["hands"]:
            seat = hand["seat"]
            figures = f"{settlement['points'][seat]:+6d}   total {settlement['totals'][seat]:+6d}"
            line = f"{padded(names[seat], width)} {figures}   {ordinal(positions[seat])}"
            yield f"{line:<{len(line) + 2}}{self.final_hand(hand)}".rstrip()
        for pair in settlement["pairs"]:
            paid = f"{names[pair['from_seat']]} pays {names[pair['to_seat']]} {pair['points']}"
            reasons = "; ".join(map(_reason, pair["reasons"]))
            yield f"{paid}: {reasons}" if reasons else paid
        if settlement["spring"]:
            yield spaced(settlement["spring"])

    def history(
        self, rounds: list[dict[str, Any]], ledger: list[dict[str, Any]], score: dict[str, Any]
    ) -> Iterator[str]:
        """The lines that look back on a session: its rounds, its bookings, the best score."""
        yield "Rounds"
        for entry in rounds:
            points, totals = _signed(entry["points"]), _signed(entry["totals"])
            figures = f"points {points}  totals {totals}"
            yield f"  {entry['number']:>3}  {figures}  {entry['moves']} moves"
        yield "Ledger"
        for entry in ledger:
            amount, kind = f"{entry['amount']:+d}", spaced(entry["kind"])
            yield f"  {entry['round']:>3}  {kind} {amount:>5}  balance {entry['balance']:+d}"
        yield f"Best {score['best']:+d}, rounds {score['rounds']}, wins {score['wins']}"


def _signed(figures: Iterable[int]) -> str:
    return " ".join(f"{figure:+5d}" for figure in figures)


def _reason(reason: dict[str, Any]) -> str:
    factors = [str(reason[name]) for name in ("count", "factor") if reason[name] is not None]
    working = f" ({' x '.join(factors)})" if factors else ""
    return f"{spaced(reason['code'])} {reason['points']:+d}{working}"


def seat_name(seat: dict[str, Any], own: int) -> str:
    """Who sits there: a player by name, a bot by seat and level."""
    if seat["player"] is None:
        return f"Bot {seat['seat']} ({seat['bot_level']})"
    name: str = seat["player"]["display_name"]
    return f"{name} (you)" if seat["seat"] == own else name


def spaced(word: str) -> str:
    """A machine word for people."""
    return word.replace("_", " ")


def ordinal(position: int | None) -> str:
    """A place, or as much room where there is none."""
    return " " * 3 if position is None else ORDINALS.get(position, f"{position}th")


def displayed_width(text: str) -> int:
    """The columns of a terminal that the text takes: Chinese characters take two each."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def padded(text: str, width: int) -> str:
    """The text, filled up with spaces."""
    return text + " " * (width - displayed_width(text))
