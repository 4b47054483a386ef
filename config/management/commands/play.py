"""`manage.py play`: plays a session over HTTP and prints it; a smoke test of any deployment."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.management.arguments import add_service_url, positive
from config.playing import Client, Plan, PlayError, SessionPlay


class Command(BaseCommand):
    """Play against bots as a new guest; fail if anything that the service says is wrong."""

    help = (
        "Play a session against bots over HTTP, as a new guest, and print it. Ends with 0 only if "
        "it came to its end and everything added up, so it is a smoke test of any deployment. It "
        "needs no database and no login."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Add where to play, and what."""
        add_service_url(parser)
        parser.add_argument("--game", default="big-two-tw", help="slug of a game (%(default)s)")
        parser.add_argument("--rounds", type=positive, default=1, help="how many (%(default)s)")
        parser.add_argument("--level", help="level of the bots, such as easy or normal")
        parser.add_argument("--bot-delay-ms", type=int, help="pause before a bot's move")
        parser.add_argument("--client-seed", help="of every round (default: drawn for each)")
        parser.add_argument(
            "--timeout",
            type=positive,
            default=60,
            metavar="SECONDS",
            help="how long the table may stand still (%(default)s)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Play; raise CommandError with what went wrong."""
        plan = Plan(
            game=options["game"],
            rounds=options["rounds"],
            level=options["level"],
            bot_delay_ms=options["bot_delay_ms"],
            client_seed=options["client_seed"],
            timeout=options["timeout"],
        )
        encoding = getattr(self.stdout, "encoding", None) or "utf-8"
        try:
            with Client(options["url"]) as client:
                SessionPlay(client, plan, encoding, self._say).run()
        except PlayError as error:
            raise CommandError(str(error)) from error
        except KeyboardInterrupt:
            raise CommandError("Stopped; the session stays open.", returncode=130) from None

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()
