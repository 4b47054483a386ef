"""Sessions, their seats and who has sat there."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.models.choices import SeatKind, SessionStatus, Visibility


class Session(models.Model):
    """A table, from its creation until it is finished.

    `version` goes up by one with every accepted change; `turn` numbers the decision that is open.
    The seed of the next round is drawn ahead, so that its commitment can be shown before the client
    seed is chosen. `bot_due_at` is when a bot that is to act should act; the sweep reads it.

    `deadline` ends the open decision for the people in it, but for who has asked for extra time;
    `clock_due_at` is when the server has to act for the first of them. `join_code` lets who knows
    it sit down; `rematch` is the same table after the end. What is played at a table that does not
    count, since its first hands were given and not dealt, is booked nowhere.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    game = models.CharField(max_length=20)
    status = models.CharField(max_length=14, choices=SessionStatus)
    visibility = models.CharField(max_length=7, choices=Visibility, default=Visibility.PRIVATE)
    host = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="hosted_sessions"
    )
    options = models.JSONField()
    version = models.PositiveIntegerField(default=1)
    turn = models.PositiveIntegerField(default=0)
    round_number = models.PositiveIntegerField(default=0)
    move_number = models.PositiveIntegerField(default=0)
    turn_started_at = models.DateTimeField(null=True)
    bot_due_at = models.DateTimeField(null=True)
    deadline = models.DateTimeField(null=True)
    clock_due_at = models.DateTimeField(null=True)
    join_code = models.CharField(max_length=6, null=True, unique=True)  # noqa: DJ001 - no code
    rematch = models.OneToOneField(
        "self", on_delete=models.SET_NULL, null=True, related_name="rematch_of"
    )
    next_server_seed = models.BinaryField(max_length=32)
    client_seed = models.CharField(max_length=64, blank=True, default="")
    carry = models.JSONField(default=dict)
    counts = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        permissions = (("end_session", "Can end a stuck session"),)
        indexes = (
            models.Index(fields=("-created_at", "-id"), name="session_newest"),
            models.Index(fields=("status", "-created_at", "-id"), name="session_newest_by_status"),
            models.Index(
                fields=("bot_due_at",),
                name="session_bot_due",
                condition=Q(bot_due_at__isnull=False),
            ),
            models.Index(
                fields=("clock_due_at",),
                name="session_clock_due",
                condition=Q(clock_due_at__isnull=False),
            ),
            models.Index(
                fields=("game", "created_at"),
                name="session_public_waiting",
                condition=Q(
                    visibility=Visibility.PUBLIC,
                    status__in=(SessionStatus.LOBBY, SessionStatus.BETWEEN_ROUNDS),
                ),
            ),
        )
        constraints = (
            models.CheckConstraint(
                condition=Q(status=SessionStatus.FINISHED) ^ Q(finished_at__isnull=True),
                name="session_finished_has_time",
            ),
            models.CheckConstraint(
                condition=~Q(status=SessionStatus.FINISHED) | Q(join_code__isnull=True),
                name="finished_session_has_no_code",
            ),
        )

    def __str__(self) -> str:
        return f"{self.game} {self.id}"


class Seat(models.Model):
    """A place at a table and who sits there now. `total` is the shown score of the session.

    `timeouts` counts the decisions in a row for which this person let the time run out.
    """

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=5, choices=SeatKind)
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="seats"
    )
    bot_level = models.CharField(max_length=10, blank=True, default="")
    total = models.IntegerField(default=0)
    autoplay = models.BooleanField(default=False)
    timeouts = models.PositiveSmallIntegerField(default=0)

    player_name: str | None
    """The player's display name, in the seats of a table as `games.selectors.tables` reads them."""

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=("session", "number"), name="one_seat_per_number"),
            models.UniqueConstraint(fields=("session", "player"), name="one_seat_per_player"),
            models.CheckConstraint(
                condition=Q(kind=SeatKind.HUMAN) ^ Q(player__isnull=True),
                name="human_seat_has_player",
            ),
            models.CheckConstraint(
                condition=Q(autoplay=False) | Q(kind=SeatKind.HUMAN),
                name="autoplay_is_of_a_person",
            ),
        )

    def __str__(self) -> str:
        return f"seat {self.number} of {self.session_id}"


class Member(models.Model):
    """Who sits or has sat at a table.

    `reads` says that it is in the player's list, and stays so for who was dealt a hand there.
    `total` is what the player had when the seat was left, for when they come back; `removed` says
    that the host does not want them back.
    """

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="members")
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="memberships"
    )
    reads = models.BooleanField(default=True)
    total = models.IntegerField(default=0)
    removed = models.BooleanField(default=False)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("session", "player"), name="one_member_per_player"),
        )

    def __str__(self) -> str:
        return f"{self.player_id} at {self.session_id}"
