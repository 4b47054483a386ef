"""What a new version of the OpenAPI document breaks for clients made from a released one.

    python -m sdk.compatibility [RELEASED [NEW]]

A client keeps working when nothing that it calls, sends or reads has gone or changed its type. So
these are breaks: an operation, answer, parameter, field or choice that is gone; another name of an
operation (methods are called by it); another type, also a text that becomes a set of choices or a
component (code that compiled does so no more); what an answer always had and may now lack or be
null, its headers too; what a call may leave out or be null and now must not; another default, for
who leaves it out; tighter limits of input; another way to write a parameter or to show who calls.
Added operations, answers of another status, optional inputs, fields of answers and choices are
none: a choice that a client does not know is unknown to it (`enumUnknownDefaultCase` in settings/).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import yaml

from sdk.schema_breaks import (
    Json,
    choices_breaks,
    default_breaks,
    limits_breaks,
    nullable_breaks,
)

HERE: Final = Path(__file__).parent
RELEASED: Final = HERE / "released" / "openapi.yaml"
COMMITTED: Final = HERE.parent / "openapi.yaml"

METHODS: Final = ("get", "post", "put", "patch", "delete", "head", "options")
# How a parameter is written where nothing is said (OpenAPI 3.0.3, Parameter Object).
USUAL_STYLE: Final = {"query": "form", "cookie": "form", "path": "simple", "header": "simple"}


def breaks(released: Json, new: Json) -> list[str]:
    """Every break, as one line that says where and what; empty if there is none."""
    return sorted(set(_Comparison(released, new).run()))


class _Comparison:
    def __init__(self, released: Json, new: Json) -> None:
        self._documents = (released, new)
        self._seen: set[tuple[str, str, bool]] = set()

    def run(self) -> Iterator[str]:
        released, new = self._documents
        for path, methods in released["paths"].items():
            for method in METHODS:
                if method in methods:
                    operation = new["paths"].get(path, {}).get(method)
                    where = f"{method.upper()} {path}"
                    if operation is None:
                        yield f"{where}: is gone"
                    else:
                        yield from self._operation(where, methods[method], operation)

    def _operation(self, where: str, old: Json, new: Json) -> Iterator[str]:
        if old["operationId"] != new["operationId"]:
            yield f"{where}: is called {new['operationId']}, was {old['operationId']}"
        if old.get("tags") != new.get("tags"):
            yield f"{where}: has moved to {new.get('tags')} from {old.get('tags')}"
        if not old.get("security") and new.get("security"):
            yield f"{where}: needs a token"
        yield from self._security(where, old, new)
        yield from self._parameters(where, old, new)
        yield from self._body(where, old.get("requestBody"), new.get("requestBody"))
        for status, answer in old["responses"].items():
            if status not in new["responses"]:
                # A refusal that comes no more breaks nobody.
                if status < "400":
                    yield f"{where}: answer {status} is gone"
                continue
            after = new["responses"][status]
            yield from self._headers(f"{where} {status}", answer, after)
            yield from self._content(f"{where} {status}", answer, after, sent=False)

    def _security(self, where: str, old: Json, new: Json) -> Iterator[str]:
        """A client shows who calls in one of the old ways: one of the new must be the same."""
        before, after = (
            [
                {name: document["components"]["securitySchemes"][name] for name in way}
                for way in operation.get("security") or ()
            ]
            for operation, document in zip((old, new), self._documents, strict=True)
        )
        for way in before:
            if after and {} not in after and not any(_shown_alike(way, one) for one in after):
                yield f"{where}: takes {_ways(after)}, took {_ways([way])}"

    def _headers(self, where: str, old: Json, new: Json) -> Iterator[str]:
        after = new.get("headers", {})
        for name, header in old.get("headers", {}).items():
            if name not in after:
                yield f"{where}: header {name} is gone"
                continue
            if header.get("required") and not after[name].get("required"):
                yield f"{where}: header {name} may be missing"
            yield from self._schema(
                f"{where} header {name}", header["schema"], after[name]["schema"], sent=False
            )

    def _parameters(self, where: str, old: Json, new: Json) -> Iterator[str]:
        def by_name(operation: Json) -> dict[tuple[str, str], Json]:
            return {(p["in"], p["name"]): p for p in operation.get("parameters", ())}

        before, after = by_name(old), by_name(new)
        for key, parameter in before.items():
            name = f"{where}: {key[0]} parameter {key[1]}"
            if key not in after:
                yield f"{name} is gone"
                continue
            if after[key].get("required") and not parameter.get("required"):
                yield f"{name} is required"
            if _written(parameter) != _written(after[key]):
                yield f"{name} is written {_written(after[key])}, was {_written(parameter)}"
            yield from self._schema(name, parameter["schema"], after[key]["schema"], sent=True)
        for key in after.keys() - before.keys():
            if after[key].get("required"):
                yield f"{where}: {key[0]} parameter {key[1]} is new and required"

    def _body(self, where: str, old: Json | None, new: Json | None) -> Iterator[str]:
        if old is None:
            if new is not None and new.get("required"):
                yield f"{where}: a body is required"
            return
        if new is None:
            yield f"{where}: takes no body"
            return
        if new.get("required") and not old.get("required"):
            yield f"{where}: a body is required"
        yield from self._content(f"{where} body", old, new, sent=True)

    def _content(self, where: str, old: Json, new: Json, *, sent: bool) -> Iterator[str]:
        for media_type, content in old.get("content", {}).items():
            if media_type not in new.get("content", {}):
                yield f"{where}: {media_type} is gone"
                continue
            schema = new["content"][media_type]["schema"]
            yield from self._schema(where, content["schema"], schema, sent=sent)

    def _schema(self, where: str, old: Json, new: Json, *, sent: bool) -> Iterator[str]:
        """`sent`: by the client; otherwise read by it."""
        names = _target(old), _target(new)
        if names[0] != names[1] and not self._same_to_code(old, new):
            # The type that code written against the client names.
            yield f"{where}: is {names[1] or 'inline'}, was {names[0] or 'inline'}"
        if names[0] and names[1]:
            yield from nullable_breaks(where, old, new, sent=sent)
            yield from default_breaks(where, old, new, sent=sent)
            if (*names, sent) in self._seen:
                return
            self._seen.add((*names, sent))
            where = names[0]
        before, after = (
            self._resolved(schema, document)
            for schema, document in zip((old, new), self._documents, strict=True)
        )
        if before.get("type") != after.get("type"):
            yield f"{where}: has type {after.get('type')}, was {before.get('type')}"
            return
        if before.get("format") != after.get("format"):
            yield f"{where}: has format {after.get('format')}, was {before.get('format')}"
        yield from nullable_breaks(where, before, after, sent=sent)
        yield from choices_breaks(where, before, after)
        yield from default_breaks(where, before, after, sent=sent)
        if sent:
            yield from limits_breaks(where, before, after)
        yield from self._fields(where, before, after, sent=sent)
        for part in ("items", "additionalProperties"):
            if isinstance(before.get(part), dict) and isinstance(after.get(part), dict):
                inner = f"{where}[]"
                yield from self._schema(inner, before[part], after[part], sent=sent)

    def _fields(self, where: str, old: Json, new: Json, *, sent: bool) -> Iterator[str]:
        before, after = old.get("properties", {}), new.get("properties", {})
        was_required, is_required = set(old.get("required", ())), set(new.get("required", ()))
        for name, schema in before.items():
            if name not in after:
                yield f"{where}.{name}: is gone"
                continue
            yield from self._schema(f"{where}.{name}", schema, after[name], sent=sent)
            if sent and name in is_required - was_required:
                yield f"{where}.{name}: is required"
            if not sent and name in was_required - is_required:
                yield f"{where}.{name}: may be missing"
        for name in after.keys() - before.keys():
            if sent and name in is_required:
                yield f"{where}.{name}: is new and required"

    def _same_to_code(self, old: Json, new: Json) -> bool:
        """Whether no type's name changes: numbers, free texts and lists have none."""
        before, after = (
            self._resolved(schema, document)
            for schema, document in zip((old, new), self._documents, strict=True)
        )
        return not any(
            _target(schema) and _has_name(resolved)
            for schema, resolved in ((old, before), (new, after))
        )

    def _resolved(self, schema: Json, document: Json) -> Json:
        name = _target(schema)
        if not name:
            return schema
        resolved: Json = document["components"]["schemas"][name]
        return resolved


def _target(schema: Json) -> str:
    """The component that a schema refers to; a reference alone, or one that more is said about."""
    reference = schema.get("$ref") or next(
        (part["$ref"] for part in schema.get("allOf", ()) if "$ref" in part), ""
    )
    return str(reference).rpartition("/")[2]


def _has_name(schema: Json) -> bool:
    """Whether generators make a type of the component: objects and sets of choices."""
    return schema.get("type", "object") == "object" or "enum" in schema


def _written(parameter: Json) -> str:
    style = parameter.get("style", USUAL_STYLE[parameter["in"]])
    explode = parameter.get("explode", style == "form")
    return f"{style}, {'exploded' if explode else 'joined'}"


def _shown_alike(old: Json, new: Json) -> bool:
    """Whether who calls in the old way calls rightly in the new one."""
    told = ("type", "scheme", "in", "name")
    before, after = (
        [{part: scheme.get(part) for part in told} for scheme in way.values()] for way in (old, new)
    )
    return all(scheme in before for scheme in after)


def _ways(ways: list[Json]) -> str:
    return " or ".join(" and ".join(way) for way in ways)


def main(arguments: list[str]) -> int:
    """Print the breaks between two files; 1 if there are any."""
    files = [Path(name) for name in arguments] + [RELEASED, COMMITTED][len(arguments) :]
    released, new = (yaml.load(file.read_text(), Loader=yaml.CSafeLoader) for file in files)
    found = breaks(released, new)
    for line in found:
        sys.stdout.write(f"{line}\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
