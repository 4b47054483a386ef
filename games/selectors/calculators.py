"""What can be asked of a game without a table. All of it from the functions that games use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, islice
from typing import Any

from games.errors import GameNotFound, NotInThisGame
from games.rules.cards import CARD_NAMES, Card, card_names
from games.rules.errors import AmbiguousPattern, CardNotInHand, UnknownCard
from games.rules.moves import Play, parse_cards
from games.rules.outcome import FinalHand
from games.rules.questions import EvaluatesRows, FinishedRound, Implausible, ListsPlays
from games.rules.record import outcome_to_json
from games.rules.registry import VARIANTS
from games.rules.variant import Variant

SHOWN = ("cards", "front", "middle", "back")


def game_get(game: str) -> Variant[Any]:
    """The game with this slug. Raises GameNotFound."""
    variant = VARIANTS.get(game)
    if variant is None:
        raise GameNotFound(game=game)
    return variant


def cards_classify(*, game: str, cards: Sequence[str], pattern: str | None) -> dict[str, Any]:
    """What these cards are: as an unnamed lead is taken, or as the pattern that is named.

    Raises GameNotFound, UnknownCard, DuplicateCard, or AmbiguousPattern for a named pattern that
    the cards, which are another, are not.
    """
    variant = game_get(game)
    (found,) = _cards(variant, cards)
    readings = variant.patterns_possible(found)
    if readings and pattern not in (None, *readings):
        raise AmbiguousPattern(pattern=pattern, readings=list(readings))
    first = next(iter(readings), None)
    return {"pattern": pattern if readings and pattern else first, "readings": list(readings)}


def plays_list(
    *,
    game: str,
    hand: Sequence[str],
    on: Mapping[str, Any] | None,
    must_include: str | None,
) -> dict[str, Any]:
    """The plays of a hand as a lead, or on the play `on`, weakest first.

    Raises GameNotFound, NotInThisGame, UnknownCard, DuplicateCard, CardNotInHand (for
    `must_include`), or NotAPattern and AmbiguousPattern for `on`.
    """
    variant = game_get(game)
    if not isinstance(variant, ListsPlays):
        raise NotInThisGame(game=game, question="legal-plays")
    held, to_beat = _cards(variant, hand, on["cards"] if on else ())
    opening = None
    if must_include is not None:
        ((opening,),) = _cards(variant, [must_include])
        if opening not in held:
            raise CardNotInHand(cards=[must_include])
    on_play = Play(to_beat, on.get("pattern")) if on else None
    plays = [
        {"cards": card_names(play.cards), "pattern": play.pattern}
        for play in variant.plays_from(held, on_play, opening)
    ]
    return {"plays": plays, "count": len(plays), "can_pass": on is not None}


def rows_evaluate(
    *, game: str, front: Sequence[str], middle: Sequence[str], back: Sequence[str]
) -> dict[str, Any]:
    """What three rows are.

    Raises GameNotFound, NotInThisGame, UnknownCard, DuplicateCard, WrongRowSizes.
    """
    variant = game_get(game)
    if not isinstance(variant, EvaluatesRows):
        raise NotInThisGame(game=game, question="evaluate")
    evaluation = variant.evaluate(*_cards(variant, front, middle, back))
    return {
        "categories": dict(evaluation.categories),
        "foul": evaluation.foul,
        "special": evaluation.special,
    }


def settlement_compute(*, game: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """What a finished round pays, from those fields of a FinishedRound that are given.

    Raises GameNotFound, Implausible, UnknownCard, DuplicateCard, WrongRowSizes, NoSpecialHand.
    """
    variant = game_get(game)
    needed = variant.settlement_fields
    faults = {field: "required" for field in needed if field not in given}
    faults |= {field: "not_in_this_game" for field in given if field not in needed}
    if faults:
        raise Implausible(**faults)
    numbers: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in given.items()
        if name != "seats"
    }
    seats = _final_hands(variant, given.get("seats", ()))
    return outcome_to_json(variant.settlement(FinishedRound(**numbers, seats=seats)))


def _final_hands(
    variant: Variant[Any], seats: Sequence[Mapping[str, Any]]
) -> tuple[FinalHand, ...]:
    """The seats' rows or declared cards; all of them come from one deck."""
    named = [seat.get(field, ()) for seat in seats for field in SHOWN]
    lists = iter(_cards(variant, *named))
    hands = []
    for seat in seats:
        cards, front, middle, back = islice(lists, len(SHOWN))
        hands.append(FinalHand(cards, front, middle, back, special=seat.get("special")))
    return tuple(hands)


def _cards(variant: Variant[Any], *lists: Sequence[str]) -> list[tuple[Card, ...]]:
    """Lists of different cards of this game. Raises UnknownCard, DuplicateCard."""
    cards = parse_cards(chain.from_iterable(lists))
    for card in cards:
        if card >= variant.info.deck_size:
            raise UnknownCard(card=CARD_NAMES[card])
    rest = iter(cards)
    return [tuple(islice(rest, len(names))) for names in lists]
