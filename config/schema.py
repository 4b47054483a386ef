"""What only the top layer can say in the OpenAPI document."""

from __future__ import annotations

from typing import Any

from inflection import camelize

from config.flat_references import flatten_references
from config.links import link_answers
from config.problems import PROBLEMS
from contract.schema import PROBLEM_MEDIA_TYPE
from games.api.examples import SESSION_ID

# Where lower layers mean a component that they do not know, and what else is said there.
REFERENCES_UPWARD: tuple[tuple[str, str, str, dict[str, Any]], ...] = (
    ("Problem", "code", "ErrorCode", {}),
    ("Problem", "state", "State", {}),
    ("Preview", "code", "ErrorCode", {"nullable": True}),
    ("ErrorCodeEntry", "code", "ErrorCode", {}),
    ("LedgerEntry", "game", "GameSlug", {}),
    ("GameCounts", "game", "GameSlug", {}),
)
# What drf-spectacular adds to a text with a pattern that may be blank.
BLANK = {"type": "string", "maxLength": 0}
# What can happen to any call, whatever else its operation says of the same status; and to any with
# a token.
FAILURES = {
    "413": "Refused: `payload_too_large`",
    "429": "Refused: `rate_limited`",
    "500": "Failed: `internal_error`",
    "503": "Failed: `temporarily_unavailable`",
}
FAILURES_WITH_TOKEN = {"403": "Refused: `player_banned`"}
# Those that say when to try again.
PASSING = ("429", "503")
RETRY_AFTER = {
    "description": "Seconds to wait before the next try.",
    "required": True,
    "schema": {"type": "integer", "minimum": 1},
}
WWW_AUTHENTICATE = {
    "description": "How to say who calls: `Bearer`.",
    "required": True,
    "schema": {"type": "string"},
}
# Where the example of a page says that the next one is.
NEXT_PAGE = "https://cards.example{path}?cursor=WzAsZmFsc2Ui"
IN_PATHS = {"game": "big-two-tw", "session_id": SESSION_ID}


def complete_schema(result: dict[str, Any], **context: Any) -> dict[str, Any]:
    """Hook of drf-spectacular, run last."""
    schemas = result["components"]["schemas"]
    schemas["ErrorCode"] = {
        "type": "string",
        "enum": sorted(PROBLEMS),
        "description": "Why a request was refused. Later versions may know more codes.",
    }
    for component, schema in schemas.items():
        if component.endswith("Request") and "properties" in schema:
            schema["additionalProperties"] = False  # contract.serializers.StrictSerializer
        _join_blank(schema)
    for component, name, target, beside in REFERENCES_UPWARD:
        if component in schemas and target in schemas:
            properties = schemas[component]["properties"]
            if description := properties[name].get("description"):
                beside = {**beside, "description": description}
            properties[name] = _reference(target, **beside)
    for path, methods in result["paths"].items():
        for operation in methods.values():
            _name_enums(operation, schemas)
            _link_pages(path, operation)
            # Said, not left open: these need no token.
            operation.setdefault("security", [])
            responses = operation["responses"]
            failures = FAILURES | (FAILURES_WITH_TOKEN if operation["security"] else {})
            for status, told in failures.items():
                own = responses.get(status, {}).get("description")
                responses[status] = {"description": f"{own}. {told}" if own else told}
            for status, answer in responses.items():
                if status >= "400":
                    _make_problem(status, answer)
    link_answers(result)
    flatten_references(result)
    result["components"]["schemas"] = dict(sorted(schemas.items()))
    return result


def _join_blank(node: Any) -> None:
    """Make one text of a pattern and the blank text, which every pattern of ours takes anyway."""
    if isinstance(node, dict):
        choices = node.get("oneOf", ())
        if len(choices) == 2 and choices[1] == BLANK:
            node |= node.pop("oneOf")[0]
        for inner in node.values():
            _join_blank(inner)


def _name_enums(operation: dict[str, Any], schemas: dict[str, Any]) -> None:
    """Give the choices of queries and paths a name, which drf-spectacular does for bodies only."""
    names = {
        frozenset(schema["enum"]): name for name, schema in schemas.items() if "enum" in schema
    }
    for parameter in operation.get("parameters", ()):
        inline = parameter["schema"]
        if "enum" not in inline:
            continue
        name = names.get(frozenset(inline["enum"]))
        if name is None:
            name = camelize(f"{operation['operationId']}_{parameter['name']}")
            schemas[name] = {"type": "string", **inline}
        parameter["schema"] = _reference(name)


def _link_pages(path: str, operation: dict[str, Any]) -> None:
    """Lead the example of a page to the next one of its own list."""
    for media in operation["responses"].get("200", {}).get("content", {}).values():
        for example in media.get("examples", {}).values():
            if isinstance(example["value"], dict) and {"next", "previous"} <= set(example["value"]):
                example["value"]["next"] = NEXT_PAGE.format(path=path.format(**IN_PATHS))


def _reference(target: str, **beside: Any) -> dict[str, Any]:
    """A reference, wrapped where more is said: OpenAPI 3.0 ignores what stands beside a `$ref`."""
    reference = {"$ref": f"#/components/schemas/{target}"}
    return {"allOf": [reference], **beside} if beside else reference


def _make_problem(status: str, answer: dict[str, Any]) -> None:
    answer["content"] = {PROBLEM_MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    if status in PASSING:
        answer["headers"] = {"Retry-After": RETRY_AFTER}
    if status == "401":
        answer["headers"] = {"WWW-Authenticate": WWW_AUTHENTICATE}
