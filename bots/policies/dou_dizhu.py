"""Dou Dizhu as a careful player plays it: few turns to go out, bombs kept, partners left alone.

The hand is first planned by rank: split into the fewest plays, bombs and the rocket not counted,
since they win the lead back. A lead is the lowest play of the plan; an answer is the play that
costs the plan the fewest turns.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import ClassVar, Final, NamedTuple

from bots.policies.policy import Randomness
from games.rules.cards import CardSet, card_set
from games.rules.moves import Bid, Move, Pass
from games.rules.variant import OwnView, Phase, View
from games.rules.variants.dou_dizhu.patterns import POWER, ROCKET_COUNTS, SHAPES, Reading
from games.rules.variants.dou_dizhu.patterns import readings_of_counts as readings_of
from games.rules.variants.dou_dizhu.plays import chains
from games.rules.variants.dou_dizhu.ranks import (
    ALL_RANKS,
    CHAIN_RANKS,
    RankCounts,
    groups,
    rank_counts,
    ranks_held,
    runs,
    units,
)
from games.rules.variants.dou_dizhu.variant import DouDizhu

BIDDING_DEAL: Final = 3
"""From this deal of a round on somebody bids, so that bots do not pass for ever."""
POINTS_FOR_BID: Final = ((8, 3), (6, 2), (5, 1))
"""(points of the hand at least, bid): see `DouDizhuPlayer.points`.

Among equals a landlord of 5 points wins every second round, one of 8 points two of three.
"""
FEW_CARDS: Final = 4
"""An opponent with so many cards left may soon go out: power is no longer kept back."""
LAST_TURNS: Final = 2
"""A plan of so few turns is played out without keeping power back."""
TWO: Final = 12
JACK: Final = 8


class Part(NamedTuple):
    """A play of a plan, by rank."""

    pattern: str
    counts: RankCounts

    @property
    def is_bomb(self) -> bool:
        """Is it a bomb or the rocket?"""
        return self.pattern in POWER


Plan = tuple[Part, ...]


def turns(plan: Plan) -> int:
    """How many times this plan needs the lead, or a trick that it fits."""
    return sum(not part.is_bomb for part in plan)


class RandomDouDizhu:
    """Picks blindly, but bids where a bot has to."""

    name: ClassVar[str] = "random_dou_dizhu"
    version: ClassVar[str] = "1"

    def choose(self, view: View, moves: Iterable[Move], rng: Randomness) -> Move:
        """See `Policy.choose`."""
        choices = [move for move in moves if move != Bid(0) or not must_bid(view)]
        return choices[rng.randrange(len(choices))]


def must_bid(view: View) -> bool:
    """Has nobody bid in a deal in which a bot bids?"""
    return (
        view.deal >= BIDDING_DEAL
        and view.phase is Phase.BIDDING
        and view.bidding is not None
        and view.bidding.highest == 0
    )


class DouDizhuPlayer:
    """Plays one house of Dou Dizhu."""

    name: ClassVar[str] = "greedy_dou_dizhu"
    version: ClassVar[str] = "1"

    def __init__(self, game: DouDizhu) -> None:
        self._game = game
        self._plan = lru_cache(maxsize=50_000)(self._make_plan)

    def choose(self, view: View, moves: Iterable[Move], rng: Randomness) -> Move:
        """See `Policy.choose`. The moves are not listed: most are not worth a look.

        Raises StopIteration where the seat has no move.
        """
        if view.you is None or not view.you.actions:
            return next(iter(moves))
        hand = card_set(view.you.hand)
        if view.phase is Phase.BIDDING:
            return self._bid(view, rank_counts(hand))
        on = self._reading_to_beat(view)
        part = self._lead(view, view.you, hand) if on is None else self._answer(view, hand, on)
        return Pass() if part is None else self._game.listed_play(hand, *part)

    # -- the bid

    def _bid(self, view: View, hand: RankCounts) -> Bid:
        points = self.points(hand)
        wanted = next((bid for least, bid in POINTS_FOR_BID if points >= least), 0)
        wanted = min(wanted, self._game.config.highest_bid)
        highest = 0 if view.bidding is None else view.bidding.highest
        if wanted > highest:
            return Bid(wanted)
        return Bid(1 if must_bid(view) else 0)

    def points(self, hand: RankCounts) -> int:
        """What a hand is worth to a landlord: its high cards and bombs, less its many turns."""
        held = ranks_held(hand)
        high = sum(
            worth * (hand >> shift & 15)
            for shift, worth in ((56, 4), (52, 3), (4 * TWO, 2), (4 * TWO - 4, 1))
        )
        bombs = held[4].bit_count() + (hand & ROCKET_COUNTS == ROCKET_COUNTS)
        return high + 3 * bombs - max(0, turns(self._plan(hand)) - 7)

    # -- the plan

    def _make_plan(self, hand: RankCounts) -> Plan:
        """These cards as few plays; each card is in one of them."""
        best = self._without_chains(hand)
        held = ranks_held(hand)
        for pattern in ("straight", "pair_chain"):
            shape = SHAPES[pattern]
            for chain in chains(held[shape.group] & CHAIN_RANKS, shape.group, shape.min_length):
                rest = self._plan(hand - chain)
                if turns(rest) + 1 < turns(best):
                    best = (Part(pattern, chain), *rest)
        return best

    def _without_chains(self, hand: RankCounts) -> Plan:
        """The plan without straights and pair chains: first the largest group of each rank."""
        held = ranks_held(hand)
        parts = [Part("bomb", bomb) for bomb in groups(held[4], 4)]
        if hand & ROCKET_COUNTS == ROCKET_COUNTS:
            parts.append(Part("rocket", ROCKET_COUNTS))
            hand -= ROCKET_COUNTS
        singles = list(units(hand & ~held[2] & ALL_RANKS))
        pairs = list(groups(held[2] & ~held[3], 2))
        for body in longest_runs(held[3] & ~held[4]):
            length = body.bit_count()
            core = 3 * body
            name = "airplane" if length > 1 else "triple"
            # The lowest cards go as wings, the highest are worth turns of their own.
            if len(singles) >= length:
                core += sum(singles[:length])
                del singles[:length]
                name += "_with_singles" if length > 1 else "_with_single"
            elif len(pairs) >= length:
                core += sum(pairs[:length])
                del pairs[:length]
                name += "_with_pairs" if length > 1 else "_with_pair"
            parts.append(Part(name, core))
        parts += [Part("pair", pair) for pair in pairs]
        parts += [Part("single", single) for single in singles]
        return tuple(parts)

    # -- the lead

    def _lead(self, view: View, you: OwnView, hand: CardSet) -> Part:
        plan = self._plan(rank_counts(hand))
        if len(plan) == 1:
            return plan[0]
        quiet = [part for part in plan if not part.is_bomb] or list(plan)
        lowest = min(quiet, key=self._rank)
        singles = [part for part in quiet if part.pattern == "single"]
        if self._fewest_cards_of_opponents(view) == 1:
            others = [part for part in quiet if part not in singles]
            return min(others, key=self._rank) if others else max(quiet, key=self._rank)
        next_seat = view.seats[(you.seat + 1) % len(view.seats)]
        if singles and next_seat.cards_left == 1:  # it is the partner's
            return min(singles, key=self._rank)
        return lowest

    def _rank(self, part: Part) -> int:
        return self._reading(part).rank

    def _reading(self, part: Part) -> Reading:
        found = readings_of(part.counts, self._game.config.wings)
        return next(reading for reading in found if reading.pattern == part.pattern)

    # -- the answer

    def _answer(self, view: View, hand: CardSet, on: Reading) -> Part | None:
        """The play that follows, or None to pass."""
        plays = [
            Part(pattern, counts)
            for pattern, group in self._game.play_groups(hand, on)
            for counts in group
        ]
        counts = rank_counts(hand)
        last = [part for part in plays if part.counts == counts]
        if last or not plays:
            return last[0] if last else None
        quiet = [part for part in plays if not part.is_bomb]
        if self._is_partners(view):
            return self._over_partner(view, counts, quiet, on)
        fewest = self._fewest_cards_of_opponents(view)
        if fewest == 1 and on.pattern == "single":
            return max(quiet or plays, key=self._rank)
        urgent = fewest <= FEW_CARDS or turns(self._plan(counts)) <= LAST_TURNS
        cost, part = self._cheapest(counts, quiet, on, urgent)
        if part is not None and cost <= (2 if urgent else 0):
            return part
        bombs = [part for part in plays if part.is_bomb]
        return bombs[0] if bombs and urgent else None

    def _over_partner(
        self, view: View, hand: RankCounts, quiet: Sequence[Part], on: Reading
    ) -> Part | None:
        """A partner is beaten only to go out next, or to stop a landlord with one card left."""
        if on.pattern == "single" and quiet and self._landlord_is_next_with_one_card(view):
            return max(quiet, key=self._rank)
        to_go_out = [part for part in quiet if turns(self._plan(hand - part.counts)) <= 1]
        return max(to_go_out, key=self._rank, default=None)

    def _cheapest(
        self, hand: RankCounts, quiet: Sequence[Part], on: Reading, urgent: bool
    ) -> tuple[int, Part | None]:
        """The play that costs the fewest turns, the lowest of those, and how many it costs."""
        before = turns(self._plan(hand))
        costs = []
        for place, part in enumerate(quiet):
            cost = turns(self._plan(hand - part.counts)) + 1 - before
            if not urgent and on.rank < JACK and self._rank(part) >= TWO:
                cost += 1
            costs.append((cost, place))
        cost, place = min(costs, default=(0, -1))
        return cost, quiet[place] if place >= 0 else None

    # -- the table

    def _reading_to_beat(self, view: View) -> Reading | None:
        if view.trick is None or view.trick.to_beat is None:
            return None
        laid = view.trick.to_beat
        found = self._game.readings(card_set(laid.cards))
        return next(reading for reading in found if reading.pattern == laid.pattern)

    def _fewest_cards_of_opponents(self, view: View) -> int:
        """The cards left of the opponent who has the fewest."""
        own_role = self._own_role(view)
        return min(seat.cards_left for seat in view.seats if seat.role != own_role)

    def _own_role(self, view: View) -> str | None:
        return None if view.you is None else view.seats[view.you.seat].role

    def _is_partners(self, view: View) -> bool:
        """Is the play to beat the other farmer's?"""
        if view.trick is None or view.trick.to_beat is None:
            return False
        return view.seats[view.trick.to_beat.seat].role == self._own_role(view)

    def _landlord_is_next_with_one_card(self, view: View) -> bool:
        if view.you is None:
            return False
        seat = view.seats[(view.you.seat + 1) % len(view.seats)]
        return seat.role == "landlord" and seat.cards_left == 1


def longest_runs(ranks: int) -> list[int]:
    """These ranks as runs of consecutive ranks, each as long as it can be, from low to high."""
    found = []
    in_chains = ranks & CHAIN_RANKS
    while in_chains:
        lowest = in_chains & -in_chains
        run = next(
            run for of_length in reversed(runs(in_chains)) for run in of_length if run & lowest
        )
        found.append(run)
        in_chains ^= run
    return found + list(units(ranks & ~CHAIN_RANKS))
