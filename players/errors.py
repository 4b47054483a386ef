"""What the players app refuses."""

from __future__ import annotations

from contract.errors import Refusal


class UsernameTaken(Refusal):
    """Another player has the username, in whatever case."""

    code = "username_taken"


class AlreadyRegistered(Refusal):
    """Only a guest can claim a username."""

    code = "already_registered"


class InvalidCredentials(Refusal):
    """No active player has this username with this password; it is not said which was wrong."""

    code = "invalid_credentials"


class PlayerBlocked(Refusal):
    """The player is deleted."""

    code = "permission_denied"


class PlayerBanned(Refusal):
    """The staff keeps the player out. Facts: `reason`, as the staff has written it."""

    code = "player_banned"


class NotBanned(Refusal):
    """The player has no ban that could be lifted."""

    code = "not_found"


class NoSuchPlayer(Refusal):
    """There is no player with this id."""

    code = "not_found"


class NoSuchDevice(Refusal):
    """The player has no device with this id."""

    code = "not_found"
