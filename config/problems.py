"""Every error code of the service: its HTTP status and its texts.

The one table between errors, which know no HTTP, and clients. Details are templates over the
error's facts, words of the interface by their names; a fact that is missing leaves the title as
the detail.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.services.words import word_shown

FACT: Final = re.compile(r"%\((\w+)\)s")
WORDS: Final = {"pattern": "patterns", "phase": "phases", "type": "move_types"}
"""Facts that are words of the interface, and which of a game's words they are."""


@dataclass(frozen=True, slots=True)
class ProblemType:
    """Status and texts of one code. `detail` may hold `%(fact)s`."""

    status: int
    title: str | Promise
    detail: str | Promise

    def detail_with(self, facts: dict[str, Any], game: str | None = None) -> str:
        """The detail in the active language, with lists spelled out and words by their names.

        `game` is the one whose names are meant, where some differ.
        """
        if [] in facts.values():  # nothing to name: the title says it better
            return str(self.title)
        spelled = {name: _spelled(name, value, game) for name, value in facts.items()}
        try:
            return str(self.detail) % spelled
        except KeyError:
            return str(self.title)

    @property
    def shown_facts(self) -> list[str]:
        """The names of the facts that the detail shows, sorted."""
        return sorted(set(FACT.findall(str(self.detail))))

    @property
    def template(self) -> str:
        """The detail in the active language with `{fact}` for each fact, as clients fill it in."""
        return FACT.sub(r"{\1}", str(self.detail))


def _spelled(fact: str, value: Any, game: str | None) -> Any:
    if fact in WORDS:
        return word_shown(WORDS[fact], value, game)
    return " ".join(map(str, value)) if isinstance(value, list) else value


PROBLEMS: dict[str, ProblemType] = {
    # --- any request ---
    "bad_request": ProblemType(400, _("Bad request"), _("The request could not be understood.")),
    "malformed_json": ProblemType(400, _("Malformed JSON"), _("The body is not valid JSON.")),
    "invalid_input": ProblemType(
        400, _("Invalid input"), _("Some fields are not valid; errors says which and why.")
    ),
    "invalid_idempotency_key": ProblemType(
        400,
        _("Invalid Idempotency-Key"),
        _("An Idempotency-Key is 1 to 255 printable characters."),
    ),
    "not_authenticated": ProblemType(
        401,
        _("Not authenticated"),
        _("This call needs a valid token: Authorization: Bearer <token>."),
    ),
    "invalid_credentials": ProblemType(
        401, _("Wrong username or password"), _("The username or the password is wrong.")
    ),
    "permission_denied": ProblemType(403, _("Not allowed"), _("You may not do this.")),
    "not_found": ProblemType(404, _("Not found"), _("There is nothing here for you.")),
    "method_not_allowed": ProblemType(
        405, _("Method not allowed"), _("This address does not take that method.")
    ),
    "payload_too_large": ProblemType(
        413, _("Body too large"), _("A body may have %(limit_bytes)s bytes at most.")
    ),
    "unsupported_media_type": ProblemType(
        415, _("Unsupported media type"), _("Send the body as application/json.")
    ),
    "idempotency_key_reused": ProblemType(
        422,
        _("Idempotency-Key used before"),
        _("This Idempotency-Key belongs to another request of yours; use a new one."),
    ),
    "too_many_streams": ProblemType(
        429,
        _("Too many streams"),
        _("You have %(limit)s event streams open; close one first."),
    ),
    "rate_limited": ProblemType(
        429,
        _("Too many requests"),
        _("That was too often in a short time. Please wait a little and try again."),
    ),
    "internal_error": ProblemType(
        500,
        _("Internal error"),
        _("Something went wrong on our side. Nothing was changed; please try again."),
    ),
    "temporarily_unavailable": ProblemType(
        503,
        _("Temporarily unavailable"),
        _("The service cannot reach a part that it needs. Please try again shortly."),
    ),
    # --- players ---
    "username_taken": ProblemType(409, _("Username taken"), _("Another player has this username.")),
    "already_registered": ProblemType(
        409, _("Already registered"), _("Only a guest can claim a username and a password.")
    ),
    "player_banned": ProblemType(
        403, _("Banned"), _("This player may not play here. The reason: %(reason)s")
    ),
    # --- sessions ---
    "not_host": ProblemType(403, _("Host only"), _("Only the host of the table may do this.")),
    "not_seated": ProblemType(403, _("No seat"), _("You have no seat at this table.")),
    "session_finished": ProblemType(409, _("Session finished"), _("This session has ended.")),
    "round_running": ProblemType(
        409, _("Round running"), _("Round %(round)s is still being played.")
    ),
    "already_started": ProblemType(
        409, _("Already started"), _("The first round has been dealt already.")
    ),
    "not_started": ProblemType(409, _("Not started"), _("The first round has not been dealt yet.")),
    "not_finished": ProblemType(
        409, _("Not finished"), _("This is possible once the session has ended.")
    ),
    "table_full": ProblemType(409, _("Table full"), _("No seat is free at this table.")),
    "removed_from_table": ProblemType(
        403, _("Removed"), _("The host has removed you from this table.")
    ),
    "host_seat": ProblemType(
        409, _("Your own seat"), _("This is your own seat as the host; leave the table instead.")
    ),
    # --- moves ---
    "not_your_turn": ProblemType(409, _("Not your turn"), _("It is the turn of seat %(to_act)s.")),
    "wrong_phase": ProblemType(
        409,
        _("Not possible now"),
        _('"%(type)s" is not possible in the phase "%(phase)s".'),
    ),
    "stale_turn": ProblemType(
        409,
        _("Decision already closed"),
        _("The move was for turn %(turn)s; the open turn is %(open_turn)s."),
    ),
    "round_over": ProblemType(409, _("Round over"), _("No round is being played at this table.")),
    "unknown_card": ProblemType(
        422,
        _("Unknown card"),
        _(
            "%(card)s is no card of this game: a rank 3456789TJQKA2, then a suit CDHS; BJ, RJ with "
            "jokers."
        ),
    ),
    "duplicate_card": ProblemType(
        422, _("Card named twice"), _("%(card)s is named more than once.")
    ),
    "card_not_in_hand": ProblemType(
        422, _("Card not in your hand"), _("You do not hold %(cards)s.")
    ),
    "not_a_pattern": ProblemType(422, _("Not a play"), _("%(cards)s is no play of this game.")),
    "ambiguous_pattern": ProblemType(
        422, _("Pattern does not fit"), _('These cards cannot be read as "%(pattern)s".')
    ),
    "wrong_pattern": ProblemType(
        422,
        _("Wrong pattern"),
        _("The trick asks for another pattern or another number of cards."),
    ),
    "does_not_beat": ProblemType(422, _("Too low"), _("The play does not beat the last one.")),
    "must_include_card": ProblemType(
        422, _("Opening card missing"), _("The first play must contain %(card)s.")
    ),
    "must_lead": ProblemType(
        422, _("You must lead"), _("You lead this trick: play cards, you may not pass.")
    ),
    "bid_too_low": ProblemType(422, _("Bid too low"), _("A bid must be higher than %(highest)s.")),
    "redeal_not_eligible": ProblemType(
        422, _("No redeal"), _("This hand may not call for a redeal now.")
    ),
    "redeal_already_called": ProblemType(
        422, _("Redeal already called"), _("You have called for a redeal of this deal before.")
    ),
    "cannot_cut": ProblemType(422, _("No cut"), _("You may not cut the deck now.")),
    "cut_out_of_range": ProblemType(
        422, _("No such cut"), _("A cut is at a position from 1 to 51, or 0 to skip.")
    ),
    "wrong_row_sizes": ProblemType(422, _("Wrong row sizes"), _("The rows hold 3, 5 and 5 cards.")),
    "wrong_cards": ProblemType(
        422, _("Wrong cards"), _("The rows must be exactly the 13 cards of your hand.")
    ),
    "foul_arrangement": ProblemType(
        422,
        _("Foul"),
        _("The back must be at least the middle, and the middle at least the front."),
    ),
    "no_special_hand": ProblemType(422, _("No special hand"), _("Your hand is no special hand.")),
    "extension_used": ProblemType(
        422, _("Extra time used"), _("You have had your extra time in this round.")
    ),
}
