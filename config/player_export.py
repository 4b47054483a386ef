"""Everything stored about a player, as one JSON document. Only the top layer knows all of it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.http import StreamingHttpResponse
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.views import APIView

from config.models import StoredAnswer
from contract.schema import SAVED_AS, problems
from contract.stored_rows import rows_stored
from games.api.responses import SessionSerializer
from games.api.round_shapes import ExportedRoundSerializer
from games.clock import moment
from games.selectors.personal import games_stored
from players.api.authentication import caller
from players.models import Player
from players.selectors import player_stored
from scoring.selectors import scores_stored

MEDIA_TYPE = "application/json"


class RowsField(serializers.ListField):
    """Rows by the names of their columns; later versions may have more."""

    child = serializers.DictField()


class PlayerExportSerializer(serializers.Serializer[Any]):
    """Everything stored about the player, but secrets (password, device secret, tokens)."""

    player = serializers.DictField()
    devices = RowsField(help_text="Where the player is logged in.")
    bans = RowsField()
    operator_log = RowsField(help_text="What the staff noted about the player.")
    seats = RowsField(help_text="Where the player sits.")
    memberships = RowsField(help_text="Where the player sits or has sat.")
    sessions = SessionSerializer(many=True)
    rounds = ExportedRoundSerializer(many=True)
    ledger = RowsField()
    round_facts = RowsField(help_text="What is counted of each round in the ledger, by `entry_id`.")
    standings = RowsField(help_text="What the ledger adds up to, by game, pool and period.")
    stored_answers = RowsField(help_text="Answers kept for requests with an `Idempotency-Key`.")


_EMPTY: dict[str, Any] = {str(name): [] for name in PlayerExportSerializer().fields}
EXAMPLE = OpenApiExample(
    "Answer",
    value=_EMPTY
    | {
        "player": {
            "id": "5b0c1b1e-5c0d-4a55-9c6e-0f8a4c3b7d21",
            "username": "mei_lin",
            "display_name": "Mei",
            "created_at": "2026-03-01T09:30:00Z",
        }
    },
    response_only=True,
    status_codes=["200"],
)


class PlayerExportView(APIView):
    """`players/me/export/`."""

    @extend_schema(
        operation_id="export_me",
        summary="Everything stored about the caller, as one JSON document",
        description=(
            "Sent while it is read, so it may be long. Secrets are not in it, nor what others did: "
            "`players/me/rounds/export/` has the rounds with everybody's moves."
        ),
        tags=["players"],
        parameters=[SAVED_AS],
        responses={200: PlayerExportSerializer} | problems(401),
        examples=[EXAMPLE],
    )
    def get(self, request: Request) -> StreamingHttpResponse:
        """The document."""
        player, _ = caller(request)
        return StreamingHttpResponse(
            _streamed(everything_stored(player)),
            content_type=MEDIA_TYPE,
            headers={"Content-Disposition": 'attachment; filename="player.json"'},
        )


def everything_stored(player: Player) -> dict[str, Any]:
    """The sections of PlayerExportSerializer; all but `player` are iterators."""
    return {
        **player_stored(player=player),
        **games_stored(player_id=player.pk),
        **scores_stored(player_id=player.pk),
        "stored_answers": rows_stored(
            StoredAnswer.objects.filter(player_id=player.pk),
            without=("id", "player_id", "fingerprint"),
        ),
    }


def _streamed(document: Mapping[str, Any]) -> Iterator[str]:
    """The JSON of the document, its iterators read while it is sent."""
    opening = "{"
    for name, value in document.items():
        yield f"{opening}{json.dumps(name)}:"
        opening = ","
        if isinstance(value, Iterator):
            yield from _array(value)
        else:
            yield _json(value)
    yield "}"


def _array(values: Iterator[Any]) -> Iterator[str]:
    opening = "["
    for value in values:
        yield opening + _json(value)
        opening = ","
    yield "[]" if opening == "[" else "]"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=_plain)


def _plain(value: Any) -> str | None:
    """What JSON has no type for, as the contract writes it."""
    if isinstance(value, datetime):
        return moment(value)
    if isinstance(value, date | UUID):
        return str(value)
    raise TypeError(f"{type(value).__name__} is no JSON")
