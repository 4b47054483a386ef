"""Refusals of tables, besides those of the rules."""

from __future__ import annotations

from contract.errors import Refusal


class SessionNotFound(Refusal):
    """No such session, or a private one of others."""

    code = "not_found"


class GameNotFound(Refusal):
    """No such game. Facts: `game`."""

    code = "not_found"


class NotInThisGame(Refusal):
    """The game has no such question to answer. Facts: `game`, `question`."""

    code = "not_found"


class RoundNotFound(Refusal):
    """The session has no such round. Facts: `round`."""

    code = "not_found"


class NotSeated(Refusal):
    """The caller has no seat at this table."""

    code = "not_seated"


class NotHost(Refusal):
    """Only the host may do this. Facts: `wait_ms`, where others may from then on."""

    code = "not_host"


class SessionFinished(Refusal):
    """The session has ended."""

    code = "session_finished"


class RoundRunning(Refusal):
    """A round is being played. Facts: `round`."""

    code = "round_running"


class AlreadyStarted(Refusal):
    """The first round has been dealt."""

    code = "already_started"


class NotStarted(Refusal):
    """The first round has not been dealt."""

    code = "not_started"


class NoRound(Refusal):
    """No round is being played at this table."""

    code = "round_over"


class StaleTurn(Refusal):
    """The move was decided for a decision that is closed. Facts: `turn`, `open_turn`."""

    code = "stale_turn"


class TurnOverdue(StaleTurn):
    """Somebody's time is up: the server acts first, then the move may come again. Facts: `turn`,
    `open_turn`."""


class NotFinished(Refusal):
    """The session has not ended."""

    code = "not_finished"


class TableFull(Refusal):
    """No seat is free at this table."""

    code = "table_full"


class RemovedFromTable(Refusal):
    """The host has removed the caller from this table."""

    code = "removed_from_table"


class HostSeat(Refusal):
    """The host does not give the own seat away, but leaves."""

    code = "host_seat"


class SeatNotFound(Refusal):
    """The table has no such seat. Facts: `seat`."""

    code = "not_found"


class TooManyStreams(Refusal):
    """The player has as many event streams open as one may have. Facts: `limit`."""

    code = "too_many_streams"
    wait = 1.0  # seconds until it is worth trying again
