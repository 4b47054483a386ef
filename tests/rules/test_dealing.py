"""Dealing, so that anyone can check it: the number stream, and the deals of the shared vectors."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from typing import Any

import pytest

from games.rules.cards import DECK_52, card_names
from games.rules.dealing import NumberStream, commitment, deal_singly
from games.rules.registry import VARIANTS
from tests.rules.vectors import load

DEALS = load("deals.jsonl")
BIG_TWO_DEALS = [case for case in DEALS if case["game"].startswith("big-two-")]

SEED = bytes(range(32))


@pytest.mark.parametrize("case", DEALS)
def test_the_commitment_is_the_hash_of_the_server_seed(case: dict[str, Any]) -> None:
    assert commitment(bytes.fromhex(case["server_seed"])) == case["commitment"]


@pytest.mark.parametrize("case", BIG_TWO_DEALS)
def test_big_two_deals(case: dict[str, Any]) -> None:
    variant = VARIANTS[case["game"]]
    stream = NumberStream(bytes.fromhex(case["server_seed"]), case["client_seed"], case["deal"])
    deal = variant.deal(stream, case["deal"], {})
    assert deal.setup == {"deal": case["deal"]}
    assert [card_names(hand) for hand in deal_singly(deal.deck, 4)] == case["hands"]
    state = variant.start(deal)
    for seat, hand in enumerate(case["hands"]):
        you = variant.view(state, seat).you
        assert you is not None
        assert sorted(card_names(you.hand)) == sorted(hand)


def words(client_seed: str, deal: int, block: int) -> list[int]:
    """The eight words of one block, straight from the rule book."""
    message = f"{client_seed}:{deal}:{block}".encode()
    digest = hmac.new(SEED, message, hashlib.sha256).digest()
    return [int.from_bytes(digest[i : i + 4], "big") for i in range(0, 32, 4)]


def test_the_stream_goes_on_in_the_next_block() -> None:
    stream = NumberStream(SEED, "四葉", 2)
    expected = words("四葉", 2, 0) + words("四葉", 2, 1)
    assert [stream.below(2**32) for _ in range(16)] == expected


def test_a_word_in_the_last_part_of_the_range_is_dropped() -> None:
    n = 3 * 2**30  # a quarter of all words is dropped
    stream = NumberStream(SEED, "", 1)
    expected = [word for block in range(4) for word in words("", 1, block) if word < n]
    assert len(expected) < 32
    assert [stream.below(n) for _ in expected] == expected


def test_the_shuffle_swaps_from_the_last_card_down() -> None:
    numbers = iter([0, 1, 0])

    class Scripted(NumberStream):
        def below(self, n: int) -> int:
            number = next(numbers)
            assert number < n
            return number

    # 0123 -> swap 3,0 -> 3120 -> swap 2,1 -> 3210 -> swap 1,0 -> 2310
    assert Scripted(SEED, "", 1).shuffle((0, 1, 2, 3)) == (2, 3, 1, 0)


def test_the_same_seeds_give_the_same_deal_and_others_another() -> None:
    def shuffled(server_seed: bytes, client_seed: str, deal: int) -> tuple[int, ...]:
        return NumberStream(server_seed, client_seed, deal).shuffle(DECK_52)

    deck = shuffled(SEED, "a", 1)
    assert shuffled(SEED, "a", 1) == deck
    others = {shuffled(SEED, "b", 1), shuffled(SEED, "a", 2), shuffled(bytes(32), "a", 1)}
    assert len({deck, *others}) == 4
    assert all(sorted(other) == list(DECK_52) for other in others)


def test_cards_go_out_one_at_a_time_from_seat_0() -> None:
    assert deal_singly((5, 6, 7, 8, 9, 10, 11, 12), 4) == ((5, 9), (6, 10), (7, 11), (8, 12))


def test_numbers_below_n_are_equally_likely() -> None:
    stream = NumberStream(SEED, "even", 1)
    counts = Counter(stream.below(6) for _ in range(6_000))
    assert sorted(counts) == list(range(6))
    assert all(900 < count < 1100 for count in counts.values())
