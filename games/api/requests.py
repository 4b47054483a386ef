"""Bodies and queries that clients send, checked for shape; the rules check the rest."""

from __future__ import annotations

import dataclasses
from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from contract.serializers import (
    QueryIntegerField,
    StrictBooleanField,
    StrictCharField,
    StrictChoiceField,
    StrictDateTimeField,
    StrictIntegerField,
    StrictListField,
    StrictSerializer,
)
from games.api.states import PATTERNS, SPECIALS
from games.models import SessionStatus, Visibility
from games.rules.moves import MOVE_CLASS_BY_TYPE
from games.rules.registry import VARIANTS
from games.services.options import (
    BOT_LEVELS,
    CLIENT_SEED_LENGTH,
    OPTIONS,
    Option,
    options_complete,
    options_foreign,
)

MAX_CARDS = 20


SEAT_PLAN_KINDS = ["bot", "open"]
SCOPES = ["mine", "open"]


class ClientSeedField(StrictCharField):
    """The host's part of the deal: any text of at most 64 code points, used as it was sent."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            max_length=CLIENT_SEED_LENGTH,
            allow_blank=True,
            trim_whitespace=False,
            required=False,
            **kwargs,
        )


class OptionsSerializer(StrictSerializer):
    """What a table agrees on. What is left out gets the game's default."""

    def get_fields(self) -> dict[str, Any]:
        """One field an option."""
        return {option.name: _option_field(option) for option in OPTIONS}


def _option_field(option: Option) -> serializers.Field[Any, Any, Any, Any]:
    if option.choices:
        return StrictChoiceField(
            choices=option.choices, required=False, help_text=str(option.description)
        )
    if option.type is str:
        return ClientSeedField(help_text=str(option.description))
    return StrictIntegerField(
        min_value=option.minimum,
        max_value=option.maximum,
        required=False,
        allow_null=option.nullable or option.needs is not None,
        help_text=str(option.description),
    )


def options_checked(game: str, given: dict[str, Any]) -> dict[str, Any]:
    """The options that were chosen, if this game has them. Raises ValidationError."""
    foreign = options_foreign(VARIANTS[game].info, given)
    if foreign:
        detail = serializers.ErrorDetail(
            str(_("This game does not have this option.")), code="not_for_this_game"
        )
        raise serializers.ValidationError({"options": dict.fromkeys(foreign, detail)})
    return {name: value for name, value in given.items() if value is not None}


class SeatPlanSerializer(StrictSerializer):
    """Who shall sit on a seat: a bot, or whoever comes."""

    kind = StrictChoiceField(choices=SEAT_PLAN_KINDS)
    level = StrictChoiceField(
        choices=BOT_LEVELS, required=False, help_text="Of a bot. Default: the option `bot_level`."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """An open seat has no level. Raises ValidationError."""
        if attrs["kind"] == "open" and "level" in attrs:
            detail = serializers.ErrorDetail(
                str(_("An open seat has no level.")), code="not_for_this_kind"
            )
            raise serializers.ValidationError({"level": detail})
        return attrs


class SessionCreateSerializer(StrictSerializer):
    """A new table."""

    game = StrictChoiceField(choices=list(VARIANTS))
    options = OptionsSerializer(required=False)
    seats = SeatPlanSerializer(
        many=True,
        required=False,
        help_text=(
            "The seats after the caller's, who sits in seat 0. Default: bots. With an open seat "
            "the session waits in the lobby and has a `join_code`."
        ),
    )
    start = StrictBooleanField(
        default=True,
        help_text=(
            "Deal the first round at once, unless a seat is open. With false the session waits in "
            "the lobby, shows `next_commitment`, and `start/` takes the client seed chosen after "
            "it."
        ),
    )
    visibility = StrictChoiceField(choices=Visibility.choices, default=Visibility.PRIVATE)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Fit options and seats to the game. Raises ValidationError."""
        info = VARIANTS[attrs["game"]].info
        given = options_checked(attrs["game"], attrs.get("options", {}))
        others = attrs.get("seats")
        if others is None:
            others = [{"kind": "bot"}] * (info.seats - 1)
        if len(others) != info.seats - 1:
            raise serializers.ValidationError(
                {
                    "seats": serializers.ErrorDetail(
                        _("This game has %(count)s seats besides yours.")
                        % {"count": info.seats - 1},
                        code="wrong_number_of_seats",
                    )
                }
            )
        return {**attrs, "options": options_complete(info, given), "seats": others}


class QuickJoinSerializer(StrictSerializer):
    """Which game, and what must have been agreed at the table."""

    game = StrictChoiceField(choices=list(VARIANTS))
    options = OptionsSerializer(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Only options of the game. Raises ValidationError."""
        return {**attrs, "options": options_checked(attrs["game"], attrs.get("options", {}))}


class JoinSerializer(StrictSerializer):
    """The code of a table, in upper or lower case."""

    code = StrictCharField(max_length=20)


class AutoplaySerializer(StrictSerializer):
    """Whether the server plays the caller's seat."""

    enabled = StrictBooleanField()


class RoundStartSerializer(StrictSerializer):
    """The client seed of the round; left out, it stays the round before's."""

    client_seed = ClientSeedField()


class CardListField(StrictListField):
    """Cards by name. Whether a text is a card at all is for the rules to say."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            child=StrictCharField(allow_blank=True, max_length=20, trim_whitespace=False),
            max_length=MAX_CARDS,
            **{"required": False, "allow_null": True, **kwargs},
        )


class PatternField(StrictChoiceField):
    """The name of a pattern. Whether the cards can be it is for the rules to say."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(choices=PATTERNS, required=False, allow_null=True, **kwargs)


class SpecialField(StrictChoiceField):
    """The name of a special hand."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(choices=SPECIALS, required=False, allow_null=True, **kwargs)


@extend_schema_serializer(component_name="Move")
class MoveRequestSerializer(StrictSerializer):
    """One move: `type`, `turn`, and the fields of that type; the others are left out or null."""

    type = StrictChoiceField(choices=list(MOVE_CLASS_BY_TYPE))
    turn = StrictIntegerField(
        required=False,
        allow_null=True,
        min_value=0,
        max_value=2**31 - 1,
        help_text="The decision that the move was made for; refused if that one is closed.",
    )
    cards = CardListField(help_text="play")
    pattern = PatternField(help_text="play: the reading meant")
    bid = StrictIntegerField(
        required=False, allow_null=True, min_value=0, max_value=3, help_text="bid: 0 passes"
    )
    accept = StrictBooleanField(required=False, allow_null=True, help_text="answer_redeal")
    position = StrictIntegerField(
        required=False,
        allow_null=True,
        min_value=-(2**31),
        max_value=2**31 - 1,
        help_text="cut: 1-51, 0 skips",
    )
    front = CardListField(help_text="arrange: 3 cards")
    middle = CardListField(help_text="arrange: 5 cards")
    back = CardListField(help_text="arrange: 5 cards")
    accept_foul = StrictBooleanField(
        required=False, allow_null=True, help_text="arrange: set it although it is a foul"
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Hold the fields against the type. Raises ValidationError."""
        fields = [field.name for field in dataclasses.fields(MOVE_CLASS_BY_TYPE[attrs["type"]])]
        given = {name for name, value in attrs.items() if value is not None} - {"type", "turn"}
        optional = {"pattern", "accept_foul"}
        errors: dict[str, Any] = {
            name: serializers.ErrorDetail(str(_("This type of move needs it.")), code="required")
            for name in fields
            if name not in optional and name not in given
        }
        errors |= {
            name: serializers.ErrorDetail(
                str(_("This type of move does not have it.")), code="not_for_this_type"
            )
            for name in given - set(fields)
        }
        if errors:
            raise serializers.ValidationError(errors)
        return attrs


class SessionQuerySerializer(StrictSerializer):
    """Filters of the list of sessions."""

    scope = StrictChoiceField(
        choices=SCOPES,
        default="mine",
        help_text="`mine`: the caller's own; `open`: public tables with a free seat.",
    )
    game = StrictChoiceField(choices=list(VARIANTS), required=False)
    status = StrictChoiceField(choices=SessionStatus.choices, required=False)
    since = StrictDateTimeField(required=False, help_text="Made at this time or later.")
    until = StrictDateTimeField(required=False, help_text="Made before this time.")


class OwnRoundsQuerySerializer(StrictSerializer):
    """Filters of the caller's settled rounds."""

    game = StrictChoiceField(choices=list(VARIANTS), required=False)
    since = StrictDateTimeField(required=False, help_text="Settled at this time or later.")
    until = StrictDateTimeField(required=False, help_text="Settled before this time.")


class MoveLogQuerySerializer(StrictSerializer):
    """Which moves of the log."""

    round = QueryIntegerField(
        required=False, min_value=1, max_value=2**31 - 1, help_text="Default: the current round."
    )
    after = QueryIntegerField(
        default=0, min_value=0, max_value=2**31 - 1, help_text="Only moves with a higher number."
    )
