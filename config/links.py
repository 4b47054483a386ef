"""Where the ids in an answer lead: the links of the OpenAPI document (3.0.3, Link Object)."""

from __future__ import annotations

from typing import Any, Final

TABLE_ID: Final = {"session_id": "$response.body#/id"}
# By call: what may follow it, and whence that takes what its path needs.
FOLLOWED_BY: Final[dict[str, dict[str, dict[str, str]]]] = {
    "create_guest": {"get_player": {"id": "$response.body#/player/id"}},
    "register_player": {"get_player": {"id": "$response.body#/player/id"}},
    "log_in_player": {"get_player": {"id": "$response.body#/player/id"}},
    "list_devices": {"end_device": {"id": "$response.body#/results/0/id"}},
    "list_leaderboard": {
        "get_player": {"id": "$response.body#/results/0/player/id"},
        "get_player_stats": {"id": "$response.body#/results/0/player/id"},
    },
    "create_sandbox_session": {"advance_sandbox_clock": TABLE_ID},
    "list_open_sessions": {"get_state": {"session_id": "$response.body#/results/0/session/id"}},
    "list_sessions": {"get_session": {"session_id": "$response.body#/results/0/id"}},
    "list_own_rounds": {
        "get_round": {
            "session_id": "$response.body#/results/0/session_id",
            "number": "$response.body#/results/0/number",
        }
    },
    "list_rounds": {
        "get_round": {
            "session_id": "$request.path.session_id",
            "number": "$response.body#/results/0/number",
        }
    },
}
# Calls that give a table which the caller did not name by its id: all calls at a table may follow.
GIVES_A_TABLE: Final = (
    *("create_session", "join_session_by_code", "quick_join_session", "rematch_session"),
    "create_sandbox_session",
)
OF_A_TABLE: Final = {
    "change_seat": {**TABLE_ID, "number": "$response.body#/seats/1/seat"},
}


def link_answers(result: dict[str, Any]) -> None:
    """Name under each successful answer of these calls what may follow it."""
    operations = {
        operation["operationId"]: (path, operation)
        for path, methods in result["paths"].items()
        for operation in methods.values()
    }
    at_a_table = {
        name: {"operationId": name, "parameters": OF_A_TABLE.get(name, TABLE_ID)}
        for name, (path, _) in sorted(operations.items())
        if path.startswith("/api/v1/sessions/{session_id}/") and name != "get_round"
    }
    result["components"]["links"] = at_a_table
    shared = {name: {"$ref": f"#/components/links/{name}"} for name in at_a_table}
    for name, (_, operation) in operations.items():
        own = {
            target: {"operationId": target, "parameters": parameters}
            for target, parameters in FOLLOWED_BY.get(name, {}).items()
        }
        links = own | (shared if name in GIVES_A_TABLE else {})
        for status, answer in operation["responses"].items():
            if links and status.startswith("2"):
                answer["links"] = links
