"""Positions of Big Two, written as a player would: hands as texts, and what lies on the table."""

from __future__ import annotations

from collections.abc import Sequence

from games.rules.cards import CARDS_BY_NAME, DECK_52, Card, card_set
from games.rules.climbing.big_two import BigTwo, BigTwoState
from games.rules.climbing.big_two_patterns import Reading
from games.rules.climbing.trick import new_trick, with_play
from games.rules.engine import submit
from games.rules.moves import Pass, Play, parse_cards
from games.rules.variant import Deal, PlayView


def cards(text: str) -> tuple[Card, ...]:
    """Cards from names with spaces between."""
    return parse_cards(text.split())


def play(text: str, pattern: str | None = None) -> Play:
    """A play of these cards."""
    return Play(cards(text), pattern)


def read(game: BigTwo, text: str) -> Reading:
    """What these cards are; fails if they are no pattern."""
    reading = game.patterns.classify(cards(text))
    assert reading is not None, text
    return reading


def position(
    game: BigTwo, *hands: str, turn: int = 0, on: str | None = None, must_include: str | None = None
) -> BigTwoState:
    """Seat `turn` is to act: to lead, or to follow `on`, which the seat before has just played."""
    state = BigTwoState(
        tuple(card_set(cards(hand)) for hand in hands),
        new_trick(turn),
        None if must_include is None else CARDS_BY_NAME[must_include],
    )
    if on is None:
        return state
    before = (turn - 1) % len(hands)
    reading = read(game, on)
    laid = PlayView(before, cards(on), reading.pattern)
    return state._replace(trick=with_play(new_trick(before), laid, reading, seats=len(hands)))


def after(game: BigTwo, state: BigTwoState, *lines: str) -> BigTwoState:
    """The state after these moves of the seats whose turn it is, `-` for a pass."""
    for line in lines:
        move = Pass() if line == "-" else play(line)
        state = submit(game, state, state.trick.turn, move)
    return state


def deal_of(*hands: str) -> Deal:
    """The deal that gives these hands; the seats named with less than 13 cards are filled up.

    Missing cards go out from the highest, to the last seat first, so that a hand of few high cards
    stays what it is.
    """
    given = [list(cards(hand)) for hand in hands] + [[] for _ in range(4 - len(hands))]
    missing = [card for card in DECK_52 if not any(card in hand for hand in given)]
    for hand in given[::-1]:
        while len(hand) < 13:
            hand.append(missing.pop())
    return Deal(deck_of(given), {"deal": 1})


def deck_of(hands: Sequence[Sequence[Card]]) -> tuple[Card, ...]:
    """The deck that deals these hands, one card at a time from seat 0."""
    return tuple(card for row in zip(*hands, strict=True) for card in row)
