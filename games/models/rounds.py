"""Rounds, and what was dealt in all of them."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from games.models.choices import RoundStatus
from games.models.tables import Session


class Round(models.Model):
    """One deal to its settlement.

    `deals` lists each deal of the round as `{"deck": [card names], "setup": {…}}`; with the moves
    it is the whole truth. `players` are who was dealt the hands (null for bots). `outcome` is the
    settlement as the contract shows it; `move_count` is written with it.
    """

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveIntegerField()
    status = models.CharField(max_length=7, choices=RoundStatus, default=RoundStatus.OPEN)
    rules_revision = models.PositiveSmallIntegerField()
    server_seed = models.BinaryField(max_length=32)
    client_seed = models.CharField(max_length=64, blank=True)
    deals = models.JSONField()
    players = ArrayField(models.UUIDField(null=True))
    outcome = models.JSONField(null=True)
    move_count = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)
    settled_at = models.DateTimeField(null=True)

    class Meta:
        permissions = (("view_running_hands", "Can look at the hands of a running round"),)
        constraints = (
            models.UniqueConstraint(fields=("session", "number"), name="one_round_per_number"),
            models.UniqueConstraint(
                fields=("session",),
                condition=Q(status=RoundStatus.OPEN),
                name="one_open_round_per_session",
            ),
            models.CheckConstraint(
                condition=Q(
                    status__in=(RoundStatus.OPEN, RoundStatus.VOIDED),
                    outcome__isnull=True,
                    settled_at__isnull=True,
                )
                | Q(status=RoundStatus.SETTLED, outcome__isnull=False, settled_at__isnull=False),
                name="settled_round_has_outcome",
            ),
        )

    def __str__(self) -> str:
        return f"round {self.number} of {self.session_id}"


class DealTally(models.Model):
    """What was dealt in all settled rounds of a game, by who was dealt it.

    `counts` is `{seat kind: {fact: count}}`, with the facts that the game's rules count
    (`games.rules.chances`). Added to with each settlement.
    """

    game = models.CharField(max_length=20, primary_key=True)
    deals = models.PositiveBigIntegerField(default=0)
    counts = models.JSONField(default=dict)

    def __str__(self) -> str:
        return f"{self.deals} deals of {self.game}"
