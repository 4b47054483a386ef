"""What only the top layer can say in the OpenAPI document."""

from __future__ import annotations

from typing import Any

from inflection import camelize

from config.problems import PROBLEMS
from contract.schema import PROBLEM_MEDIA_TYPE

# Where lower layers mean a component that they do not know, and what else is said there.
REFERENCES_UPWARD: tuple[tuple[str, str, str, dict[str, Any]], ...] = (
    ("Problem", "code", "ErrorCode", {}),
    ("Problem", "state", "State", {}),
    ("Preview", "code", "ErrorCode", {"nullable": True}),
    ("LedgerEntry", "game", "GameSlug", {}),
)
# What can happen to any call.
FAILURES = {"500": "internal_error", "503": "temporarily_unavailable"}


def complete_schema(result: dict[str, Any], **context: Any) -> dict[str, Any]:
    """Hook of drf-spectacular, run last."""
    schemas = result["components"]["schemas"]
    schemas["ErrorCode"] = {
        "type": "string",
        "enum": sorted(PROBLEMS),
        "description": "Why a request was refused. Later versions may know more codes.",
    }
    for component, name, target, beside in REFERENCES_UPWARD:
        if component in schemas and target in schemas:
            properties = schemas[component]["properties"]
            if description := properties[name].get("description"):
                beside = {**beside, "description": description}
            properties[name] = _reference(target, **beside)
    for path in result["paths"].values():
        for operation in path.values():
            _name_enums(operation, schemas)
            for status, code in FAILURES.items():
                operation["responses"][status] = _failure(code)
    result["components"]["schemas"] = dict(sorted(schemas.items()))
    return result


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
            schemas[name] = {"type": "string", "enum": inline["enum"]}
        beside = {"default": inline["default"]} if "default" in inline else {}
        parameter["schema"] = _reference(name, **beside)


def _reference(target: str, **beside: Any) -> dict[str, Any]:
    """A reference, wrapped where more is said: OpenAPI 3.0 ignores what stands beside a `$ref`."""
    reference = {"$ref": f"#/components/schemas/{target}"}
    return {"allOf": [reference], **beside} if beside else reference


def _failure(code: str) -> dict[str, Any]:
    return {
        "description": f"Failed: `{code}`",
        "content": {PROBLEM_MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
