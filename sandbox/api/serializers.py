"""Bodies of the sandbox, in and out."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from contract.serializers import (
    StrictCharField,
    StrictChoiceField,
    StrictIntegerField,
    StrictListField,
    StrictSerializer,
)
from games.api.requests import (
    CardListField,
    MoveRequestSerializer,
    OptionsSerializer,
    options_checked,
)
from games.api.states import Shape
from games.rules.registry import VARIANTS
from games.services.options import options_complete
from sandbox.scenarios import SCENARIOS

MOST_LINES = 500
MOST_SEATS = max(variant.info.seats for variant in VARIANTS.values())
A_DAY_MS = 24 * 3600 * 1000


class GivenDealSerializer(StrictSerializer):
    """Hands by seat, as they lie when the cards are dealt; what is left out is dealt by chance."""

    hands = StrictListField(
        child=CardListField(required=True, allow_null=False),
        max_length=MOST_SEATS,
        help_text="One list for each seat, the caller's first; each may be short or empty.",
    )
    kitty = CardListField(help_text="dou-dizhu")
    first = StrictIntegerField(
        required=False,
        allow_null=True,
        min_value=0,
        max_value=MOST_SEATS - 1,
        help_text="dou-dizhu: who bids first; thirteen: the leader. Default: by chance.",
    )


@extend_schema_serializer(component_name="ScriptedMove")
class ScriptedMoveSerializer(MoveRequestSerializer):
    """A move that a seat shall make: `seat`, `type`, and the fields of that type."""

    seat = StrictIntegerField(min_value=0, max_value=MOST_SEATS - 1)
    turn = None  # type: ignore[assignment]

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Hold the fields against the type. Raises ValidationError."""
        seat = attrs["seat"]
        move = super().validate({name: attrs[name] for name in attrs if name != "seat"})
        return {"seat": seat, **move}


class RehearsalCreateSerializer(StrictSerializer):
    """A new table of the sandbox: one of the scenarios, or a deal of the client's own."""

    game = StrictChoiceField(choices=list(VARIANTS))
    scenario = StrictCharField(
        required=False, allow_null=True, max_length=40, help_text="See `sandbox/scenarios/`."
    )
    deal = GivenDealSerializer(required=False, allow_null=True)
    script = ScriptedMoveSerializer(  # type: ignore[call-arg]
        many=True,
        required=False,
        allow_null=True,
        max_length=MOST_LINES,
        help_text=(
            "What the other seats do, each its own moves in their order; a seat whose next move "
            "the rules refuse plays on as a bot. Moves of the caller's seat are for the caller to "
            "make. Default: the scenario's."
        ),
    )
    options = OptionsSerializer(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """One of scenario and deal, and options of the game. Raises ValidationError."""
        game, name, deal = attrs["game"], attrs.get("scenario"), attrs.get("deal")
        if (name is None) == (deal is None):
            raise serializers.ValidationError(
                {
                    "scenario": serializers.ErrorDetail(
                        str(_("Either a scenario or a deal is needed.")), code="required"
                    )
                }
            )
        if name is not None and (game, name) not in SCENARIOS:
            raise serializers.ValidationError(
                {
                    "scenario": serializers.ErrorDetail(
                        str(_("This game has no such scenario.")), code="invalid_choice"
                    )
                }
            )
        given = options_checked(game, attrs.get("options", {}))
        return {**attrs, "options": options_complete(VARIANTS[game].info, given)}


class ClockAdvanceSerializer(StrictSerializer):
    """By how much the clock of a table moves on."""

    advance_ms = StrictIntegerField(min_value=1, max_value=A_DAY_MS)


class ScenarioSerializer(Shape):
    """A case that a client should be able to show, and the way to it.

    A client that makes the moves of seat 0 as they are in `script` comes to its end as described.
    """

    game = serializers.ChoiceField(choices=list(VARIANTS))
    scenario = serializers.CharField()
    summary = serializers.CharField(help_text="In the language asked for.")
    deal = GivenDealSerializer()
    script = ScriptedMoveSerializer(many=True)


class ScenariosSerializer(Shape):
    """Every scenario."""

    results = ScenarioSerializer(many=True)
