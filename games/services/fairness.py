"""What was dealt, counted with each settlement.

Not with the deal: whoever looks at the counts then would learn what the others hold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from games.models import DealTally, Round, SeatKind
from games.rules.cards import card_set
from games.rules.record import hands_held
from games.rules.variant import Variant
from games.selectors.fairness import HANDS, PAIRS
from games.selectors.live import deal_from_json

DEALS: Final = ("", "deals")

TallyCounts = Counter[tuple[str, str]]
"""Counts by seat kind and fact; DEALS are those to all seats."""


def deals_tally(variant: Variant[Any], round_: Round, state: Any) -> None:
    """Count every deal of the round that has just ended in this state."""
    tally_add(variant.info.slug, deals_count(variant, round_, state))


def tally_add(game: str, added: Mapping[tuple[str, str], int]) -> None:
    """Move the game's counts by these, which may be below 0.

    All tables of a game add to one row; it is locked after all others, so nobody waits in a ring.
    """
    tally, _ = DealTally.objects.select_for_update().get_or_create(game=game)
    counts = tally_counts(tally)
    counts.update(added)
    tally.deals = counts.pop(DEALS, 0)
    tally.counts = {}
    for (dealt_to, fact), count in counts.items():
        if count:
            tally.counts.setdefault(dealt_to, {})[fact] = count
    tally.save()


def tally_counts(tally: DealTally) -> TallyCounts:
    """What a game's row holds."""
    counts = TallyCounts({DEALS: tally.deals})
    for dealt_to, facts in tally.counts.items():
        counts.update({(dealt_to, fact): count for fact, count in facts.items()})
    return counts


def deals_count(variant: Variant[Any], round_: Round, state: Any) -> TallyCounts:
    """Every deal of a round that ended in this state."""
    kinds = [SeatKind.BOT if player is None else SeatKind.HUMAN for player in round_.players]
    counts = TallyCounts({DEALS: len(round_.deals)})
    for deal in round_.deals:
        hands = hands_held(variant, variant.start(deal_from_json(deal)))
        if not all(hands):  # they were dealt after the cuts
            hands = hands_held(variant, state)
        for kind, hand in zip(kinds, hands, strict=True):
            held = card_set(hand)
            for fact in variant.dealt_facts():
                counts[kind.value, fact.name] += fact.count(held)
        for kind, seats in Counter(kinds).items():
            counts[kind.value, HANDS] += seats
            counts[kind.value, PAIRS] += seats * (seats - 1)
    return counts
