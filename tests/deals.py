"""Server seeds that deal what a test needs; only the draw of the seed is replaced, not the deal."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable
from functools import cache

import pytest

from games.rules.cards import card_names
from games.rules.dealing import NumberStream, deal_singly
from games.rules.registry import VARIANTS

Hands = list[list[str]]

DRAWING = ("games.services.rounds", "games.services.sessions")


def hands_of(seed: bytes, game: str = "big-two-tw", client_seed: str = "") -> Hands:
    deal = VARIANTS[game].deal(NumberStream(seed, client_seed, 1), 1, {})
    return [card_names(hand) for hand in deal_singly(deal.deck, VARIANTS[game].info.seats)]


def seed_where(wanted: Callable[[Hands], bool]) -> bytes:
    """The first of a fixed row of seeds whose hands are as wanted."""
    for number in range(100_000):
        seed = number.to_bytes(32, "big")
        if wanted(hands_of(seed)):
            return seed
    raise AssertionError("no such deal")


@cache
def host_leads() -> bytes:
    """Seat 0 holds the opening card and a pair."""
    return seed_where(lambda hands: "3C" in hands[0] and "3D" in hands[0])


@cache
def host_follows() -> bytes:
    """Seat 3 holds the opening card, so that seat 0 acts second."""
    return seed_where(lambda hands: "3C" in hands[3])


@cache
def redeal(caller: int, leader: int, *, qualifies: bool = True) -> bytes:
    """Big Two (Hong Kong): `leader` holds the opening card; `caller`, and nobody else, may call for
    a redeal; without `qualifies` nobody may."""
    expected = [qualifies and seat == caller for seat in range(4)]

    def wanted(hands: Hands) -> bool:
        return "3D" in hands[leader] and [may_call(hand) for hand in hands] == expected

    return seed_where(wanted)


def may_call(hand: list[str]) -> bool:
    """Exactly two of J, Q, K, and no ace and no 2."""
    ranks = [card[0] for card in hand]
    return sum(rank in "JQK" for rank in ranks) == 2 and not set("A2") & set(ranks)


def deals_follow_from(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Let the server seeds be a row of its own for each name."""
    draws = itertools.count()

    def draw() -> bytes:
        return hashlib.sha256(f"{name} {next(draws)}".encode()).digest()

    for module in DRAWING:
        monkeypatch.setattr(f"{module}.server_seed_draw", draw)


def deal_from(monkeypatch: pytest.MonkeyPatch, seed: bytes) -> None:
    """Let every server seed be this one."""
    for module in DRAWING:
        monkeypatch.setattr(f"{module}.server_seed_draw", lambda: seed)
