"""Speed of the rules of Big Two: `python -m tests.benchmarks.bench_big_two`.

Leads: all legal moves of a 13-card lead, listed to the end. Rounds: from the seeds to the
settlement, each move picked at random among all legal ones and checked like a player's. Fixed
seeds, one process, one core, pure Python, processor time, best of several runs.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from time import process_time

from games.rules.climbing.big_two import BigTwo
from games.rules.dealing import NumberStream
from games.rules.engine import submit
from games.rules.variants.big_two_hk import BIG_TWO_HK
from games.rules.variants.big_two_tw import BIG_TWO_TW

DEALS = 500
ROUNDS = 100
REPEATS = 20


def stream(number: int) -> NumberStream:
    """The number stream of deal `number` of this benchmark."""
    return NumberStream(number.to_bytes(32, "big"), "benchmark", 1)


def fastest_seconds(work: Callable[[], object]) -> float:
    """Seconds of processor time of the fastest of several runs: others use the machine too."""
    times = []
    for _ in range(REPEATS):
        start = process_time()
        work()
        times.append(process_time() - start)
    return min(times)


def play_round(game: BigTwo, number: int, rng: random.Random) -> int:
    """The number of moves of a random round, from its seeds to its settlement."""
    state = game.start(game.deal(stream(number), 1, {}))
    moves_made = 0
    while seats := game.to_act(state):
        seat = min(seats)
        moves = list(game.legal_moves(state, seat))
        state = submit(game, state, seat, moves[int(rng.random() * len(moves))])
        moves_made += 1
    assert game.outcome(state) is not None
    return moves_made


def leads_per_second(game: BigTwo) -> tuple[float, float]:
    """(leads/s, legal plays a lead). Leads without an opening card, four a deal."""
    states = [game.start(game.deal(stream(n), 1, {})) for n in range(DEALS)]
    hands = [hand for state in states for hand in state.hands]
    plays = sum(len(list(game.patterns.plays(hand))) for hand in hands)
    seconds = fastest_seconds(lambda: [list(game.patterns.plays(hand)) for hand in hands])
    return len(hands) / seconds, plays / len(hands)


def rounds_per_second(game: BigTwo) -> tuple[float, float]:
    """(rounds/s, moves a round)."""

    def rounds() -> int:
        rng = random.Random(1)
        return sum(play_round(game, number, rng) for number in range(ROUNDS))

    return ROUNDS / fastest_seconds(rounds), rounds() / ROUNDS


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
