"""`manage.py crowd`: many simulated people at many tables over HTTP, and whether all adds up."""

from __future__ import annotations

import asyncio
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.crowd import Crowd, Scene
from config.management.arguments import add_service_url, positive
from config.playing import PlayError


class Command(BaseCommand):
    """Fill a service with people; fail if anything that they are told is wrong."""

    help = (
        "Play at many tables at once over HTTP: guests at tables of every game, who leave and come "
        "back, lose answers, send requests twice, are slow, and make moves that they may not. At "
        "the end every round, ledger and stream is held against what was played. Ends with 0 only "
        "if there was no error that cannot be explained. It needs no database and no login; a "
        "service that is to be measured runs with RATE_LIMITS=off."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Add where to play, how many, for how long."""
        add_service_url(parser)
        parser.add_argument(
            "--games", nargs="+", default=(), metavar="GAME", help="slugs (default: all games)"
        )
        parser.add_argument("--tables", type=positive, default=20, help="how many (%(default)s)")
        parser.add_argument(
            "--people", type=positive, default=4, help="at most at a table (%(default)s)"
        )
        parser.add_argument(
            "--seconds", type=positive, default=60, help="after which none deals (%(default)s)"
        )
        parser.add_argument(
            "--think", type=float, default=2.0, help="mean seconds before a move (%(default)s)"
        )
        parser.add_argument(
            "--faults",
            type=float,
            default=0.3,
            help="share of decisions at which something is done wrong (%(default)s)",
        )
        parser.add_argument(
            "--patience",
            type=positive,
            default=60,
            help="seconds that a table may stand still (%(default)s)",
        )
        parser.add_argument("--seed", type=int, default=1, help="of all choices (%(default)s)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Play and report; raise CommandError if there was an error."""
        names = (
            "url",
            "games",
            "tables",
            "people",
            "seconds",
            "think",
            "faults",
            "patience",
            "seed",
        )
        scene = Scene(**{name: options[name] for name in names})
        try:
            tally = asyncio.run(Crowd(scene, self._say).play())
        except PlayError as error:
            raise CommandError(str(error)) from error
        except KeyboardInterrupt:
            raise CommandError("Stopped; the sessions stay open.", returncode=130) from None
        for line in tally.report():
            self._say(line)
        if tally.errors:
            raise CommandError(f"{len(tally.errors)} errors that cannot be explained.")
        self._say("All is well.")

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()
