"""The table of error codes, for clients that want to have their texts before they need them."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from config.problems import PROBLEMS
from contract.caching import ETAG, IF_NONE_MATCH, NOT_MODIFIED
from games.api.catalogue import CatalogueView
from games.api.states import Shape
from games.rules.errors import MustIncludeCard
from players.api.examples import given

EXAMPLE = given(
    {
        "results": [
            {
                "code": MustIncludeCard.code,
                "status": 422,
                "title": "Opening card missing",
                "detail": "The first play must contain {card}.",
                "facts": ["card"],
            }
        ]
    }
)


class ErrorCodeEntrySerializer(Shape):
    """What a refusal with this code says. Texts are in the language of Accept-Language."""

    code = serializers.CharField()
    status = serializers.IntegerField()
    title = serializers.CharField()
    detail = serializers.CharField(
        help_text=(
            "A template: `{card}` stands for `params.card` of the problem. `{pattern}`, `{phase}` "
            "and `{type}` are words, shown by their names in the game's `patterns`, `phases` and "
            "`move_types`."
        )
    )
    facts = serializers.ListField(
        child=serializers.CharField(),
        help_text="The names in the template. `params` may have more.",
    )


class ErrorCodesSerializer(Shape):
    """Every code, sorted."""

    results = ErrorCodeEntrySerializer(many=True)


class ErrorCodesView(CatalogueView):
    """`meta/error-codes/`."""

    @extend_schema(
        operation_id="list_error_codes",
        summary="Every error code with its status and texts",
        tags=["meta"],
        auth=[],
        parameters=[IF_NONE_MATCH, ETAG],
        responses={200: ErrorCodesSerializer} | NOT_MODIFIED,
        examples=[EXAMPLE],
    )
    def get(self, request: Request) -> Any:
        """The table."""
        return self.cached(request, {"results": error_codes_list()})


def error_codes_list() -> list[dict[str, Any]]:
    """Every code in the active language, sorted."""
    return [
        {
            "code": code,
            "status": kind.status,
            "title": str(kind.title),
            "detail": kind.template,
            "facts": kind.shown_facts,
        }
        for code, kind in sorted(PROBLEMS.items())
    ]
