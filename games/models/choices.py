"""The words that columns may hold."""

from __future__ import annotations

from django.db import models


class SessionStatus(models.TextChoices):
    """Where a table is between its creation and its end."""

    LOBBY = "lobby"
    PLAYING = "playing"
    BETWEEN_ROUNDS = "between_rounds"
    FINISHED = "finished"


class Visibility(models.TextChoices):
    """Whether strangers may find the table."""

    PRIVATE = "private"
    PUBLIC = "public"


class SeatKind(models.TextChoices):
    """Who sits there."""

    HUMAN = "human"
    BOT = "bot"
    OPEN = "open"


class RoundStatus(models.TextChoices):
    """Whether a round is being played. One that an operator ended has no outcome: it is void."""

    OPEN = "open"
    SETTLED = "settled"
    VOIDED = "voided"


class Actor(models.TextChoices):
    """Who made a move for a seat."""

    PERSON = "person"
    BOT = "bot"
    CLOCK = "clock"
    AUTOPLAY = "autoplay"


class ChangeType(models.TextChoices):
    """What a change of a table was, beside the moves."""

    JOINED = "joined"
    LEFT = "left"
    SEAT_CHANGED = "seat_changed"
    AUTOPLAY = "autoplay"
    DEALT = "dealt"
    FINISHED = "finished"
    ENDED_BY_OPERATOR = "ended"
    REMATCH = "rematch"
