"""What an answer holds that its reader may not know: a search of all its bytes."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.knowledge import Knowledge

CARD = re.compile(r"(?<![0-9A-Za-z])([3-9TJQKA2][CDHS]|BJ|RJ)(?![0-9A-Za-z])")
SPECIALS = re.compile(r"dragon|three_flushes|three_straights|six_pairs")
SUIT_WORDS = {"♣": "C", "♦": "D", "♥": "H", "♠": "S", "CLUBS": "C", "DIAMONDS": "D"} | {
    "HEARTS": "H",
    "SPADES": "S",
}
# Lists and facts of whole numbers that say nothing of cards; in any other, a number may be a card.
NUMBER_LISTS = {"to_act", "points", "totals", "positions", "sizes"}
NUMBER_FACTS = {"seat", "to_act", "turn", "open_turn", "bid", "highest", "position", "round"}
# Everything that is stored of the caller, also what was answered before.
EXPORT = "/players/me/export/"
Body = dict[str, Any]


@dataclass
class Told:
    """An answer, or an event, and what the viewer had sent for it."""

    where: str
    body: bytes
    headers: str = ""
    sent: Body | None = None
    status: int = 0


def leaks(told: Told, knowledge: Knowledge, seat: int | None) -> list[str]:
    """What in these bytes the viewer of this seat may not know."""
    text = f"{told.headers}\n{told.body.decode()}"
    found = [
        f"the server seed {seed!r}"
        for seed in knowledge.spellings_of_seeds()
        if seed.decode().lower() in text.lower()
    ]
    if knowledge.running:
        data = _values(told.body.decode())
        hidden = knowledge.hidden_from(seat)
        if EXPORT in told.where and seat is not None:
            hidden -= knowledge.told_before(seat)
        found += _cards(text, data, told.sent, knowledge, hidden)
        found += _numbers(data)
        found += _secret_acts(data, knowledge, seat)
        found += _eligibility(data, text, told.where, knowledge, seat)
    return found


def _cards(
    text: str, data: Any, sent: Body | None, knowledge: Knowledge, hidden: frozenset[str]
) -> Iterator[str]:
    """Cards that lie where the viewer may not know. What was sent comes back in a refusal, but
    in no state."""
    excused = Counter(_named(data, knowledge))
    states = [value for name, value in _walk(data) if name == "state"]
    echoes = Counter(CARD.findall(text)) - Counter(CARD.findall(json.dumps(states)))
    own_words = set(CARD.findall(json.dumps(sent)))
    for card, times in Counter(CARD.findall(text)).items():
        if card in hidden and times > excused[card] + (card in own_words) * echoes[card]:
            yield f"the card {card}"
    for card, value in _odd(data):
        if card in hidden and value not in json.dumps(sent):
            yield f"the card {card} as {value!r}"
    unseen = Counter(card if card in ("BJ", "RJ") else card[0] for card in hidden)
    for name, value in _walk(data):
        if name == "ranks" and unseen != +Counter({one["rank"]: one["count"] for one in value}):
            yield f"the count {value}"


def _secret_acts(data: Any, knowledge: Knowledge, seat: int | None) -> Iterator[str]:
    """What others have answered to a decision that is still open."""
    cutting = knowledge.game == "thirteen" and not knowledge.hands
    secret = {"cut"} if cutting else {"arrange", "declare"}
    for act in _objects(data):
        if act.get("type") in secret and act.get("seat") != seat and "seat" in act:
            yield f"that seat {act['seat']} has made the move {act['type']}"
        if cutting and act.get("cuts"):
            yield f"the cuts {act['cuts']}"


def _eligibility(
    data: Any, text: str, where: str, knowledge: Knowledge, seat: int | None
) -> Iterator[str]:
    """What a hand may do: the special hand that it is, and whether it may call for a redeal."""
    may_call = seat is not None and bool(knowledge.hands) and knowledge.may_call_redeal(seat)
    for own in _objects(data):
        may_now = own.get("can_call_redeal") or "call_redeal" in (own.get("actions") or ())
        if "hand" in own and may_now and not may_call:
            yield "who may call for a redeal"
    own_words = [json.dumps(value) for name, value in _walk(data) if name == "you"]
    if "preview" in where or EXPORT in where:
        own_words.append(text)
    if "fairness" in where:  # how often they were dealt in rounds that are over
        return
    told = Counter(SPECIALS.findall(text)) - Counter(
        SPECIALS.findall(" ".join(own_words) * (seat is not None))
    )
    if told:
        yield f"a special hand: {dict(told)}"


def _named(data: Any, knowledge: Knowledge) -> Iterator[str]:
    """The cards that everybody is told of, as often as they stand where they belong."""
    for name, value in _walk(data):
        if name == "draws" and value:
            yield from (draw["card"] for draw in value if draw["card"] in knowledge.named)
        elif name in ("turned_card", "must_include") and value in knowledge.named:
            yield value
        elif name == "code" and value == "unknown_card":
            yield from ("BJ", "RJ")  # in the detail's text
        elif name == "ranks":
            yield from ({entry["rank"] for entry in value} & {"BJ", "RJ"})
        elif name == "params" and value.get("card") in knowledge.named:
            yield from (value["card"], value["card"])  # and in the detail's text


def _values(body: str) -> list[Any]:
    """The JSON values of a body: one, one a line, or one an event."""
    if body.startswith(("{", "[")):
        try:
            return [json.loads(body)]
        except json.JSONDecodeError:
            return [json.loads(line) for line in body.splitlines()]
    return [json.loads(line[6:]) for line in body.splitlines() if line.startswith("data: ")]


def _objects(data: Any) -> Iterator[dict[str, Any]]:
    """Every object in a JSON value, at any depth."""
    if isinstance(data, dict):
        yield data
    for value in data.values() if isinstance(data, dict) else data:
        if isinstance(value, dict | list):
            yield from _objects(value)


def _walk(data: Any) -> Iterator[tuple[str, Any]]:
    """Every field in a JSON value, at any depth."""
    return ((name, value) for found in _objects(data) for name, value in found.items())


def _odd(data: Any) -> Iterator[tuple[str, str]]:
    """Texts that spell a card in another way: `3d`, `D3`, `10D`, `♦3`, `3 of diamonds`."""
    for name, value in _walk(data):
        for text in (name, *(value if isinstance(value, list) else [value])):
            if isinstance(text, str) and not CARD.fullmatch(text) and len(text) <= 20:
                letters = text.upper().replace("10", "T")
                for word, suit in SUIT_WORDS.items():
                    letters = letters.replace(word, suit)
                letters = letters.replace("OF", "").replace(" ", "").replace("_", "")
                for card in (letters, letters[::-1]):
                    if CARD.fullmatch(card):
                        yield card, text


def _numbers(data: Any) -> Iterator[str]:
    """Whole numbers that might be cards or sets of cards."""
    for name, value in _walk(data):
        if isinstance(value, int) and value >= 2**31:
            yield f"a large number: {name}"
        is_list = isinstance(value, list) and value and all(type(v) is int for v in value)
        if is_list and name not in NUMBER_LISTS:
            yield f"a list of numbers: {name}"
        if name == "params" and isinstance(value, dict):
            numbers = {fact for fact, number in value.items() if type(number) is int}
            yield from (f"a number in params: {fact}" for fact in numbers - NUMBER_FACTS)
