"""`manage.py match`: how much better one level of bots plays than another."""

from __future__ import annotations

from argparse import ArgumentTypeError
from time import process_time
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from bots.matches import match
from bots.policies.registry import EASY, LEVELS, NORMAL, policy_for
from games.rules.registry import VARIANTS

FEWEST_DEALS = 2


class Command(BaseCommand):
    """Needs no database."""

    help = "Let one bot of a level play against a table of another, each deal from every seat."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """The games, how many deals, the levels and the seed."""
        parser.add_argument("--game", choices=sorted(VARIANTS), help="default: every game")
        parser.add_argument("--deals", type=number_of_deals, default=200)
        parser.add_argument(
            "--levels",
            nargs=2,
            choices=LEVELS,
            default=(NORMAL, EASY),
            metavar=("CHALLENGER", "OPPONENTS"),
        )
        parser.add_argument("--seed", type=int, default=1)

    def handle(self, *args: Any, **options: Any) -> None:
        """Print one line a game."""
        challenger, opponents = options["levels"]
        self.stdout.write(
            f"{challenger} over {opponents}: points a round ± standard error, rounds won, "
            "rounds per second of processor time"
        )
        for slug in [options["game"]] if options["game"] else sorted(VARIANTS):
            start = process_time()
            result = match(
                VARIANTS[slug],
                policy_for(slug, challenger),
                policy_for(slug, opponents),
                deals=options["deals"],
                seed=options["seed"],
            )
            seconds = process_time() - start
            self.stdout.write(
                f"{slug:14} {result.mean:+9.2f} ± {result.standard_error:.2f}"
                f"   won {result.rounds_won / result.rounds:.0%} of {result.rounds}"
                f"   {result.rounds / seconds:.0f}/s"
            )


def number_of_deals(text: str) -> int:
    """A number of deals from which a standard error can be told."""
    try:
        deals = int(text)
    except ValueError:
        deals = 0
    if deals < FEWEST_DEALS:
        raise ArgumentTypeError(f"{text!r} is no number of {FEWEST_DEALS} or more")
    return deals
