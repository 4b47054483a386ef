"""Speed of the rules of Big Two: `python -m tests.benchmarks.bench_big_two`.

Leads: all legal moves of a 13-card lead, listed to the end. Rounds: from the seeds to the
settlement, each move picked at random among all legal ones. Fixed seeds, one core.
"""

from __future__ import annotations

import random
from time import perf_counter

from games.rules.climbing.big_two import BigTwo
from games.rules.dealing import NumberStream
from games.rules.engine import submit
from games.rules.variants.big_two_hk import BIG_TWO_HK
from games.rules.variants.big_two_tw import BIG_TWO_TW

DEALS = 500
ROUNDS = 2_000


def stream(number: int) -> NumberStream:
    """The number stream of deal `number` of this benchmark."""
    return NumberStream(number.to_bytes(32, "big"), "benchmark", 1)


def leads_per_second(game: BigTwo) -> tuple[float, float]:
    """(leads/s, legal plays a lead). Leads without an opening card, four a deal."""
    states = [game.start(game.deal(stream(n), 1, {})) for n in range(DEALS)]
    hands = [hand for state in states for hand in state.hands]
    start = perf_counter()
    plays = sum(len(list(game.patterns.plays(hand))) for hand in hands)
    return len(hands) / (perf_counter() - start), plays / len(hands)


def rounds_per_second(game: BigTwo) -> tuple[float, float]:
    """(rounds/s, moves a round)."""
    rng = random.Random(1)
    moves_made = 0
    start = perf_counter()
    for number in range(ROUNDS):
        state = game.start(game.deal(stream(number), 1, {}))
        while game.outcome(state) is None:
            seat = min(game.to_act(state))
            moves = list(game.legal_moves(state, seat))
            state = submit(game, state, seat, moves[int(rng.random() * len(moves))])
            moves_made += 1
    return ROUNDS / (perf_counter() - start), moves_made / ROUNDS


def main() -> None:
    """Print both figures of both houses."""
    for game in (BIG_TWO_TW, BIG_TWO_HK):
        leads, plays = leads_per_second(game)
        rounds, moves = rounds_per_second(game)
        print(
            f"{game.info.slug}: {leads:,.0f} leads/s ({plays:.1f} plays each), "
            f"{rounds:,.0f} random rounds/s ({moves:.1f} moves each)"
        )


if __name__ == "__main__":
    main()
