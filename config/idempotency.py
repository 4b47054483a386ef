"""`Idempotency-Key`: the same request twice is done once, answered twice (contract: Conventions).

The key's row is inserted first and its answer written last, in the one transaction that also holds
the change. So a second request with the key waits for the first, a crash or a server error leaves
neither the change nor the key, and a stored answer always belongs to a change that was made.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac
from rest_framework.exceptions import APIException

from config.errors import OUT_OF_REACH, problem_response, unavailable_response
from config.models import StoredAnswer
from contract.transactions import atomic_retried
from players.api.authentication import authenticate_request
from players.errors import PlayerBanned

MAX_KEY_LENGTH = 255
# Nothing was done, and the answer lives by its headers: `Allow`, `Retry-After`.
NOT_KEPT = (405, 429)

CLAIM = """
    INSERT INTO config_storedanswer
        (player_id, key, fingerprint, status, content_type, body, created_at)
    VALUES (%s, %s, %s, 0, '', '', now())
    ON CONFLICT (player_id, key) DO NOTHING
    RETURNING id
"""


class IdempotencyMiddleware:
    """Run a POST with a key once per player and key.

    Views whose answers must not be stored (tokens) or that change nothing set
    `idempotency_key_ignored = True`.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request."""
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        """The answer of a POST with a key; None leaves the request to its view."""
        sent = request.headers.get("Idempotency-Key")
        api_view = getattr(view, "cls", None)
        if sent is None or request.method != "POST" or api_view is None:
            return None
        if getattr(api_view, "idempotency_key_ignored", False):
            return None
        key = _key(sent)
        if key is None:
            return problem_response(request, "invalid_idempotency_key")
        try:
            caller = _caller(request)
            if caller is None:
                return None
            return _answer_once(request, caller, key, lambda: view(request, *args, **kwargs))
        except OUT_OF_REACH as error:
            return unavailable_response(request, error)


def _caller(request: HttpRequest) -> UUID | None:
    """The player's id; None for nobody, whom the view will refuse."""
    try:
        authenticated = authenticate_request(request)
    except (APIException, PlayerBanned):
        return None
    return authenticated[0].pk if authenticated else None


def _key(sent: str) -> str | None:
    """The key as text, None if it is none. Headers reach Django as Latin-1; texts are UTF-8."""
    try:
        key = sent.encode("latin-1").decode()
    except UnicodeError:
        return None
    return key if 0 < len(key) <= MAX_KEY_LENGTH and key.isprintable() else None


@atomic_retried
def _answer_once(
    request: HttpRequest, player_id: UUID, key: str, run: Callable[[], HttpResponse]
) -> HttpResponse:
    """The view's answer, or its first one. Raises what the view raises; nothing is kept then."""
    # Keyed, since a body can hold a password.
    content = f"{request.path}\n".encode() + _canonical(request.body)
    fingerprint = salted_hmac("idempotency", content, algorithm="sha256").hexdigest()
    answer_id = _claim(player_id, key, fingerprint)
    if answer_id is None:
        return _first_answer(request, player_id, key, fingerprint)
    response = run()
    if hasattr(response, "render"):
        response.render()
    if response.status_code >= 500 or response.status_code in NOT_KEPT:
        transaction.set_rollback(True)
    else:
        StoredAnswer.objects.filter(pk=answer_id).update(
            status=response.status_code,
            content_type=response.get("Content-Type", ""),
            body=response.content.decode(),
        )
    return response


def _canonical(body: bytes) -> bytes:
    """The same for bodies that differ only in the order of their fields and in white space."""
    try:
        return json.dumps(json.loads(body), sort_keys=True).encode()
    except (ValueError, RecursionError):
        return body


def _claim(player_id: UUID, key: str, fingerprint: str) -> int | None:
    """The id of the new row, or None if the key is taken. Waits for a request that holds it."""
    with connection.cursor() as cursor:
        cursor.execute(CLAIM, [player_id, key, fingerprint])
        row = cursor.fetchone()
    return row[0] if row else None


def _first_answer(
    request: HttpRequest, player_id: UUID, key: str, fingerprint: str
) -> HttpResponse:
    stored = StoredAnswer.objects.get(player_id=player_id, key=key)
    if stored.fingerprint != fingerprint:
        return problem_response(request, "idempotency_key_reused")
    response = HttpResponse(stored.body, status=stored.status, content_type=stored.content_type)
    if not stored.body:
        del response["Content-Type"]
    return response
