"""What can be asked of a game without a table: bodies, checked for shape, and answers."""

from __future__ import annotations

from typing import Any

from django.core.validators import RegexValidator
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from contract.serializers import (
    StrictBooleanField,
    StrictCharField,
    StrictIntegerField,
    StrictListField,
    StrictSerializer,
)
from games.api.requests import CardListField, ClientSeedField, PatternField, SpecialField
from games.api.states import (
    PATTERNS,
    SPECIALS,
    SPRINGS,
    CardsField,
    DrawSerializer,
    FinalHandSerializer,
    PairSerializer,
    Shape,
)
from games.services.dealing import SERVER_SEED_BYTES

MOST_SEATS = 8
LARGEST = 2**31 - 1


class NumberField(StrictIntegerField):
    """A whole number, 0 or more."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(required=False, allow_null=True, min_value=0, max_value=LARGEST, **kwargs)


class NumbersField(StrictListField):
    """A whole number, 0 or more, for each seat."""

    def __init__(self, *, nulls: bool = False, **kwargs: Any) -> None:
        child = StrictIntegerField(min_value=0, max_value=LARGEST, allow_null=nulls)
        super().__init__(
            child=child, required=False, allow_null=True, max_length=MOST_SEATS, **kwargs
        )


class ClassifyCardsSerializer(StrictSerializer):
    """Cards in any order."""

    cards = CardListField(required=True, allow_null=False)
    pattern = PatternField(help_text="The reading meant, where the cards can be several.")


class LaidPlaySerializer(StrictSerializer):
    """A play that lies on the table."""

    cards = CardListField(required=True, allow_null=False)
    pattern = PatternField(help_text="What it lies there as, where the cards can be several.")


class ListPlaysSerializer(StrictSerializer):
    """A hand, and what it must beat."""

    hand = CardListField(required=True, allow_null=False)
    on = LaidPlaySerializer(
        required=False, allow_null=True, help_text="The play to beat; null or left out: a lead."
    )
    must_include = StrictCharField(
        required=False,
        allow_null=True,
        max_length=20,
        help_text="A card of the hand that the play must contain, such as the opening card.",
    )


class EvaluateRowsSerializer(StrictSerializer):
    """Three rows."""

    front = CardListField(required=True, allow_null=False, help_text="3 cards")
    middle = CardListField(required=True, allow_null=False, help_text="5 cards")
    back = CardListField(required=True, allow_null=False, help_text="5 cards")


class ShownHandSerializer(StrictSerializer):
    """What a seat shows: three rows, or its 13 cards and the special hand declared."""

    front = CardListField(help_text="3 cards")
    middle = CardListField(help_text="5 cards")
    back = CardListField(help_text="5 cards")
    cards = CardListField(help_text="13 cards, with `special`")
    special = SpecialField(help_text="The special hand declared.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """One or the other, whole. Raises ValidationError."""
        given = {name: value for name, value in attrs.items() if value is not None}
        declared = given.keys() & {"cards", "special"}
        needed = ("cards", "special") if declared else ("front", "middle", "back")
        missing = serializers.ErrorDetail(str(_("This field is needed here.")), code="required")
        foreign = serializers.ErrorDetail(
            str(_("A seat shows rows or a special hand.")), code="rows_or_special"
        )
        errors = {name: missing for name in needed if name not in given}
        errors |= {name: foreign for name in given if name not in needed}
        if errors:
            raise serializers.ValidationError(errors)
        return given


class SettleRoundSerializer(StrictSerializer):
    """A finished round. Big Two needs `cards_left`; Dou Dizhu `bid`, `landlord`, `winner`, `bombs`
    and `play_counts`; the arranging games `seats`."""

    cards_left = NumbersField(help_text="Of each seat; the winner's alone is 0.")
    bid = NumberField(help_text="The landlord's bid, 1-3.")
    landlord = NumberField(help_text="A seat.")
    winner = NumberField(help_text="The seat that has no card left.")
    bombs = NumberField(help_text="Bombs and rockets played by anyone.")
    play_counts = NumbersField(help_text="Plays of each seat, passes not counted.")
    seats = ShownHandSerializer(many=True, required=False, allow_null=True)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """What was given; null is as good as left out."""
        return {name: value for name, value in attrs.items() if value is not None}


class RecomputeDealSerializer(StrictSerializer):
    """The seeds of a deal, and for `thirteen` what else decides it."""

    server_seed = StrictCharField(
        trim_whitespace=False,
        validators=[
            RegexValidator(
                rf"^[0-9a-fA-F]{{{2 * SERVER_SEED_BYTES}}}\Z",
                _("64 hexadecimal digits."),
                "invalid",
            )
        ],
        help_text="Its 32 bytes in hex.",
    )
    client_seed = ClientSeedField(default="")
    deal = StrictIntegerField(
        default=1, min_value=1, max_value=LARGEST, help_text="Its number within the round."
    )
    first_round = StrictBooleanField(
        required=False,
        allow_null=True,
        help_text="Whether the leader is drawn. Default: true without a `leader`.",
    )
    leader = NumberField(help_text="thirteen, later rounds: the leader's seat.")
    cuts = NumbersField(
        nulls=True,
        help_text="thirteen: the position of each seat's cut; 0 or null: none. Each entry of a "
        "replay's `cuts` is the number at the place of its `seat`; the leader's place is null.",
    )

    def validate_server_seed(self, text: str) -> bytes:
        """The seed's bytes."""
        return bytes.fromhex(text)


# --- answers ---


class ClassificationSerializer(Shape):
    """What the cards are; `pattern` is null if they are no play."""

    pattern = serializers.ChoiceField(choices=PATTERNS, allow_null=True)
    readings = serializers.ListField(
        child=serializers.ChoiceField(choices=PATTERNS),
        help_text="All that they can be, first what an unnamed lead is taken as.",
    )


class PossiblePlaySerializer(Shape):
    """Cards that may be played."""

    cards = CardsField()
    pattern = serializers.ChoiceField(choices=PATTERNS)


class PossiblePlaysSerializer(Shape):
    """The plays of a hand, weakest first."""

    plays = PossiblePlaySerializer(many=True)
    count = serializers.IntegerField()
    can_pass = serializers.BooleanField()


class RowCategoriesSerializer(Shape):
    """The category of each row."""

    front = serializers.ChoiceField(choices=PATTERNS)
    middle = serializers.ChoiceField(choices=PATTERNS)
    back = serializers.ChoiceField(choices=PATTERNS)


class RowsEvaluationSerializer(Shape):
    """What the rows are, and the special hand that the 13 cards are, if any."""

    categories = RowCategoriesSerializer()
    foul = serializers.BooleanField()
    special = serializers.ChoiceField(choices=SPECIALS, allow_null=True)


class RoundSettlementSerializer(Shape):
    """What a round pays. `points` are by seat; `pairs` explains every one of them."""

    winner = serializers.IntegerField(allow_null=True)
    points = serializers.ListField(child=serializers.IntegerField())
    positions = serializers.ListField(child=serializers.IntegerField(), allow_null=True)
    hands = FinalHandSerializer(
        many=True, help_text="What each seat shows, where it was given: which rows are a foul."
    )
    pairs = PairSerializer(many=True)
    spring = serializers.ChoiceField(choices=SPRINGS, allow_null=True)


class RecomputedDealSerializer(Shape):
    """A deal. A part that the game does not have is null."""

    commitment = serializers.CharField()
    hands = serializers.ListField(child=CardsField(), help_text="By seat, sorted.")
    kitty = CardsField(allow_null=True)
    first_bidder = serializers.IntegerField(allow_null=True)
    leader_draws = DrawSerializer(many=True, allow_null=True)
    leader = serializers.IntegerField(allow_null=True)
    turned_card = serializers.CharField(allow_null=True)
