"""What chance deals: exact by enumeration of small decks, by counting, and beside seeded deals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from math import comb, prod, sqrt

import pytest

from games.rules.arranging.specials import DEALT_OF_ALL, SUIT_LENGTHS_OF_THREE_FLUSHES
from games.rules.cards import CARDS_BY_NAME, card_names, card_set
from games.rules.chances import Fact, Hands
from games.rules.dealing import NumberStream
from games.rules.moves import Cut, Move
from games.rules.record import deal_to_json
from games.rules.registry import VARIANTS

# --- exact, on decks so small that every deal can be laid out ---

SMALL = Hands(size=4, deck=9)


@pytest.mark.parametrize(
    "fact",
    [
        pytest.param(SMALL.marked("marked", card_set((0, 1, 2))), id="three marked cards"),
        pytest.param(SMALL.whole_sets("pairs", 0b11, 0b1100, 0b110000), id="three pairs"),
        pytest.param(SMALL.whole_sets("pair", 0b11), id="one pair"),
    ],
)
def test_mean_variance_and_covariance_are_those_of_all_deals(fact: Fact) -> None:
    counts = []
    for hand in combinations(range(9), 4):
        rest = [card for card in range(9) if card not in hand]
        counts += [
            (fact.count(card_set(hand)), fact.count(card_set(other)))
            for other in combinations(rest, 4)
        ]
    assert len(counts) == comb(9, 4) * comb(5, 4)

    def mean(of: Callable[[int, int], int]) -> Fraction:
        return Fraction(sum(of(one, other) for one, other in counts), len(counts))

    assert fact.mean == mean(lambda one, _: one) > 0
    assert fact.variance == mean(lambda one, _: one**2) - fact.mean**2
    assert fact.covariance == mean(lambda one, other: one * other) - fact.mean**2


# --- the special hands, counted by ranks and by suits ---

Suits = tuple[int, ...]
SUBSETS = list(product((0, 1), repeat=4))


def is_three_flushes(suits: Suits) -> bool:
    shortest, *others = sorted(suits)
    return shortest == 0 and tuple(others) in SUIT_LENGTHS_OF_THREE_FLUSHES


@cache
def by_suits(ranks: Suits) -> Counter[Suits]:
    """How many hands with so many cards of each rank have so many of each suit.

    It does not matter of which rank they are: `ranks` are asked for in order, which saves work.
    """
    found = Counter({(0, 0, 0, 0): 1})
    for held in ranks:
        longer: Counter[Suits] = Counter()
        for suits, hands in found.items():
            for subset in SUBSETS:
                if sum(subset) == held:
                    longer[tuple(map(sum, zip(suits, subset, strict=True)))] += hands
        found = longer
    return found


def hands_of(ranks: Suits) -> int:
    return prod(comb(4, held) for held in ranks)


def flushes_of(ranks: Suits) -> int:
    of_suits = by_suits(tuple(sorted(ranks)))
    return sum(hands for suits, hands in of_suits.items() if is_three_flushes(suits))


def runs(size: int) -> list[Counter[int]]:
    """The ace is rank 0, low or high."""
    return [Counter((start + step) % 13 for step in range(size)) for start in range(15 - size)]


def all_three_runs() -> set[Suits]:
    found = set()
    for front in runs(3):
        for middle, back in combinations_with_replacement(runs(5), 2):
            held = front + middle + back
            found.add(tuple(held[rank] for rank in range(13)))
    return {ranks for ranks in found if max(ranks) <= 4}


def six_pairs_by_suits() -> Counter[Suits]:
    """How many hands of six pairs and a single card have so many of each suit."""
    found = Counter({(0, (0, 0, 0, 0)): 1})
    for _ in range(13):
        longer: Counter[tuple[int, Suits]] = Counter()
        for (pairs, suits), hands in found.items():
            for subset in SUBSETS:
                grown = tuple(map(sum, zip(suits, subset, strict=True)))
                paired = pairs + sum(subset) // 2
                if sum(grown) <= min(13, 2 * paired + 1):  # one card at most without another
                    longer[paired, grown] += hands
        found = longer
    counted: Counter[Suits] = Counter()
    for (pairs, suits), hands in found.items():
        if pairs == 6 and sum(suits) == 13:
            counted[suits] += hands
    return counted


def test_the_special_hands_are_counted_right() -> None:
    dragon = (1,) * 13
    straights = all_three_runs()
    assert dragon in straights
    # No hand of three straights is six pairs, so the two never meet.
    assert not any(sum(held // 2 for held in ranks) == 6 for ranks in straights)
    flushes = sum(
        prod(comb(13, held) for held in suits)
        for suits in product(range(14), repeat=4)
        if sum(suits) == 13 and is_three_flushes(suits)
    )
    six_pairs = six_pairs_by_suits()
    assert {
        "dragon": hands_of(dragon),
        "three_flushes": flushes - flushes_of(dragon),
        "three_straights": sum(
            hands_of(ranks) - flushes_of(ranks) for ranks in straights - {dragon}
        ),
        "six_pairs": sum(
            hands for suits, hands in six_pairs.items() if not is_three_flushes(suits)
        ),
    } == DEALT_OF_ALL


# --- beside deals ---

DEALS = 3000


def naive(fact: str, game: str, hand: list[str]) -> int:
    """The same number, from the names of the cards."""
    ranks = Counter(card[0] for card in hand if card not in ("BJ", "RJ"))
    fixed = {
        "jokers": len({"BJ", "RJ"} & set(hand)),
        "rocket": int({"BJ", "RJ"} <= set(hand)),
        "twos": ranks["2"],
        "aces": ranks["A"],
        "four_of_a_kind": sum(held == 4 for held in ranks.values()),
        "dragon": int(len(ranks) == 13),
    }
    if fact in fixed:
        return fixed[fact]
    suits = Counter(card[1] for card in hand)
    if fixed["dragon"]:
        return 0
    flushes = is_three_flushes(tuple(suits[suit] for suit in "CDHS"))
    held = tuple(ranks[rank] for rank in "A23456789TJQK")
    straights = held in STRAIGHTS
    six_pairs = sum(count // 2 for count in held) == 6
    highest = {
        "three_flushes": flushes,
        "three_straights": straights and not flushes,
        "six_pairs": six_pairs and not straights and not flushes,
    }
    return int(highest[fact])


STRAIGHTS = all_three_runs()


@pytest.mark.parametrize("game", VARIANTS)
def test_seeded_deals_hold_what_is_counted_and_what_chance_says(game: str) -> None:
    variant = VARIANTS[game]
    facts = variant.dealt_facts()
    assert len(facts) >= 2
    totals: Counter[str] = Counter()
    first_seats: Counter[str] = Counter()
    for number in range(DEALS):
        deal = variant.deal(NumberStream(number.to_bytes(32, "big"), "", 1), 1, {"leader": 0})
        record = deal_to_json(variant, deal, no_cuts(game))
        for seat, hand in enumerate(record["hands"]):
            cards = card_set(CARDS_BY_NAME[name] for name in hand)
            for fact in facts:
                count = fact.count(cards)
                assert count == naive(fact.name, game, hand), (fact.name, card_names(deal.deck))
                totals[fact.name] += count
                first_seats[fact.name] += count * (seat < 2)
    seats = variant.info.seats
    for fact in facts:
        for count, dealt_to in ((totals, seats), (first_seats, 2)):
            expected = float(DEALS * dealt_to * fact.mean)
            spread = dealt_to * fact.variance + dealt_to * (dealt_to - 1) * fact.covariance
            assert abs(count[fact.name] - expected) <= 4 * sqrt(DEALS * spread) + 1e-6, fact.name


def no_cuts(game: str) -> list[tuple[int, Move]]:
    return [(seat, Cut(0)) for seat in (1, 2, 3)] if game == "thirteen" else []


def test_all_four_twos_are_always_dealt() -> None:
    """Over all the seats of a deal there is no chance left in it."""
    (twos, _) = VARIANTS["big-two-tw"].dealt_facts()
    assert twos.mean == 1
    assert 4 * twos.variance + 12 * twos.covariance == 0
