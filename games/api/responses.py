"""The shapes of the other answers, for the OpenAPI document. The selectors build them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from games.api.states import (
    GAMES,
    MOVE_TYPES,
    PATTERNS,
    SPECIALS,
    CardsField,
    PlayerCardSerializer,
    Shape,
    StateSerializer,
)
from games.models import Actor, ChangeType, SeatKind, SessionStatus, Visibility
from games.selectors.changes import MOVE, SNAPSHOT
from games.services.options import BOT_LEVELS, OPTIONS, Option

EVENT_TYPES = [SNAPSHOT, MOVE, *ChangeType.values]


class OptionsValueSerializer(Shape):
    """What the table agreed on, complete."""

    def get_fields(self) -> dict[str, Any]:
        """One field an option; what a game does not have is null."""
        return {option.name: _option_field(option) for option in OPTIONS}


def _option_field(option: Option) -> serializers.Field[Any, Any, Any, Any]:
    if option.choices:
        return serializers.ChoiceField(choices=option.choices, help_text=str(option.description))
    field = serializers.CharField if option.type is str else serializers.IntegerField
    # The limit of a turn is shown as it is, also where nobody has chosen one.
    allow_null = option.needs is not None or (option.nullable and option.name != "turn_seconds")
    return field(allow_null=allow_null, help_text=str(option.description))


class SessionSeatSerializer(Shape):
    """A seat of a session in short."""

    seat = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=SeatKind.choices)
    player = PlayerCardSerializer(allow_null=True)
    bot_level = serializers.ChoiceField(choices=BOT_LEVELS, allow_null=True)
    autoplay = serializers.BooleanField()
    total = serializers.IntegerField()


class SessionSerializer(Shape):
    """A table: who sits where, what was agreed, how far it is."""

    id = serializers.UUIDField()
    game = serializers.ChoiceField(choices=GAMES)
    status = serializers.ChoiceField(choices=SessionStatus.choices)
    visibility = serializers.ChoiceField(choices=Visibility.choices)
    version = serializers.IntegerField()
    host = serializers.UUIDField()
    join_code = serializers.CharField(
        allow_null=True, help_text="For others to sit down by; only shown to who sits there."
    )
    options = OptionsValueSerializer()
    seats = SessionSeatSerializer(many=True)
    rounds_played = serializers.IntegerField()
    rematch = serializers.UUIDField(
        allow_null=True, help_text="The same table again, as a new session."
    )
    next_commitment = serializers.CharField(allow_null=True)
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)


class MoveSerializer(Shape):
    """One accepted move, and who made it when."""

    number = serializers.IntegerField()
    deal = serializers.IntegerField()
    turn = serializers.IntegerField()
    seat = serializers.IntegerField()
    type = serializers.ChoiceField(choices=MOVE_TYPES)
    cards = CardsField(allow_null=True)
    bid = serializers.IntegerField(allow_null=True)
    accept = serializers.BooleanField(allow_null=True)
    position = serializers.IntegerField(allow_null=True)
    front = CardsField(allow_null=True)
    middle = CardsField(allow_null=True)
    back = CardsField(allow_null=True)
    accept_foul = serializers.BooleanField(allow_null=True)
    pattern = serializers.ChoiceField(choices=PATTERNS, allow_null=True)
    actor = serializers.ChoiceField(choices=Actor.choices)
    policy = serializers.CharField(
        allow_null=True,
        help_text="What chose it for the seat, as `level/name-version`; null for a person.",
    )
    created_at = serializers.DateTimeField()


class EventSerializer(Shape):
    """One change as the caller may see it.

    `ended`: an operator has ended the session, and a round that was running is void.
    """

    version = serializers.IntegerField(help_text="Also the event's id.")
    type = serializers.ChoiceField(choices=EVENT_TYPES)
    seat = serializers.IntegerField(allow_null=True, help_text="Whose act it was.")
    moves = MoveSerializer(
        many=True,
        help_text="Of a `move`: one as a rule. What is still hidden from the caller is left out.",
    )
    state = StateSerializer(
        required=False,
        help_text="The state after it; left out where the next event came too soon to see it.",
    )


class MoveAnswerSerializer(Shape):
    """The accepted move, and the state after it."""

    move = MoveSerializer()
    state = StateSerializer()


class MoveLogSerializer(Shape):
    """Moves in the order of their numbers."""

    results = MoveSerializer(many=True)


class PreviewSerializer(Shape):
    """What a move would be. Nothing was changed."""

    accepted = serializers.BooleanField()
    code = serializers.CharField(
        allow_null=True, help_text="What it would be refused with, or null."
    )
    params = serializers.DictField(help_text="The refusal's facts.")
    pattern = serializers.ChoiceField(choices=PATTERNS, allow_null=True)
    beats = serializers.BooleanField(
        allow_null=True, help_text="Whether it beats the trick; null without a trick to beat."
    )
    foul = serializers.BooleanField(allow_null=True)
    special = serializers.ChoiceField(choices=SPECIALS, allow_null=True)


class LegalPlaySerializer(Shape):
    """Cards that the caller may play now."""

    cards = CardsField()
    pattern = serializers.ChoiceField(choices=PATTERNS, allow_null=True)


class LegalPlaysSerializer(Shape):
    """The caller's plays now, weakest first; none while it is not the caller's turn."""

    plays = LegalPlaySerializer(many=True)
    count = serializers.IntegerField()
    can_pass = serializers.BooleanField()


class HintMoveSerializer(Shape):
    """A move that can be sent as it is."""

    type = serializers.ChoiceField(choices=MOVE_TYPES)
    turn = serializers.IntegerField()
    cards = CardsField(allow_null=True)
    pattern = serializers.ChoiceField(choices=PATTERNS, allow_null=True)
    bid = serializers.IntegerField(allow_null=True)
    accept = serializers.BooleanField(allow_null=True)
    position = serializers.IntegerField(allow_null=True)
    front = CardsField(allow_null=True)
    middle = CardsField(allow_null=True)
    back = CardsField(allow_null=True)
    accept_foul = serializers.BooleanField(allow_null=True)


class HintSerializer(Shape):
    """A good move now; null while nobody asks the caller for one."""

    move = HintMoveSerializer(allow_null=True)


class RankCountSerializer(Shape):
    """How many cards of a rank (or of a joker: `BJ`, `RJ`) the caller has not seen."""

    rank = serializers.CharField()
    count = serializers.IntegerField()


class UnseenSerializer(Shape):
    """The card counter: what the caller has not seen of this deal, low ranks first."""

    ranks = RankCountSerializer(many=True)
    count = serializers.IntegerField(help_text="All of them together.")


class ResumeEntrySerializer(Shape):
    """One open session of the caller."""

    session = SessionSerializer()
    must_act = serializers.BooleanField()
    remaining_ms = serializers.IntegerField(allow_null=True)
    version = serializers.IntegerField()


class ResumeSerializer(Shape):
    """Every open session of the caller, most urgent first."""

    results = ResumeEntrySerializer(many=True)


class ScoreSerializer(Shape):
    """What the caller has reached in one game."""

    game = serializers.ChoiceField(choices=GAMES)
    best = serializers.IntegerField(allow_null=True)
    best_at = serializers.DateTimeField(allow_null=True)
    best_session = serializers.UUIDField(allow_null=True)
    running_total = serializers.IntegerField(
        allow_null=True, help_text="The total in the newest session that is not finished."
    )
    running_session = serializers.UUIDField(allow_null=True)
    balance = serializers.IntegerField(allow_null=True)
    rounds = serializers.IntegerField()
    wins = serializers.IntegerField()


class ScoresSerializer(Shape):
    """What the caller has reached, one entry a game."""

    results = ScoreSerializer(many=True)
