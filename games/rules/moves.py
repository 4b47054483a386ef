"""Moves as values, and their flat JSON form (contract: Moves)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar, TypeAlias

from games.rules.cards import CARDS_BY_NAME, Card, card_names
from games.rules.errors import DuplicateCard, UnknownCard


@dataclass(frozen=True, slots=True)
class Play:
    """Put cards down. `pattern` names the reading where the cards have several."""

    type: ClassVar[str] = "play"
    cards: tuple[Card, ...]
    pattern: str | None = None


@dataclass(frozen=True, slots=True)
class Pass:
    """Do not follow."""

    type: ClassVar[str] = "pass"


@dataclass(frozen=True, slots=True)
class Bid:
    """Bid 1, 2 or 3; 0 is a pass."""

    type: ClassVar[str] = "bid"
    bid: int


@dataclass(frozen=True, slots=True)
class CallRedeal:
    """Call for a redeal of all hands."""

    type: ClassVar[str] = "call_redeal"


@dataclass(frozen=True, slots=True)
class AnswerRedeal:
    """Accept or decline another seat's call."""

    type: ClassVar[str] = "answer_redeal"
    accept: bool


@dataclass(frozen=True, slots=True)
class Cut:
    """Cut the deck at a position 1-51; 0 skips."""

    type: ClassVar[str] = "cut"
    position: int


@dataclass(frozen=True, slots=True)
class Arrange:
    """Set the 13 cards as rows of 3, 5 and 5."""

    type: ClassVar[str] = "arrange"
    front: tuple[Card, ...]
    middle: tuple[Card, ...]
    back: tuple[Card, ...]
    accept_foul: bool = False


@dataclass(frozen=True, slots=True)
class Declare:
    """Declare the special hand that the server found."""

    type: ClassVar[str] = "declare"


@dataclass(frozen=True, slots=True)
class Extend:
    """Ask for the extra time, once a round."""

    type: ClassVar[str] = "extend"


Move: TypeAlias = Play | Pass | Bid | CallRedeal | AnswerRedeal | Cut | Arrange | Declare | Extend

MOVE_CLASSES: tuple[type[Move], ...] = (
    Play,
    Pass,
    Bid,
    CallRedeal,
    AnswerRedeal,
    Cut,
    Arrange,
    Declare,
    Extend,
)
MOVE_CLASS_BY_TYPE: dict[str, type[Move]] = {cls.type: cls for cls in MOVE_CLASSES}
CARD_FIELDS = ("cards", "front", "middle", "back")


def parse_cards(names: Iterable[str]) -> tuple[Card, ...]:
    """Cards from their names, in the order given.

    Raises UnknownCard for another spelling and DuplicateCard for a card named twice.
    """
    cards: list[Card] = []
    for name in names:
        card = CARDS_BY_NAME.get(name)
        if card is None:
            raise UnknownCard(card=name)
        if card in cards:
            raise DuplicateCard(card=name)
        cards.append(card)
    return tuple(cards)


def move_to_json(move: Move) -> dict[str, Any]:
    """The flat JSON form of a move: `type` and the fields of that type."""
    data: dict[str, Any] = {"type": move.type}
    for field in fields(move):
        value = getattr(move, field.name)
        data[field.name] = card_names(value) if field.name in CARD_FIELDS else value
    return data


def move_from_json(data: Mapping[str, Any]) -> Move:
    """The move of a flat JSON body whose shape has been checked; other fields are ignored.

    Raises UnknownCard and DuplicateCard.
    """
    cls = MOVE_CLASS_BY_TYPE[data["type"]]
    values: dict[str, Any] = {}
    for field in fields(cls):
        value = data.get(field.name)
        if value is not None:
            values[field.name] = parse_cards(value) if field.name in CARD_FIELDS else value
    return cls(**values)
