"""Whether the deals are fair: what was dealt, beside what chance deals."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.api.states import GAMES, Shape
from games.rules.registry import VARIANTS
from games.selectors.fairness import DEALT_TO, fairness_list
from players.api.examples import given

FACTS = sorted({fact.name for variant in VARIANTS.values() for fact in variant.dealt_facts()})
DEALT_TO_KINDS = [kind.value for kind in DEALT_TO]
EXAMPLE = given(
    {
        "results": [
            {
                "game": "dou-dizhu",
                "deals": 1200,
                "facts": [
                    {
                        "fact": "rocket",
                        "seat_kind": "bot",
                        "hands": 2400,
                        "count": 231,
                        "expected": 228.0922,
                        "standard_error": 13.5943,
                        "deviation": 0.2139,
                    }
                ],
            }
        ]
    }
)


class FairnessFactSerializer(Shape):
    """One number of the dealt hands, over all hands that one kind of seat was dealt."""

    fact = serializers.ChoiceField(choices=FACTS)
    seat_kind = serializers.ChoiceField(choices=DEALT_TO_KINDS)
    hands = serializers.IntegerField(help_text="Hands dealt to this kind of seat.")
    count = serializers.IntegerField(help_text="How many of it these hands held.")
    expected = serializers.FloatField(help_text="What chance deals in so many hands.")
    standard_error = serializers.FloatField(
        help_text="How far from that chance strays, seats of one deal sharing the deck."
    )
    deviation = serializers.FloatField(
        allow_null=True,
        help_text="(count - expected) / standard_error: beyond 3 is rare, beyond 5 is not chance. "
        "Null while there is nothing to compare.",
    )


class FairnessGameSerializer(Shape):
    """The deals of a game, as they were dealt: before the kitty is taken."""

    game = serializers.ChoiceField(choices=GAMES)
    deals = serializers.IntegerField(help_text="All deals of all settled rounds.")
    facts = FairnessFactSerializer(many=True)


class FairnessSerializer(Shape):
    """Every game's deals."""

    results = FairnessGameSerializer(many=True)


class FairnessView(APIView):
    """`fairness/`."""

    authentication_classes = []
    permission_classes = [AllowAny]

    @extend_schema(
        operation_id="get_fairness",
        summary="What was dealt to people and to bots, beside what chance deals",
        description=(
            "Over all deals of all settled rounds, those that were dealt anew included. A round "
            "counts once it has ended, so that nothing is told of a running one."
        ),
        tags=["games"],
        auth=[],
        responses={200: FairnessSerializer},
        examples=[EXAMPLE],
    )
    def get(self, request: Request) -> Response:
        """One entry a game."""
        return Response({"results": fairness_list()})
