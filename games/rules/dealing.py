"""The deal as a function of its seeds (rule book: Dealing, so that anyone can check it)."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Iterator
from itertools import count
from struct import Struct
from typing import Final

from games.rules.cards import Card

BLOCK: Final = Struct(">8I")
WORD_RANGE: Final = 2**32


def commitment(server_seed: bytes) -> str:
    """What is published before the deal: SHA-256 of the server seed, in hex."""
    return hashlib.sha256(server_seed).hexdigest()


class NumberStream:
    """The number stream of one deal: unsigned 32-bit words from HMAC-SHA256 blocks."""

    def __init__(self, server_seed: bytes, client_seed: str, deal: int) -> None:
        self._words = self._generate(server_seed, client_seed, deal)

    @staticmethod
    def _generate(server_seed: bytes, client_seed: str, deal: int) -> Iterator[int]:
        for block_number in count():
            message = f"{client_seed}:{deal}:{block_number}".encode()
            yield from BLOCK.unpack(hmac.digest(server_seed, message, "sha256"))

    def below(self, n: int) -> int:
        """The next number in 0 … n-1, each equally likely."""
        limit = WORD_RANGE - WORD_RANGE % n
        while True:
            word = next(self._words)
            if word < limit:
                return word % n

    def shuffle(self, ordered_deck: Iterable[Card]) -> tuple[Card, ...]:
        """The deck, shuffled by swaps from its last index down."""
        deck = list(ordered_deck)
        for i in range(len(deck) - 1, 0, -1):
            j = self.below(i + 1)
            deck[i], deck[j] = deck[j], deck[i]
        return tuple(deck)


def deal_singly(deck: Iterable[Card], seats: int) -> tuple[tuple[Card, ...], ...]:
    """The hands when cards go out one at a time from seat 0, in the order in which they come."""
    cards = tuple(deck)
    return tuple(cards[seat::seats] for seat in range(seats))
