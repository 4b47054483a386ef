"""The ledger, and what is derived from it. It knows points and scopes, no rules."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models


class LedgerKind(models.TextChoices):
    """Why points or beans were booked."""

    SETTLEMENT = "settlement"
    TOP_UP = "top_up"


class LedgerEntry(models.Model):
    """One booking, never changed. `balance` is the running figure of its scope after it:

    the session's total, the round's points, or the wallet. `seat` is the seat that was dealt the
    hand. The session is a reference without a key: scoring stands below the games.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    game = models.CharField(max_length=20)
    kind = models.CharField(max_length=10, choices=LedgerKind)
    amount = models.IntegerField()
    balance = models.IntegerField()
    session_id = models.UUIDField()
    round_number = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "ledger entries"
        constraints = (
            models.UniqueConstraint(
                fields=("session_id", "round_number", "seat", "kind"),
                name="one_booking_per_round_and_seat",
            ),
        )
        indexes = (
            models.Index(fields=("player", "-created_at", "-id"), name="ledger_newest_of_player"),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.amount:+d} ({self.game})"


class Standing(models.Model):
    """What a player has reached in one game. Derived from the ledger, kept with each booking.

    `best` is the highest figure of the game's score scope ever reached, None before the first
    settlement (a wallet has its starting balance).
    """

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    game = models.CharField(max_length=20)
    best = models.IntegerField(null=True)
    best_at = models.DateTimeField(null=True)
    best_session = models.UUIDField(null=True)
    balance = models.IntegerField(null=True)
    rounds = models.PositiveIntegerField(default=0)
    wins = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("player", "game"), name="one_standing_per_game"),
        )

    def __str__(self) -> str:
        return f"{self.game}: best {self.best}"
