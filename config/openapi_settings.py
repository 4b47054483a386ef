"""drf-spectacular's settings: what the OpenAPI document says of itself."""

from typing import Any, Final

SPECTACULAR_SETTINGS: Final[dict[str, Any]] = {
    "TITLE": "Five Chinese card games",
    "DESCRIPTION": (
        "Big Two (Taiwan and Hong Kong), Dou Dizhu, Chinese Poker and Thirteen, against bots or "
        "people. Start with `POST players/guest/`, then `POST sessions/`; play with "
        "`GET sessions/{id}/state/` and `POST sessions/{id}/moves/`. Every refusal is a `Problem`; "
        "its texts follow `Accept-Language` (`en`, `zh-Hant`, `zh-Hans`)."
    ),
    "VERSION": "1.0.0",
    "OAS_VERSION": "3.0.3",
    "LICENSE": {"name": "MIT", "url": "https://opensource.org/license/mit"},
    "TAGS": [
        {"name": "players", "description": "Who plays: guests, registered players, devices."},
        {
            "name": "games",
            "description": (
                "What there is to play, with the rules; and the rules as calculators, which need "
                "no token: patterns, plays, rows, settlements, deals."
            ),
        },
        {"name": "sessions", "description": "Tables, from opening one to the end of its session."},
        {"name": "play", "description": "What a player sees of a running round, and moves."},
        {"name": "rounds", "description": "The next deal, settled rounds and their replays."},
        {"name": "scores", "description": "What results add up to."},
        {
            "name": "sandbox",
            "description": (
                "Only where the service runs with `SANDBOX` on, which production refuses; "
                "everywhere else these calls answer 404 and the header `Sandbox-Fault` is "
                "ignored. With it a call is made to fail: `stale_turn` (a move: 409 with the "
                "fresh `state`), `rate_limited` (429 with `Retry-After`), `lost_answer` (done, "
                "but answered 502 without a body; a retry with the same `Idempotency-Key` gets "
                "the answer), `dropped_stream` (`events/` ends after its next event)."
            ),
        },
        {"name": "meta", "description": "What the interface says of itself."},
    ],
    "SCHEMA_PATH_PREFIX": r"/api/v1",
    "PATH_CONVERTER_OVERRIDES": {"any_case_uuid": {"type": "string", "format": "uuid"}},
    "SERVE_AUTHENTICATION": [],
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "COMPONENT_SPLIT_REQUEST": True,
    "COMPONENT_SPLIT_PATCH": False,
    "ENUM_SUFFIX": "",
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "ENUM_ADD_EXPLICIT_BLANK_NULL_CHOICE": False,
    # Every set of choices has a name of its own, which does not move when a field is added.
    "ENUM_NAME_OVERRIDES": {
        "Actor": "games.models.Actor",
        "BotLevel": "games.services.options.BOT_LEVELS",
        "DealtFact": "games.api.fairness.FACTS",
        "DealtTo": "games.api.fairness.DEALT_TO_KINDS",
        "Direction": "games.api.catalogue.DIRECTIONS",
        "EventType": "games.api.responses.EVENT_TYPES",
        "GameKind": "games.api.catalogue.KINDS",
        "GameSlug": "games.api.states.GAMES",
        "Language": "players.languages.Language",
        "LedgerKind": "scoring.models.LedgerKind",
        "MoveType": "games.api.states.MOVE_TYPES",
        "Pattern": "games.api.states.PATTERNS",
        "Phase": "games.api.states.PHASES",
        "ReasonCode": "games.api.states.REASONS",
        "Role": "games.api.states.ROLES",
        "SeatKind": "games.models.SeatKind",
        "SeatPlanKind": "games.api.requests.SEAT_PLAN_KINDS",
        "Special": "games.api.states.SPECIALS",
        "SessionStatus": "games.models.SessionStatus",
        "ScoreScope": "games.api.catalogue.SCORE_SCOPES",
        "Spring": "games.api.states.SPRINGS",
        "Visibility": "games.models.Visibility",
        "Wind": "games.api.states.WINDS",
    },
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "config.schema.complete_schema",
    ],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    # Without a validator: it would be asked over the net.
    "SWAGGER_UI_SETTINGS": {
        "deepLinking": True,
        "persistAuthorization": True,
        "validatorUrl": None,
    },
    "REDOC_DIST": "SIDECAR",
}
