"""The ledger, and what is derived from it. It knows points and scopes, no rules."""

from __future__ import annotations

import uuid
from datetime import date
from typing import Final

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils import timezone

MAX_REASON_LENGTH: Final = 500
STARTING_BALANCE: Final = 1000
"""What a wallet holds before its first settlement, and is set back to."""
OVERALL: Final = ""
"""The `game` of the standing that counts all games together."""
EPOCH: Final = date(1970, 1, 1)
"""When the period of all time begins."""


class LedgerKind(models.TextChoices):
    """Why points or beans were booked."""

    SETTLEMENT = "settlement"
    TOP_UP = "top_up"
    CORRECTION = "correction"


class Scope(models.TextChoices):
    """Over what points add up: the rounds of a session, nothing (a round alone), or for ever."""

    SESSION = "session"
    ROUND = "round"
    WALLET = "wallet"


class Pool(models.TextChoices):
    """Which rounds count: all, or those in which two or more people were dealt a hand."""

    ALL = "all"
    HUMANS = "humans"


class Period(models.TextChoices):
    """Since when rounds count. All begin at midnight UTC: a week on Monday, a month on its 1st."""

    ALL = "all"
    MONTH = "month"
    WEEK = "week"
    DAY = "day"


class LedgerEntry(models.Model):
    """One booking, never changed (a trigger of the database refuses it).

    `balance` is the running figure of its scope after it: the session's total, the round's points,
    or the wallet. `seat` is the seat that was dealt the hand. A correction names the round that it
    corrects, its reason and who booked it. The session is a reference without a key: scoring stands
    below the games.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    game = models.CharField(max_length=20)
    kind = models.CharField(max_length=10, choices=LedgerKind)
    scope = models.CharField(max_length=7, choices=Scope)
    amount = models.IntegerField()
    balance = models.IntegerField()
    session_id = models.UUIDField()
    round_number = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    reason = models.TextField(max_length=MAX_REASON_LENGTH, blank=True, default="")
    booked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        related_name="+",
        db_index=False,
    )
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name_plural = "ledger entries"
        permissions = (("correct_points", "Can correct points"),)
        constraints = (
            models.UniqueConstraint(
                fields=("session_id", "round_number", "seat", "kind"),
                condition=~Q(kind=LedgerKind.CORRECTION),
                name="one_booking_per_round_and_seat",
            ),
            models.CheckConstraint(
                condition=Q(kind=LedgerKind.CORRECTION, booked_by__isnull=False) & ~Q(reason="")
                | ~Q(kind=LedgerKind.CORRECTION) & Q(reason="", booked_by__isnull=True),
                name="correction_says_why_and_who",
            ),
        )
        indexes = (
            models.Index(fields=("player", "-created_at", "-id"), name="ledger_newest_of_player"),
            models.Index(
                fields=("session_id", "round_number", "seat"),
                name="ledger_corrections_of_round",
                condition=Q(kind=LedgerKind.CORRECTION),
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.amount:+d} ({self.game})"


class RoundFacts(models.Model):
    """What happened in a round to who was dealt a seat's hand, beside the points of its settlement.

    Derived from the move log. `people` were dealt a hand; `place` is 1-4.
    """

    entry = models.OneToOneField(
        LedgerEntry, on_delete=models.PROTECT, primary_key=True, related_name="facts"
    )
    people = models.PositiveSmallIntegerField()
    place = models.PositiveSmallIntegerField()
    bombs = models.PositiveSmallIntegerField(default=0)
    springs = models.PositiveSmallIntegerField(default=0)
    sweeps = models.PositiveSmallIntegerField(default=0)
    grand_slams = models.PositiveSmallIntegerField(default=0)
    home_runs = models.PositiveSmallIntegerField(default=0)
    fouls = models.PositiveSmallIntegerField(default=0)
    specials = models.PositiveSmallIntegerField(default=0)

    class Meta:
        verbose_name_plural = "round facts"

    def __str__(self) -> str:
        return f"facts of {self.entry_id}"


class Metric(models.TextChoices):
    """What a board is ordered by."""

    BEST = "best"
    POSITIONS = "positions"
    WINS = "wins"
    BALANCE = "balance"


def _board_index(name: str, *columns: str, nullable: bool = False) -> models.Index:
    """Of one board, best first; the player makes the order whole."""
    shown = Q(listed=True, rounds__gt=0)
    return models.Index(
        fields=(
            *("game", "pool", "period", "period_start"),
            *(f"-{column}" for column in columns),
            "-player",
        ),
        name=f"board_{name}",
        condition=shown & Q(**{f"{columns[0]}__isnull": False}) if nullable else shown,
    )


class Standing(models.Model):
    """What a player has reached in one game (or in all: OVERALL), in one pool and period.

    Derived from the ledger, kept with each booking. A period's row is that of the last such period
    in which the player played, which `period_start` tells. `best` is the highest figure of the
    game's score scope, None before the first settlement; `balance` is the wallet as it is now.
    `listed` is false for who is not active; a trigger on the players' table keeps it so.
    """

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    game = models.CharField(max_length=20, blank=True)
    pool = models.CharField(max_length=6, choices=Pool)
    period = models.CharField(max_length=5, choices=Period)
    period_start = models.DateField(default=EPOCH)
    listed = models.BooleanField(default=True)
    best = models.IntegerField(null=True)
    best_at = models.DateTimeField(null=True)
    best_session = models.UUIDField(null=True)
    balance = models.IntegerField(null=True)
    rounds = models.PositiveIntegerField(default=0)
    wins = models.PositiveIntegerField(default=0)
    points = models.IntegerField(default=0)
    first = models.PositiveIntegerField(default=0)
    second = models.PositiveIntegerField(default=0)
    third = models.PositiveIntegerField(default=0)
    fourth = models.PositiveIntegerField(default=0)
    bombs = models.PositiveIntegerField(default=0)
    springs = models.PositiveIntegerField(default=0)
    sweeps = models.PositiveIntegerField(default=0)
    grand_slams = models.PositiveIntegerField(default=0)
    home_runs = models.PositiveIntegerField(default=0)
    fouls = models.PositiveIntegerField(default=0)
    specials = models.PositiveIntegerField(default=0)
    streak = models.PositiveIntegerField(default=0)
    longest_streak = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("player", "game", "pool", "period"), name="one_standing_per_board"
            ),
        )
        indexes = (
            _board_index("best", "best", nullable=True),
            _board_index("wins", "wins"),
            _board_index("positions", "first", "second", "third", "fourth"),
            _board_index("balance", "balance", nullable=True),
        )

    def __str__(self) -> str:
        return f"{self.game or 'overall'} ({self.pool}, {self.period}): best {self.best}"


class OfBoard(models.Model):
    """A figure of one board: `reached` are the columns of a `Standing` that the metric goes by."""

    game = models.CharField(max_length=20)
    pool = models.CharField(max_length=6, choices=Pool)
    period = models.CharField(max_length=5, choices=Period)
    period_start = models.DateField()
    metric = models.CharField(max_length=9, choices=Metric)
    reached = ArrayField(models.IntegerField())

    class Meta:
        abstract = True


class BoardMark(OfBoard):
    """How many stood above a figure when the board was last marked.

    With the changes since then it saves counting all of those above: see `scoring.boards`.
    """

    above = models.PositiveIntegerField()

    class Meta:
        indexes = (
            models.Index(
                fields=("game", "pool", "period", "period_start", "metric", "reached"),
                name="board_mark",
            ),
        )

    def __str__(self) -> str:
        return f"{self.above} above {self.reached}"


class BoardChange(OfBoard):
    """How many more (or fewer) have reached a figure since the board was last marked.

    Only ever added, by a trigger on the standings: nobody waits for a counter.
    """

    change = models.IntegerField()

    class Meta:
        indexes = (
            models.Index(
                fields=("game", "pool", "period", "period_start", "metric", "reached"),
                name="board_change",
            ),
        )

    def __str__(self) -> str:
        return f"{self.change:+d} at {self.reached}"
