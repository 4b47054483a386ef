"""`manage.py rebuild_scores`: everything derived from the ledger and the move log, made again."""

from __future__ import annotations

import sys
from collections import Counter
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandParser

from games.services.rebuilding import scores_rebuild

SHOWN_OF_A_KIND: Final = 20


class Command(BaseCommand):
    """Ends with 1 if something differs and was not mended, which the ledger itself never is."""

    help = (
        "Replay every settled round, count the ledger again, and mend outcomes, facts, totals, "
        "balances, bests and statistics that differ. May run beside the service."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Whether to change anything."""
        parser.add_argument("--check", action="store_true", help="change nothing, only say")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the differences of each kind, the first of them by name."""
        found: Counter[str] = Counter()
        left = 0
        for difference in scores_rebuild(mend=not options["check"]):
            found[difference.what] += 1
            left += not difference.mended
            if found[difference.what] <= SHOWN_OF_A_KIND:
                self.stdout.write(f"{difference.what} differs: {difference.where}")
        for what, count in sorted(found.items()):
            self.stdout.write(f"{what}: {count}")
        if found["ledger"] or found["move log"]:
            self.stdout.write(
                "the ledger or the move log itself is in doubt: what is derived for the players, "
                "tables and games concerned stays as it is until that is restored"
            )
        self.stdout.write(
            f"{found.total()} differences, {left} of them not mended" if found else "all is right"
        )
        if left:
            sys.exit(1)
