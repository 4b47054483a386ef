"""References that stand alone, as the generators of clients want them.

OpenAPI 3.0 ignores what stands beside a `$ref`, and `nullable` counts only beside a `type`. So
drf-spectacular wraps the reference in `allOf` and says there what it has to say, of which many
generators make a class of its own. Here the reference stands alone: that it may be null is said by
the component, and what it means by the component that holds it.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

PREFIX = "#/components/schemas/"


def flatten_references(result: dict[str, Any]) -> None:
    """Take every `allOf` around one reference out of the document's components.

    A component that is null in some places only gets a twin for them, `NullableX`.
    """
    schemas = result["components"]["schemas"]
    never_null = set(_targets_never_null(result))
    nullable: dict[str, str] = {}
    for owner in schemas.values():
        for name, part in owner.get("properties", {}).items():
            if "allOf" not in part:
                continue
            target = part["allOf"][0]["$ref"].removeprefix(PREFIX)
            if part.get("nullable"):
                nullable[target] = f"Nullable{target}" if target in never_null else target
                target = nullable[target]
            owner["properties"][name] = {"$ref": PREFIX + target}
            if words := _words(part):
                told = (owner.get("description"), f"`{name}`: {words}")
                owner["description"] = "\n\n".join(filter(None, told))
    for target, name in nullable.items():
        schemas[name] = _or_null(schemas[target], name)


def _or_null(schema: dict[str, Any], name: str) -> dict[str, Any]:
    """The component, or null. Without a title some generators number what they make of it."""
    choices = {"enum": [*schema["enum"], None]} if "enum" in schema else {}
    return {"title": name, **deepcopy(schema), **choices, "nullable": True}


def _words(part: dict[str, Any]) -> str:
    default = f"Default: `{part['default']}`." if "default" in part else ""
    return " ".join(filter(None, (part.get("description"), default)))


def _targets_never_null(node: Any) -> Iterator[str]:
    """The components that something refers to as they are."""
    if isinstance(node, list):
        for inner in node:
            yield from _targets_never_null(inner)
    elif isinstance(node, dict):
        if "$ref" in node:
            yield node["$ref"].removeprefix(PREFIX)
        for name, inner in node.items():
            if not (name == "allOf" and node.get("nullable")):
                yield from _targets_never_null(inner)
