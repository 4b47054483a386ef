"""Which fields of valid data a call may refuse: what a schema cannot say."""

from __future__ import annotations

from typing import Final

from schemathesis import Case

from tests.fuzz.caller import operation_of

# The options of a table are those of all games; the request names one.
OPTIONS: Final = {"not_for_this_game"}
# One body has the fields of every type of move, of every game, or of rows and special hands.
MOVE: Final = {"required", "not_for_this_type"}
NAME: Final = {"invisible"}
PASSWORD: Final = {"password_entirely_numeric", "password_too_common", "password_too_similar"}
# Letters are made plain (NFKC) before a username is looked at, which can make others of them.
USERNAME: Final = {"invalid", "max_length", "min_length"}
RULES: Final[dict[str, set[str]]] = {
    "change_seat": {"not_for_this_kind"},
    "claim_player": USERNAME | PASSWORD,
    "create_guest": NAME,
    "create_sandbox_session": OPTIONS | MOVE | {"invalid_choice", "wrong_number_of_seats"},
    "create_session": OPTIONS | {"not_for_this_kind", "wrong_number_of_seats"},
    "make_move": MOVE,
    "preview_move": MOVE,
    "quick_join_session": OPTIONS,
    "recompute_deal": {"not_in_this_game", "required", "no_such_seat"},
    "register_player": NAME | USERNAME | PASSWORD,
    "settle_round": {"not_in_this_game", "required", "no_such_seat", "rows_or_special"},
    "update_me": NAME,
}
# A cursor is signed: only the service writes one.
CURSOR: Final = {"invalid_cursor"}


def codes_by_the_rules(case: Case) -> set[str]:
    """The codes that errors of fields may have."""
    of_a_list = CURSOR if "cursor" in (case.query or {}) else set()
    return RULES.get(operation_of(case), set()) | of_a_list
