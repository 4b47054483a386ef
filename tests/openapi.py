"""The OpenAPI document as the tests use it: to hold every answer of the API against it."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from functools import cache, wraps
from types import SimpleNamespace
from typing import Any

import httpx
import yaml
from django.http import HttpResponse
from jsonschema_rs import Draft202012Validator

from config.documents import schema_text
from contract.schema import PROBLEM_MEDIA_TYPE

BASE_PATH = "/api/v1/"
JSON_LINES = "application/x-ndjson"
"""In the document a text; each of its lines is a `Replay`."""


def _is_utc_in_whole_seconds(value: str) -> bool:
    return bool(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", value))


@cache
def document() -> dict[str, Any]:
    """The document that the service serves."""
    loaded: dict[str, Any] = yaml.load(schema_text(), Loader=yaml.CSafeLoader)
    return loaded


def json_schema(schema: Any) -> Any:
    """OpenAPI 3.0's dialect in JSON Schema's words; an object has no fields but those named."""
    if isinstance(schema, list):
        return [json_schema(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    plain = {name: json_schema(part) for name, part in schema.items() if name != "nullable"}
    if isinstance(schema.get("properties"), dict):
        plain.setdefault("additionalProperties", False)
    return {"anyOf": [plain, {"type": "null"}]} if schema.get("nullable") is True else plain


@cache
def _components() -> Any:
    return {"schemas": json_schema(document()["components"]["schemas"])}


def faults(schema: dict[str, Any], value: Any) -> list[str]:
    """What is wrong with the value, by path."""
    errors = _validator(json.dumps(schema)).iter_errors(value)
    return [f"{error.instance_path}: {error.message[:200]}" for error in errors]


@cache
def _validator(schema: str) -> Draft202012Validator:
    whole = {**json_schema(json.loads(schema)), "components": _components()}
    formats = {"date-time": _is_utc_in_whole_seconds}
    return Draft202012Validator(whole, formats=formats, validate_formats=True)


@cache
def template_of(path: str) -> str | None:
    """The document's path that an address belongs to; the one with fewer parameters first."""
    for template in sorted(document()["paths"], key=lambda text: text.count("{")):
        if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", template), path):
            return str(template)
    return None


def checked(generic: Callable[..., Any]) -> Callable[..., Any]:
    """`RequestFactory.generic`, by which every call of Django's and REST framework's test clients
    goes, with its answer held against the document. A stream is for who reads it to check."""

    @wraps(generic)
    def call(client: Any, method: str, path: str, data: Any = "", *args: Any, **more: Any) -> Any:
        response = generic(client, method, path, data, *args, **more)
        if isinstance(response, HttpResponse) and str(path).startswith(BASE_PATH):
            content = response.content
            if response.headers.get("Content-Encoding") == "gzip":
                content = gzip.decompress(content)
            answer = SimpleNamespace(
                status_code=response.status_code, content=content, headers=response.headers
            )
            sent = data if isinstance(data, bytes) else str(data).encode(errors="surrogatepass")
            check_answer(method, str(path), sent, answer)
        return response

    return call


def check_http(response: httpx.Response) -> None:
    """The same for a client of a running service, as a hook of httpx; streams are left out."""
    if "text/event-stream" not in response.headers.get("Content-Type", ""):
        response.read()
        request = response.request
        check_answer(request.method, request.url.raw_path.decode(), request.content, response)


def check_answer(method: str, url: str, sent: bytes, response: Any) -> None:
    """Hold an answer of the API, and the body that it accepted, against the document."""
    path = url.split("?")[0]
    if not path.startswith(BASE_PATH):
        return
    where = f"{method} {path} {response.status_code}"
    if response.status_code == 502:  # a proxy's, which the sandbox plays (config.faults)
        assert not response.content, where
        return
    template = template_of(path)
    if method == "OPTIONS" and template:
        # 200 is for the preflight of a browser.
        assert response.status_code in (200, 204), where
        assert not response.content, where
        return
    operation = document()["paths"].get(template, {}).get(method.lower().replace("head", "get"))
    if operation is None:
        expected = {404} if template is None else {401, 404, 405}
        assert response.status_code in expected, where
        _check_body({PROBLEM_MEDIA_TYPE: _PROBLEM}, response, where)
        return
    documented = operation["responses"].get(str(response.status_code))
    assert documented, f"{where} is not documented: {response.content[:300]!r}"
    _check_headers(documented.get("headers", {}), response, where)
    if method == "HEAD":
        assert not response.content, where
        return
    _check_body(documented.get("content", {}), response, where)
    if response.headers.get("Content-Type") == PROBLEM_MEDIA_TYPE:
        code = json.loads(response.content)["code"]
        assert f"`{code}`" in documented["description"], f"{where} does not name {code}"
    elif sent and "requestBody" in operation:
        schema = operation["requestBody"]["content"]["application/json"]["schema"]
        wrong = faults(schema, json.loads(sent))
        assert not wrong, f"{where} accepted an undocumented body: {wrong}"


_REPLAY = {"$ref": "#/components/schemas/Replay"}
_PROBLEM = {"schema": {"$ref": "#/components/schemas/Problem"}}


def _check_body(content: dict[str, Any], response: Any, where: str) -> None:
    if not content:
        assert not response.content, f"{where} has a body that is not documented"
        return
    media_type = response.headers.get("Content-Type")
    assert media_type in content, f"{where} is {media_type}"
    schema = _REPLAY if media_type == JSON_LINES else content[media_type]["schema"]
    for value in _values(response, media_type):
        wrong = faults(schema, value)
        assert not wrong, f"{where} is not as documented: {wrong}"


def _check_headers(documented: dict[str, Any], response: Any, where: str) -> None:
    """Those that the document promises: whole numbers above 0, and texts."""
    for name, promised in documented.items():
        form = "[1-9][0-9]*" if promised["schema"]["type"] == "integer" else ".+"
        assert re.fullmatch(form, response.headers.get(name, "")), f"{where} lacks {name}"


def _values(response: Any, media_type: str | None) -> list[Any]:
    """The JSON values of a body: one, one an event, or one a line."""
    lines = response.content.decode().splitlines()
    if media_type == "text/event-stream":
        return [json.loads(line[6:]) for line in lines if line.startswith("data: ")]
    if media_type == JSON_LINES:
        return [json.loads(line) for line in lines]
    return [json.loads(response.content)]
