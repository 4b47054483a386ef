"""Speed of the rules of Dou Dizhu: `python -m tests.benchmarks.bench_dou_dizhu`.

Leads: positions of 20 random cards, all plays listed. Follows: the positions met in random play,
all plays listed. Rounds: from the shuffle to the settlement, each move picked at random among all
legal ones. Fixed seeds, one process, one core, pure Python, processor time, best of several runs.

Where the package `douzero` can be found, its move generator is measured on the same positions in
the same run, and the listed plays are compared with its own. Of that package nothing else is
loaded, so it needs none of its dependencies. Where `rlcard` can be imported, its figures come too.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterable
from importlib.util import find_spec
from pathlib import Path
from time import process_time
from types import ModuleType
from typing import Any

from games.rules.cards import Card, CardSet, card_set, cards_in
from games.rules.dealing import NumberStream
from games.rules.engine import submit
from games.rules.moves import Bid, Pass
from games.rules.variant import Deal, Phase, PlayView
from games.rules.variants.dou_dizhu import DOU_DIZHU
from games.rules.variants.dou_dizhu.config import WingRules
from games.rules.variants.dou_dizhu.patterns import Reading, readings_of_counts
from games.rules.variants.dou_dizhu.plays import PlayGroup
from games.rules.variants.dou_dizhu.ranks import RankCounts, cards_of, rank_of
from games.rules.variants.dou_dizhu.state import DouDizhuState

LEADS = 2_000
ROUNDS = 300
REPEATS = 5
PLAYING = Phase.PLAYING
PASS = Pass()

Follow = tuple[CardSet, Reading, tuple[Card, ...]]
"""A hand, what it must beat, and the cards that lie there."""


def random_leads() -> list[CardSet]:
    """Hands of 20 random cards."""
    rng = random.Random(1)
    return [card_set(rng.sample(range(54), 20)) for _ in range(LEADS)]


def random_play(
    groups: list[PlayGroup], passes: int, rng: random.Random
) -> tuple[str, RankCounts] | None:
    """One of all legal plays, or the pass, each as likely as the others."""
    if passes and not groups:
        return None
    count = passes
    for _, plays in groups:
        count += len(plays)
    choice = int(rng.random() * count)
    for pattern, plays in groups:
        if choice < len(plays):
            return pattern, plays[choice]
        choice -= len(plays)
    return None


def play_round(deal: Deal, rng: random.Random, follows: list[Follow] | None = None) -> int:
    """The number of moves of a random round, with all that `submit` checks.

    The positions that follow a play are added to `follows`.
    """
    state = submit(DOU_DIZHU, DOU_DIZHU.start(deal), deal.setup["first_bidder"], Bid(3))
    while state.trick is not None and state.phase is PLAYING:
        trick, seat = state.trick, state.trick.turn
        on, hand = trick.reading, state.hands[seat]
        if follows is not None and on and trick.to_beat:
            follows.append((hand, on, trick.to_beat.cards))
        choice = random_play(DOU_DIZHU.play_groups(hand, on), on is not None, rng)
        move = PASS if choice is None else DOU_DIZHU.listed_play(hand, *choice)
        state = submit(DOU_DIZHU, state, seat, move)
    return settled(state)


def roll_out(deal: Deal, rng: random.Random) -> int:
    """The same without checks of moves that were listed: what a bot does who tries out plays."""
    state = submit(DOU_DIZHU, DOU_DIZHU.start(deal), deal.setup["first_bidder"], Bid(3))
    wings = DOU_DIZHU.config.wings
    while state.trick is not None and state.phase is PLAYING:
        trick, seat = state.trick, state.trick.turn
        on, hand = trick.reading, state.hands[seat]
        choice = random_play(DOU_DIZHU.play_groups(hand, on), on is not None, rng)
        if choice is None:
            state = DOU_DIZHU.passed(state, trick)
        else:
            reading = reading_as(*choice, wings)
            cards = cards_of(choice[1], hand)
            play = PlayView(seat, cards, reading.pattern)
            state = DOU_DIZHU.put_down(state, trick, play, card_set(cards), reading)
    return settled(state)


def bare_game(rng: random.Random) -> None:
    """Shuffle, list, pick, remove, and nothing else: no bidding, states, log or settlement."""
    deck = list(range(54))
    rng.shuffle(deck)
    hands = [card_set(deck[:20]), card_set(deck[20:37]), card_set(deck[37:])]
    wings = DOU_DIZHU.config.wings
    turn, passes, on = 0, 0, None
    while True:
        hand = hands[turn]
        choice = random_play(DOU_DIZHU.play_groups(hand, on), on is not None, rng)
        if choice is None:
            passes += 1
            if passes == 2:
                on, passes = None, 0
        else:
            on, passes = reading_as(*choice, wings), 0
            hands[turn] = hand ^ card_set(cards_of(choice[1], hand))
            if not hands[turn]:
                return
        turn = (turn + 1) % 3


def reading_as(pattern: str, counts: RankCounts, wings: WingRules) -> Reading:
    """How these cards are read in the pattern that they were listed in."""
    found = readings_of_counts(counts, wings)
    return found[0] if found[0].pattern == pattern else found[1]


def settled(state: DouDizhuState) -> int:
    """The number of moves of a round that has been settled."""
    outcome = DOU_DIZHU.outcome(state)
    assert outcome is not None
    assert sum(outcome.points) == 0
    return state.decisions


def random_deal(rng: random.Random) -> Deal:
    """A shuffled deck, without the seeds of the service."""
    deck = list(range(54))
    rng.shuffle(deck)
    return Deal(tuple(deck), {"deal": 1, "first_bidder": 0})


def seeded_deal(number: int) -> Deal:
    """A deal as the service makes it, from its seeds."""
    return DOU_DIZHU.deal(NumberStream(number.to_bytes(32, "big"), "benchmark", 1), 1, {})


def best_rates(works: list[Callable[[], Any]], items: int) -> list[float]:
    """Items a second of processor time, of each work in its fastest run; the runs take turns."""
    fastest = [float("inf")] * len(works)
    for _ in range(REPEATS):
        for number, work in enumerate(works):
            start = process_time()
            work()
            fastest[number] = min(fastest[number], process_time() - start)
    return [items / seconds for seconds in fastest]


class DouZero:
    """The move generator of DouZero, and its game as far as it needs no neural network."""

    RANKS = (3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 17, 20, 30)

    def __init__(self, packages: Path) -> None:
        for name in ("douzero", "douzero.env"):  # packages whose own __init__ would load torch
            module = ModuleType(name)
            module.__path__ = [str(packages.joinpath(*name.split(".")))]
            sys.modules[name] = module
        from douzero.env.game import GameEnv  # type: ignore[import-not-found]
        from douzero.env.move_generator import MovesGener  # type: ignore[import-not-found]

        self.leads = lambda hand: MovesGener(hand).gen_moves()
        self._game = GameEnv.__new__(GameEnv)
        self._game.acting_player_position = "landlord"
        self._hand = ModuleType("hand")
        self._game.info_sets = {"landlord": self._hand}

    def cards(self, cards: Iterable[Card]) -> list[int]:
        """Cards as DouZero writes them."""
        return sorted(self.RANKS[rank_of(card)] for card in cards)

    def follows(self, hand: list[int], on: list[int]) -> list[list[int]]:
        """All moves on this play, the pass among them; all leads where it is empty."""
        self._hand.player_hand_cards = hand  # type: ignore[attr-defined]
        self._game.card_play_action_seq = [on] if on else []
        return self._game.get_legal_card_play_actions()  # type: ignore[no-any-return]

    def play_round(self, rng: random.Random) -> None:
        """A bare random game: shuffle, list, pick, remove; no observations and no states."""
        deck = [self.RANKS[rank_of(card)] for card in range(54)]
        rng.shuffle(deck)
        hands = [sorted(deck[:20]), sorted(deck[20:37]), sorted(deck[37:])]
        turn, passes, on = 0, 0, list[int]()
        while True:
            moves = self.follows(hands[turn], on)
            move = moves[int(rng.random() * len(moves))]
            if move:
                on, passes = move, 0
                for card in move:
                    hands[turn].remove(card)
                if not hands[turn]:
                    return
            else:
                passes += 1
                if passes == 2:
                    on, passes = [], 0
            turn = (turn + 1) % 3


class RLCard:
    """The lead lister and the game of RLCard, for comparison only."""

    RANKS = "3456789TJQKA2BR"

    def __init__(self) -> None:
        from rlcard.games.doudizhu import Game  # type: ignore[import-not-found]
        from rlcard.games.doudizhu.judger import DoudizhuJudger  # type: ignore[import-not-found]

        self.leads = DoudizhuJudger.playable_cards_from_hand
        self._game = Game()

    def cards(self, cards: Iterable[Card]) -> str:
        """Cards as RLCard writes them."""
        return "".join(self.RANKS[rank] for rank in sorted(map(rank_of, cards)))

    def play_round(self, rng: random.Random) -> None:
        """A random game from the deal to its end."""
        state, _ = self._game.init_game()
        while not self._game.is_over():
            state, _ = self._game.step(state["actions"][int(rng.random() * len(state["actions"]))])


def same_plays(groups: list[PlayGroup], moves: list[list[int]]) -> bool:
    """Are these the same plays?"""
    ours = {plays for _, group in groups for plays in group}
    return ours == {
        sum(1 << 4 * DouZero.RANKS.index(card) for card in move) for move in moves if move
    }


def main() -> None:
    """Print the figures, beside those of DouZero where it is there."""
    leads = random_leads()
    follows: list[Follow] = []
    rng = random.Random(2)
    moves = sum(play_round(random_deal(rng), rng, follows) for _ in range(ROUNDS)) / ROUNDS
    groups = [DOU_DIZHU.play_groups(hand) for hand in leads]
    listed = sum(len(plays) for of_hand in groups for _, plays in of_hand) / LEADS

    lead_works: list[Callable[[], Any]] = [lambda: [DOU_DIZHU.play_groups(hand) for hand in leads]]
    follow_works: list[Callable[[], Any]] = [
        lambda: [DOU_DIZHU.play_groups(hand, on) for hand, on, _ in follows]
    ]
    round_works: list[Callable[[], Any]] = [
        lambda: [bare_game(rng) for _ in range(ROUNDS)],
        lambda: [roll_out(random_deal(rng), rng) for _ in range(ROUNDS)],
        lambda: [play_round(random_deal(rng), rng) for _ in range(ROUNDS)],
        lambda: [play_round(seeded_deal(number), rng) for number in range(ROUNDS)],
    ]
    spec = find_spec("douzero")
    if spec is not None and spec.submodule_search_locations:
        douzero = DouZero(Path(spec.submodule_search_locations[0]).parent)
        hands = [douzero.cards(cards_in(hand)) for hand in leads]
        positions = [(douzero.cards(cards_in(hand)), douzero.cards(on)) for hand, _, on in follows]
        assert all(map(same_plays, groups, map(douzero.leads, hands)))
        assert all(
            same_plays(DOU_DIZHU.play_groups(hand, on), douzero.follows(*position))
            for (hand, on, _), position in zip(follows, positions, strict=True)
        )
        lead_works.append(lambda: [douzero.leads(hand) for hand in hands])
        follow_works.append(lambda: [douzero.follows(*position) for position in positions])
        round_works.append(lambda: [douzero.play_round(rng) for _ in range(ROUNDS)])

    if find_spec("rlcard") is not None:
        compare_rlcard(leads, rng)

    show(f"leads of 20 cards ({listed:.1f} plays each)", *best_rates(lead_works, LEADS))
    show("follows", *best_rates(follow_works, len(follows)))
    bare, rolled_out, checked, seeded, *bar = best_rates(round_works, ROUNDS)
    show("bare random games, as those of DouZero", bare, *bar)
    show(f"random rounds from deal to settlement ({moves:.1f} moves each)", rolled_out, *bar)
    show("the same, each move checked as in the service", checked, *bar)
    show("the same, checked and dealt from their seeds", seeded, *bar)


def compare_rlcard(leads: list[CardSet], rng: random.Random) -> None:
    """Print what RLCard does on the same leads, and with games of its own."""
    rlcard = RLCard()
    hands = [rlcard.cards(cards_in(hand)) for hand in leads]
    lead_rate = best_rates([lambda: [rlcard.leads(hand) for hand in hands]], LEADS)[0]
    games = ROUNDS // 10
    game_rate = best_rates([lambda: [rlcard.play_round(rng) for _ in range(games)]], games)[0]
    print(f"RLCard: {lead_rate:,.0f} leads/s, {game_rate:,.0f} random games/s")


def show(name: str, rate: float, bar: float | None = None) -> None:
    """Print one figure."""
    against = "" if bar is None else f"   DouZero {bar:,.0f}/s, {rate / bar:.1f} times"
    print(f"{rate:12,.0f}/s {name}{against}")


if __name__ == "__main__":
    main()
