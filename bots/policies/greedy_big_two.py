"""Big Two as a careful player plays it: few turns to go out, low cards first, power kept back.

The hand is planned first: split into few plays. A lead is a play of the plan, and an answer too
where one follows; otherwise it is the play that costs the plan as few turns as possible, or a pass.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import islice
from typing import ClassVar, Final

from bots.policies.policy import Randomness, left_to_bots
from games.rules.cards import CardSet, card_set
from games.rules.climbing.big_two import BigTwo
from games.rules.moves import Move, Pass, Play
from games.rules.variant import View

FIVES_PLANNED: Final = 40
"""How many plays of five cards are tried as the next part of a plan."""
ANSWERS_TRIED: Final = 8
"""How many answers from outside of the plan are weighed."""
FEW_CARDS: Final = 4
"""A seat with so many cards left may soon go out: power is no longer kept back."""
LAST_TURNS: Final = 3
"""A plan of so few turns is played out without keeping power back."""
TWOS: Final[CardSet] = 0b1111 << 48

Plan = tuple[Play, ...]


class GreedyBigTwo:
    """Plays one house of Big Two."""

    name: ClassVar[str] = "greedy_big_two"
    version: ClassVar[str] = "1"

    def __init__(self, game: BigTwo) -> None:
        self._patterns = game.patterns
        self._plan = lru_cache(maxsize=20_000)(self._make_plan)

    def choose(self, view: View, moves: Iterable[Move], rng: Randomness) -> Move:
        """See `Policy.choose`."""
        choices = list(left_to_bots(moves))
        plays = [move for move in choices if isinstance(move, Play)]
        if view.you is None or not plays:
            return choices[0]
        hand = card_set(view.you.hand)
        others = [seat.cards_left for seat in view.seats if seat.seat != view.you.seat]
        if len(plays[-1].cards) == len(view.you.hand):
            return plays[-1]
        if isinstance(choices[0], Pass):
            return self._answer(hand, plays, min(others)) or choices[0]
        return self._lead(hand, plays, min(others))

    # -- the plan

    def _make_plan(self, hand: CardSet) -> Plan:
        """These cards as few plays, tried greedily; each card is in one of them."""
        plays = list(self._patterns.plays(hand))
        best = self._by_rank(hand, plays)
        fewest_possible = -(-hand.bit_count() // 5)
        fives = (play for play in plays if len(play.cards) == 5)
        for five in islice(fives, FIVES_PLANNED):
            if len(best) == fewest_possible:
                break
            rest = self._plan(hand ^ card_set(five.cards))
            if len(rest) + 1 < len(best):
                best = (five, *rest)
        return best

    def _by_rank(self, hand: CardSet, plays: list[Play]) -> Plan:
        """The plan without plays of five cards: first the largest group of each rank."""
        parts = []
        for play in reversed(plays):
            cards = card_set(play.cards)
            if len(play.cards) < 5 and cards & hand == cards:
                parts.append(play)
                hand ^= cards
        return tuple(parts)

    # -- the lead

    def _lead(self, hand: CardSet, plays: list[Play], fewest: int) -> Play:
        legal = set(plays)
        planned = [play for play in self._plan(hand) if play in legal]
        if fewest == 1:
            larger = [play for play in planned if len(play.cards) > 1]
            return min(larger, key=self._weakest_card) if larger else plays_of_one(plays)[-1]
        return min(planned, key=self._weakest_card)

    def _weakest_card(self, play: Play) -> int:
        return min(self._patterns.strength[card] for card in play.cards)

    # -- the answer

    def _answer(self, hand: CardSet, plays: list[Play], fewest: int) -> Play | None:
        """The play that follows, or None to pass."""
        plan = self._plan(hand)
        if fewest == 1 and len(plays[0].cards) == 1:
            return plays_of_one(plays)[-1]
        urgent = fewest <= FEW_CARDS or len(plan) <= LAST_TURNS
        planned = [play for play in plays if play in plan]
        for play in planned:
            if urgent or not self._is_power(play):
                return play
        spared = [play for play in plays if urgent or not self._is_power(play)]
        costs = [
            (len(self._plan(hand ^ card_set(play.cards))) + 1 - len(plan), place)
            for place, play in enumerate(spared[:ANSWERS_TRIED])
        ]
        cost, place = min(costs, default=(2, 0))
        return spared[place] if cost <= urgent else None

    def _is_power(self, play: Play) -> bool:
        """Worth keeping: a bomb, or a small play with a two in it."""
        reading = self._patterns.classify(play.cards)
        if reading is None or reading.size == 5:
            return reading is not None and self._patterns.is_bomb(reading)
        return bool(card_set(play.cards) & TWOS)


def plays_of_one(plays: list[Play]) -> list[Play]:
    """The singles among these plays, weakest first."""
    return [play for play in plays if len(play.cards) == 1]
