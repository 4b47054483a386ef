"""Laws that every game obeys, over random play-outs of every registered variant."""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterator
from dataclasses import replace
from itertools import count, islice, product
from math import prod
from typing import Any, NamedTuple

import pytest

from games.rules.cards import Card
from games.rules.dealing import NumberStream
from games.rules.engine import replay, submit
from games.rules.errors import RuleViolation
from games.rules.moves import (
    AnswerRedeal,
    Arrange,
    Bid,
    CallRedeal,
    Cut,
    Declare,
    Extend,
    Move,
    Pass,
    Play,
)
from games.rules.outcome import Ending
from games.rules.registry import VARIANTS
from games.rules.variant import Deal, Kind, Phase, Variant

SUITS_DO_NOT_MATTER = {"dou-dizhu"}
KITTY_SIZE = {"dou-dizhu": 3}
MOST_SUBSETS = 4096
"""Hands with more are not tried out."""
DEALT_OUT = (Phase.PLAYING, Phase.ARRANGING)
"""The phases in which every card is in a hand."""
LISTED = 300
"""A move is picked among so many: an arranging game lists 72,072 for a hand."""

every_variant = pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS.keys())


def variants_of(kind: Kind) -> pytest.MarkDecorator:
    games = {slug: game for slug, game in VARIANTS.items() if game.info.kind is kind}
    return pytest.mark.parametrize("variant", games.values(), ids=games.keys())


climbing_variants = variants_of(Kind.CLIMBING)
arranging_variants = variants_of(Kind.ARRANGING)


class Step(NamedTuple):
    """A move of a play-out and the state in which it was made."""

    state: Any
    seat: int
    move: Move


class PlayOut(NamedTuple):
    """A random round; `end` is its last state."""

    deal: Deal
    steps: list[Step]
    end: Any

    def log(self, length: int | None = None) -> list[tuple[int, Move]]:
        return [(step.seat, step.move) for step in self.steps[:length]]


def play_out(variant: Variant[Any], seed: int) -> PlayOut:
    numbers = NumberStream(seed.to_bytes(32, "big"), "laws", 1)
    return play_from(variant, variant.deal(numbers, 1, {}), random.Random(seed))


def play_from(variant: Variant[Any], deal: Deal, rng: random.Random) -> PlayOut:
    state = variant.start(deal)
    steps: list[Step] = []
    while variant.to_act(state):
        assert len(steps) < 1000
        assert variant.outcome(state) is None
        seat = rng.choice(sorted(variant.to_act(state)))
        move = rng.choice(list(islice(variant.legal_moves(state, seat), LISTED)))
        steps.append(Step(state, seat, move))
        state = submit(variant, state, seat, move)
    return PlayOut(deal, steps, state)


def hand_of(variant: Variant[Any], state: Any, seat: int) -> tuple[Card, ...]:
    you = variant.view(state, seat).you
    assert you is not None
    return you.hand


@every_variant
def test_a_round_ends_and_its_points_sum_to_zero(variant: Variant[Any]) -> None:
    endings = set()
    for seed in range(30):
        end = play_out(variant, seed).end
        outcome = variant.outcome(end)
        assert outcome is not None
        endings.add(outcome.ending)
        assert len(outcome.points) == variant.info.seats
        assert sum(outcome.points) == 0
        paid = [0] * variant.info.seats
        for transfer in outcome.transfers:
            assert transfer.points >= 0
            paid[transfer.from_seat] -= transfer.points
            paid[transfer.to_seat] += transfer.points
        assert tuple(paid) == outcome.points
        assert not any(list(variant.legal_moves(end, seat)) for seat in range(variant.info.seats))
    assert Ending.SETTLED in endings


@every_variant
def test_a_game_has_no_phase_move_or_reason_besides_those_that_it_names(
    variant: Variant[Any],
) -> None:
    info = variant.info
    phases: set[str] = set()
    moves: set[str] = set()
    reasons: set[str] = set()
    for seed in range(30):
        played = play_out(variant, seed)
        states = [*(step.state for step in played.steps), played.end]
        phases |= {variant.view(state, None).phase for state in states}
        moves |= {step.move.type for step in played.steps}
        outcome = variant.outcome(played.end)
        assert outcome is not None
        reasons |= {line.code for paid in outcome.transfers for line in paid.reasons}
    assert phases <= set(info.phases)
    assert moves <= set(info.move_types)
    assert reasons <= set(info.reasons)


@every_variant
def test_the_log_replays_to_the_same_state(variant: Variant[Any]) -> None:
    for seed in range(10):
        played = play_out(variant, seed)
        assert replay(variant, played.deal, played.log()) == played.end


@every_variant
def test_a_move_never_changes_the_state_that_it_is_made_in(variant: Variant[Any]) -> None:
    played = play_out(variant, 5)
    viewers = (None, *range(variant.info.seats))
    for length, step in enumerate(played.steps):
        afresh = replay(variant, played.deal, played.log(length))
        assert step.state == afresh
        for viewer in viewers:
            assert variant.view(step.state, viewer) == variant.view(afresh, viewer)


@every_variant
def test_decisions_go_up_with_each_move_in_turn_and_when_the_last_has_answered(
    variant: Variant[Any],
) -> None:
    played = play_out(variant, 6)
    states = [*(step.state for step in played.steps), played.end]
    assert variant.decisions(states[0]) == 0
    for step, after in zip(played.steps, states[1:], strict=True):
        closed = variant.decisions(after) - variant.decisions(step.state)
        if isinstance(step.move, (Play, Pass, Bid, CallRedeal)):
            assert closed == 1
        else:
            somebody_has_acted = any(seat.has_acted for seat in variant.view(after, None).seats)
            assert closed == (after is played.end or not somebody_has_acted)
    assert variant.decisions(played.end) > variant.decisions(played.steps[-1].state)


@every_variant
def test_the_whole_deck_is_dealt(variant: Variant[Any]) -> None:
    played = next(
        played
        for played in (play_out(variant, seed) for seed in count(7))
        if variant.view(played.steps[-1].state, None).phase in DEALT_OUT
    )
    deck = list(range(variant.info.deck_size))
    assert sorted(played.deal.deck) == deck
    dealt = next(
        step.state for step in played.steps if variant.view(step.state, None).phase in DEALT_OUT
    )
    hands = [hand_of(variant, dealt, seat) for seat in range(variant.info.seats)]
    assert sorted(card for hand in hands for card in hand) == deck
    assert [seat.cards_left for seat in variant.view(dealt, None).seats] == list(map(len, hands))


# -- `play` accepts exactly the legal moves


def form_of(variant: Variant[Any], move: Move) -> Hashable:
    """What a move comes to: the order of cards says nothing, and a listed play stands for its like.

    `legal_moves` says of itself what it lists once: a set of cards, in Dou Dizhu a set of ranks.
    """
    if isinstance(move, Play):
        suitless = variant.info.slug in SUITS_DO_NOT_MATTER
        return tuple(sorted(card >> 2 if suitless and card < 52 else card for card in move.cards))
    if isinstance(move, Arrange):
        rows = (move.front, move.middle, move.back)
        return (*map(frozenset, rows), move.accept_foul)
    return move


def all_forms(variant: Variant[Any], legal: list[Move]) -> set[Hashable]:
    """What these moves come to. Rows that are no foul may be sent with `accept_foul` too."""
    said = [replace(move, accept_foul=True) for move in legal if isinstance(move, Arrange)]
    return {form_of(variant, move) for move in (*legal, *said)}


def candidates(variant: Variant[Any], hand: tuple[Card, ...], rng: random.Random) -> Iterator[Move]:
    """Moves that a seat with this hand may try, good and bad."""
    yield from (Pass(), CallRedeal(), AnswerRedeal(True), AnswerRedeal(False), Declare(), Extend())
    yield from map(Bid, range(5))
    yield from map(Cut, (-1, 0, 1, 51, 52))
    yield Play(())
    yield Play(hand[:1] * 2)
    for _ in range(25):
        size = min(rng.choice((1, 2, 3, 4, 5, 5, 6)), len(hand))
        yield Play(tuple(rng.sample(hand, size)))
        yield Play(tuple(rng.sample(range(variant.info.deck_size), max(size, 1))))
        of_one_rank = [card for card in hand if card >> 2 == rng.choice(hand or (0,)) >> 2]
        yield Play(tuple(of_one_rank))
    for _ in range(3):
        mixed = rng.sample(hand, len(hand))
        front, middle, back = tuple(mixed[:3]), tuple(mixed[3:8]), tuple(mixed[8:])
        yield Arrange(front, middle, back)
        yield Arrange(front, middle, back, accept_foul=True)
        yield Arrange(front[:2], middle, back)


def accepts(variant: Variant[Any], state: Any, seat: int, move: Move) -> bool:
    try:
        submit(variant, state, seat, move)
    except RuleViolation:
        return False
    return True


def steps_to_try(variant: Variant[Any], steps: list[Step]) -> list[Step]:
    """Some steps from all over a play-out; where listings are long, one of each phase."""
    if variant.info.kind is Kind.ARRANGING:
        return list({variant.view(step.state, None).phase: step for step in steps}.values())
    return steps[::4]


@every_variant
def test_play_accepts_exactly_the_legal_moves(variant: Variant[Any]) -> None:
    rng = random.Random(8)
    accepted = refused = 0  # of the moves tried, listed ones not counted
    for seed in range(1 if variant.info.kind is Kind.ARRANGING else 5):
        played = play_out(variant, seed)
        made = [step.move for step in played.steps]
        for state, seat, _ in steps_to_try(variant, played.steps):
            legal = list(variant.legal_moves(state, seat))
            for move in rng.sample(legal, min(len(legal), 60)):
                assert accepts(variant, state, seat, move), move
            known = all_forms(variant, legal)
            hand = hand_of(variant, state, seat)
            for move in [*candidates(variant, hand, rng), *rng.sample(made, min(len(made), 15))]:
                expected = form_of(variant, move) in known
                if isinstance(move, Play):
                    move = Play(move.cards)
                    expected &= set(move.cards) <= set(hand)
                    expected &= len(set(move.cards)) == len(move.cards)
                assert accepts(variant, state, seat, move) == expected, move
                accepted += expected
                refused += not expected
    assert accepted >= 3
    assert refused >= 80


def rigged_play_out(variant: Variant[Any], seed: int) -> PlayOut:
    """A random round with hands of fours and suited runs, which are rare in a shuffled deck."""
    rng = random.Random(seed)
    left = set(range(variant.info.deck_size))
    order: list[Card] = []
    while left:
        first = rng.choice(sorted(left))
        one_rank = {card for card in left if card < 52 and card >> 2 == first >> 2}
        one_suit = {card for card in range(first, first + 20, 4) if card in left}
        together = sorted(rng.choice((one_rank, one_suit)) | {first})
        order += together
        left -= set(together)
    seats, kitty = variant.info.seats, KITTY_SIZE.get(variant.info.slug, 0)
    size = (len(order) - kitty) // seats
    hands = [order[seat * size : (seat + 1) * size] for seat in range(seats)]
    deck = [card for row in zip(*hands, strict=True) for card in row] + order[seats * size :]
    numbers = NumberStream(seed.to_bytes(32, "big"), "laws", 1)
    return play_from(variant, Deal(tuple(deck), variant.deal(numbers, 1, {}).setup), rng)


def all_plays(variant: Variant[Any], hand: tuple[Card, ...]) -> Iterator[Play]:
    """A play of each set of cards of this hand; where suits do not matter, of each set of ranks."""
    suitless = variant.info.slug in SUITS_DO_NOT_MATTER
    alike: dict[Hashable, list[Card]] = {}
    for card in hand:
        alike.setdefault(card >> 2 if suitless and card < 52 else (card,), []).append(card)
    choices = [[cards[:count] for count in range(len(cards) + 1)] for cards in alike.values()]
    if prod(map(len, choices)) > MOST_SUBSETS:
        return
    for chosen in product(*choices):
        yield Play(tuple(sorted(card for cards in chosen for card in cards)))


@climbing_variants
def test_the_plays_listed_are_exactly_the_sets_of_cards_that_may_be_played(
    variant: Variant[Any],
) -> None:
    """Tried are all sets of a hand, in rounds with many fours and suited runs."""
    patterns = set()
    for seed in range(12):
        for state, seat, _ in rigged_play_out(variant, seed).steps[::3]:
            listed = [m for m in variant.legal_moves(state, seat) if isinstance(m, Play)]
            tried = list(all_plays(variant, hand_of(variant, state, seat)))
            if tried:
                taken = [play for play in tried if accepts(variant, state, seat, play)]
                assert {form_of(variant, play) for play in listed} == {
                    form_of(variant, play) for play in taken
                }
            named = [(form_of(variant, play), play.pattern) for play in listed]
            assert len(set(named)) == len(named)
            patterns |= {variant.pattern_of(state, seat, play) for play in listed}
    assert patterns == set(variant.info.patterns)


@every_variant
def test_a_seat_that_may_not_act_has_no_move(variant: Variant[Any]) -> None:
    rng = random.Random(12)
    for state, _, _ in play_out(variant, 12).steps:
        for seat in set(range(variant.info.seats)) - variant.to_act(state):
            assert list(variant.legal_moves(state, seat)) == []
            hand = hand_of(variant, state, seat)
            for move in rng.sample(list(candidates(variant, hand, rng)), 10):
                assert not accepts(variant, state, seat, move), move


@every_variant
def test_legal_moves_come_in_a_fixed_order_and_once(variant: Variant[Any]) -> None:
    played = play_out(variant, 9)
    for step in played.steps:
        legal = list(islice(variant.legal_moves(step.state, step.seat), LISTED))
        assert legal == list(islice(variant.legal_moves(step.state, step.seat), LISTED))
        assert len(set(legal)) == len(legal)


# -- privacy


@every_variant
def test_swapping_two_unseen_cards_changes_no_view(variant: Variant[Any]) -> None:
    rng = random.Random(10)
    checked = 0
    for seed in range(12):
        played = play_out(variant, seed)
        opening = variant.view(played.steps[0].state, None).trick
        must_include = {opening.must_include} if opening else set()
        for length in range(0, len(played.steps), 3):
            state, log = played.steps[length].state, played.log(length)
            shown = {card for _, move in log if isinstance(move, Play) for card in move.cards}
            for viewer in (None, *range(variant.info.seats)):
                view = variant.view(state, viewer)
                assert (view.you is None) == (viewer is None)
                own = set(view.you.hand) if view.you else set()
                kitty = set() if view.phase is Phase.BIDDING else set(view.kitty or ())
                unseen = set(played.deal.deck) - own - shown - kitty - must_include
                if view.phase is Phase.CUTTING or len(unseen) < 2:
                    continue
                one, other = rng.sample(sorted(unseen), 2)
                swap = {one: other, other: one}
                deck = tuple(swap.get(card, card) for card in played.deal.deck)
                try:
                    swapped = replay(variant, Deal(deck, played.deal.setup), log)
                except RuleViolation:
                    continue  # a move in the log rested on a swapped card
                assert variant.view(swapped, viewer) == view
                checked += 1
    assert checked > 50


def all_rows_differ(one: Arrange, other: Arrange) -> bool:
    return one.front != other.front and one.middle != other.middle and one.back != other.back


@arranging_variants
def test_a_secret_move_changes_nobody_elses_view(variant: Variant[Any]) -> None:
    seats = range(variant.info.seats)
    checked = 0
    for step in play_out(variant, 11).steps:
        waiting = [seat for seat in variant.view(step.state, None).seats if not seat.has_acted]
        if variant.view(step.state, None).phase is not Phase.ARRANGING or len(waiting) < 2:
            continue
        legal = variant.legal_moves(step.state, step.seat)
        one = next(move for move in legal if isinstance(move, Arrange))
        other = next(
            move for move in legal if isinstance(move, Arrange) and all_rows_differ(one, move)
        )
        once = submit(variant, step.state, step.seat, one)
        otherwise = submit(variant, step.state, step.seat, other)
        again = submit(variant, once, step.seat, other)
        assert variant.view(once, step.seat) != variant.view(otherwise, step.seat)
        for viewer in (None, *(seat for seat in seats if seat != step.seat)):
            assert variant.view(once, viewer) == variant.view(otherwise, viewer)
            assert variant.view(once, viewer) == variant.view(again, viewer)
        checked += 1
    assert checked
