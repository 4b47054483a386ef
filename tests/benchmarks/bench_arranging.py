"""CPU time of the arranging games: best arrangement, special hands, legal moves and settlement.

Run: `python -m tests.benchmarks.bench_arranging`. One core, fixed seeds.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import islice
from statistics import median
from time import process_time
from typing import Any

from games.rules.arranging.best import strongest_back_first
from games.rules.cards import DECK_52
from games.rules.dealing import deal_singly
from games.rules.variants.chinese_poker import CHINESE_POKER
from games.rules.variants.chinese_poker import settle as settle_chinese_poker
from games.rules.variants.thirteen import THIRTEEN
from games.rules.variants.thirteen import settle as settle_thirteen

HANDS = 100
LAPS = 3  # the quickest counts, since other programs share the caches


def report(what: str, inputs: list[Any], run: Callable[[Any], object]) -> None:
    times = []
    for value in inputs:
        laps = []
        for _ in range(LAPS):
            start = process_time()
            run(value)
            laps.append(1000 * (process_time() - start))
        times.append(min(laps))
    print(f"{what:40} median {median(times):7.3f} ms   max {max(times):7.3f} ms   n {len(times)}")


def main() -> None:
    rng = random.Random(20240607)
    hands = [tuple(rng.sample(DECK_52, 13)) for _ in range(HANDS)]
    rounds = []
    for _ in range(HANDS):
        dealt = deal_singly(rng.sample(DECK_52, 52), 4)
        rows = [strongest_back_first(hand, CHINESE_POKER.config.rows) for hand in dealt]
        rounds.append([THIRTEEN.arranging.rows_set(m.front, m.middle, m.back) for m in rows])

    for game in (CHINESE_POKER, THIRTEEN):
        arranging = game.arranging
        slug = game.info.slug
        report(
            f"{slug}: best arrangement",
            hands,
            arranging.best,
        )
        report(f"{slug}: special of a hand", hands, arranging.special_of)
        report(
            f"{slug}: first 20 legal moves",
            [arranging.start((hand,)) for hand in hands],
            lambda state, a=arranging: list(islice(a.legal_moves(state, 0), 20)),
        )
    rows = CHINESE_POKER.config.rows
    report("strongest back first", hands, lambda hand: strongest_back_first(hand, rows))
    report("chinese-poker: settle", rounds, lambda r: settle_chinese_poker(CHINESE_POKER.config, r))
    report("thirteen: settle", rounds, lambda r: settle_thirteen(THIRTEEN.config, r))


if __name__ == "__main__":
    main()
