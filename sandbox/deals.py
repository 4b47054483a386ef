"""Laying hands down: the deck that gives them, whatever way a game deals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from games.rules import engine
from games.rules.cards import CARD_NAMES, Card, card_names
from games.rules.dealing import NumberStream
from games.rules.errors import DuplicateCard
from games.rules.questions import Implausible
from games.rules.record import hands_held
from games.rules.variant import Deal, Variant

FIRST_FIELDS: Final = ("first_bidder", "leader")
"""What `first` is in a game's deal."""


@dataclass(frozen=True, slots=True)
class WantedDeal:
    """Hands by seat, and the kitty; what is left out is dealt by chance.

    `first` bids first, or leads the table, in the games where that is drawn.
    """

    hands: tuple[tuple[Card, ...], ...] = ()
    kitty: tuple[Card, ...] = ()
    first: int | None = None


def deal_lay(variant: Variant[Any], wanted: WantedDeal, *, seed: bytes) -> dict[str, Any]:
    """The deal, in the form that a round stores; chance is drawn from the seed.

    Where the deck is cut, the hands are those after skipped cuts. Raises Implausible and
    DuplicateCard.
    """
    seats = variant.info.seats
    if wanted.first is not None and wanted.first not in range(seats):
        raise Implausible(first="no_such_seat")
    if len(wanted.hands) not in (0, seats):
        raise Implausible(hands="wrong_number_of_seats")
    carry = {} if wanted.first is None else {"leader": wanted.first}
    drawn = variant.deal(NumberStream(seed, "", 1), 1, carry)
    setup = {**drawn.setup, "given": True}
    if wanted.first is not None:
        fields = [name for name in FIRST_FIELDS if name in setup]
        if not fields:
            raise Implausible(first="not_in_this_game")
        setup[fields[0]] = wanted.first
    places, kitty_places = _places(variant, Deal(drawn.deck, setup))
    if wanted.kitty and not kitty_places:
        raise Implausible(kitty="not_in_this_game")
    deck: dict[int, Card] = {}
    for field, cards, room in (
        *(("hands", *pair) for pair in zip(wanted.hands, places, strict=False)),
        ("kitty", wanted.kitty, kitty_places),
    ):
        if len(cards) > len(room) or not set(cards) <= set(drawn.deck):
            raise Implausible(**{field: "out_of_range"})
        if len(set(cards)) < len(cards) or set(cards) & set(deck.values()):
            twice = next(card for card in cards if card in deck.values() or cards.count(card) > 1)
            raise DuplicateCard(card=CARD_NAMES[twice])
        deck.update(zip(room, cards, strict=False))
    taken = set(deck.values())
    others = (card for card in drawn.deck if card not in taken)
    laid = [deck[place] if place in deck else next(others) for place in range(len(drawn.deck))]
    return {"deck": card_names(laid), "setup": setup}


def _places(variant: Variant[Any], deal: Deal) -> tuple[list[list[int]], list[int]]:
    """Where in the deck the cards of each hand lie, and those of nobody: seen by dealing it."""
    state = variant.start(deal)
    while not all(hands := hands_held(variant, state)):
        seat = min(variant.to_act(state))
        state = engine.submit(variant, state, seat, next(variant.legal_moves(state, seat)))
    index = {card: place for place, card in enumerate(deal.deck)}
    places = [[index[card] for card in hand] for hand in hands]
    dealt = {place for hand in places for place in hand}
    return places, [place for place in index.values() if place not in dealt]


def cards_named(wanted: WantedDeal) -> dict[str, Any]:
    """The deal as the contract shows it."""
    return {
        "hands": [card_names(hand) for hand in wanted.hands],
        "kitty": card_names(wanted.kitty) or None,
        "first": wanted.first,
    }
