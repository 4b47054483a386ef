"""What happened at a table, version by version: moves, and changes that are no moves."""

from __future__ import annotations

from django.db import models

from games.models.choices import Actor, ChangeType
from games.models.rounds import Round
from games.models.tables import Session


class Move(models.Model):
    """One accepted act of one seat. `data` is the move's flat JSON form, `version` the session's
    after it."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="moves", db_index=False)
    number = models.PositiveIntegerField()
    version = models.PositiveIntegerField()
    deal = models.PositiveSmallIntegerField()
    turn = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    data = models.JSONField()
    pattern = models.CharField(max_length=30, blank=True, default="")
    actor = models.CharField(max_length=8, choices=Actor)
    policy = models.CharField(max_length=40, blank=True, default="")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("round", "number")
        constraints = (
            models.UniqueConstraint(fields=("round", "number"), name="one_move_per_number"),
        )

    def __str__(self) -> str:
        return f"move {self.number} of round {self.round_id}"


class Change(models.Model):
    """One accepted change of a table that is no move: what, and whose seat.

    Each version of a session above its first is either that of a change or that of its moves.
    """

    session = models.ForeignKey(
        Session, on_delete=models.CASCADE, related_name="changes", db_index=False
    )
    version = models.PositiveIntegerField()
    type = models.CharField(max_length=12, choices=ChangeType)
    seat = models.PositiveSmallIntegerField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("session", "version")
        constraints = (
            models.UniqueConstraint(fields=("session", "version"), name="one_change_per_version"),
        )

    def __str__(self) -> str:
        return f"{self.type} at version {self.version} of {self.session_id}"
