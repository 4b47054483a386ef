"""What comes before the cards are dealt (rule book: 5, Leader, Cut and Deal; Dealing)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from games.rules.arranging.rows import rank_of
from games.rules.cards import DECK_52, Card
from games.rules.dealing import NumberStream

WINDS: Final = ("east", "south", "west", "north")

Draws = tuple[tuple[int, Card], ...]


def draw_for_leader(
    numbers: NumberStream, seats: int, *, tied_draw_is_repeated: bool
) -> tuple[int, Draws]:
    """The leader and the cards drawn for it, as (seat, card) in order.

    A card that was drawn before in this ceremony is put back unseen and another drawn.
    """
    draws: list[tuple[int, Card]] = []
    tied = list(range(seats))
    while len(tied) > 1:
        drawn: dict[int, Card] = {}
        for seat in tied:
            drawn[seat] = _draw(numbers, {card for _, card in draws})
            draws.append((seat, drawn[seat]))
        highest = max(rank_of(card) for card in drawn.values())
        tied = [seat for seat, card in drawn.items() if rank_of(card) == highest]
        if not tied_draw_is_repeated:
            break
    return tied[0], tuple(draws)


def _draw(numbers: NumberStream, drawn_before: set[Card]) -> Card:
    while True:
        card = DECK_52[numbers.below(len(DECK_52))]
        if card not in drawn_before:
            return card


def cut_deck(deck: tuple[Card, ...], positions: Iterable[int]) -> tuple[Card, ...]:
    """The deck after these cuts in order: a cut at p moves the first p cards to the end."""
    for position in positions:
        deck = deck[position:] + deck[:position]
    return deck


def first_seat(turned_card: Card, leader: int, seats: int) -> int:
    """Who gets the first card: the turned card's number counted clockwise, the leader being 1."""
    number = (turned_card // 4 + 2) % 13 + 1  # A 1, 2 … 10, J 11, Q 12, K 13
    return (leader + number - 1) % seats


def deal_from(deck: tuple[Card, ...], first: int, seats: int) -> tuple[tuple[Card, ...], ...]:
    """The hands when the cards go out clockwise, one at a time, from the first seat."""
    return tuple(deck[(seat - first) % seats :: seats] for seat in range(seats))


def wind_of(seat: int, leader: int) -> str:
    """The wind of a seat; the leader is East, and the others follow clockwise."""
    return WINDS[(seat - leader) % len(WINDS)]
