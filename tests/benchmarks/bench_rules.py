"""Speed of the rules of all games in one process: `python -m tests.benchmarks.bench_rules`.

Fixed positions and seeds, one core, pure Python, processor time (so that other programs on the
machine count little). With the package `douzero` on PYTHONPATH, Dou Dizhu is measured beside its
move generator in the same run.
"""

from __future__ import annotations

from tests.benchmarks import bench_arranging, bench_big_two, bench_dou_dizhu


def main() -> None:
    """Print the figures of every game."""
    for title, benchmark in (
        ("Big Two", bench_big_two),
        ("Dou Dizhu", bench_dou_dizhu),
        ("Arranging games", bench_arranging),
    ):
        print(title)
        benchmark.main()


if __name__ == "__main__":
    main()
