"""The shape of a table's state, for the OpenAPI document. `games.selectors.states` builds it."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from games.models import SeatKind, SessionStatus
from games.rules.moves import MOVE_CLASS_BY_TYPE
from games.rules.registry import VARIANTS
from games.rules.variant import Phase
from games.services.options import BOT_LEVELS

GAMES = list(VARIANTS)
MOVE_TYPES = list(MOVE_CLASS_BY_TYPE)
PHASES = [phase.value for phase in Phase]
ROLES = ["landlord", "farmer"]
WINDS = ["east", "south", "west", "north"]
SPRINGS = ["spring", "anti_spring"]


def _words(part: str) -> list[str]:
    """All games' words of one part (`VariantInfo`), each once."""
    return sorted({word for variant in VARIANTS.values() for word in getattr(variant.info, part)})


PATTERNS = _words("patterns")
SPECIALS = _words("specials")
REASONS = _words("reasons")


class Shape(serializers.Serializer[Any]):
    """A plain value that is described here and built elsewhere."""


class CardsField(serializers.ListField):
    """Cards by name."""

    child = serializers.CharField()


class PlayerCardSerializer(Shape):
    """Who sits there, as everybody may see it."""

    id = serializers.UUIDField()
    display_name = serializers.CharField()


class ArrangementSerializer(Shape):
    """What the caller has set."""

    front = CardsField()
    middle = CardsField()
    back = CardsField()
    special = serializers.ChoiceField(choices=SPECIALS, allow_null=True)
    foul = serializers.BooleanField()


class OwnSeatSerializer(Shape):
    """What only the caller may know."""

    seat = serializers.IntegerField()
    hand = CardsField()
    actions = serializers.ListField(child=serializers.ChoiceField(choices=MOVE_TYPES))
    special = serializers.ChoiceField(choices=SPECIALS, allow_null=True)
    can_call_redeal = serializers.BooleanField(allow_null=True)
    arrangement = ArrangementSerializer(allow_null=True)
    extension_used = serializers.BooleanField(allow_null=True)
    autoplay = serializers.BooleanField()


class StateSeatSerializer(Shape):
    """What everybody may know of a seat."""

    seat = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=SeatKind.choices)
    player = PlayerCardSerializer(allow_null=True)
    bot_level = serializers.ChoiceField(choices=BOT_LEVELS, allow_null=True)
    autoplay = serializers.BooleanField()
    cards_left = serializers.IntegerField(allow_null=True)
    total = serializers.IntegerField()
    has_acted = serializers.BooleanField()
    role = serializers.ChoiceField(choices=ROLES, allow_null=True)
    wind = serializers.ChoiceField(choices=WINDS, allow_null=True)
    balance = serializers.IntegerField(allow_null=True)


class PlaySerializer(Shape):
    """Cards put down; a pass has none."""

    seat = serializers.IntegerField()
    cards = CardsField()
    pattern = serializers.ChoiceField(choices=PATTERNS, allow_null=True)


class TrickSerializer(Shape):
    """The plays made since somebody last led."""

    leader = serializers.IntegerField()
    plays = PlaySerializer(many=True)
    to_beat = PlaySerializer(allow_null=True)
    must_include = serializers.CharField(allow_null=True)


class BidSerializer(Shape):
    """One bid; 0 is a pass."""

    seat = serializers.IntegerField()
    bid = serializers.IntegerField()


class BiddingSerializer(Shape):
    """The bids so far."""

    bids = BidSerializer(many=True)
    highest = serializers.IntegerField()


class StakeSerializer(Shape):
    """What the round is worth now."""

    bid = serializers.IntegerField()
    doublings = serializers.IntegerField()
    value = serializers.IntegerField()


class RedealAnswerSerializer(Shape):
    """One answer to a redeal call."""

    seat = serializers.IntegerField()
    accept = serializers.BooleanField()


class RedealSerializer(Shape):
    """An open call for a redeal."""

    caller = serializers.IntegerField()
    answers = RedealAnswerSerializer(many=True)


class DrawSerializer(Shape):
    """A card drawn for the lead."""

    seat = serializers.IntegerField()
    card = serializers.CharField()


class CutSerializer(Shape):
    """One cut; 0 is a skip."""

    seat = serializers.IntegerField()
    position = serializers.IntegerField()


class CuttingSerializer(Shape):
    """The ceremony before the deal."""

    leader = serializers.IntegerField()
    draws = DrawSerializer(many=True)
    cuts = CutSerializer(many=True)
    turned_card = serializers.CharField(allow_null=True)


class ReasonSerializer(Shape):
    """One line of the working between two seats."""

    code = serializers.ChoiceField(
        choices=REASONS, help_text="Its name is in the game's `reasons`."
    )
    points = serializers.IntegerField()
    count = serializers.IntegerField(allow_null=True)
    factor = serializers.IntegerField(allow_null=True)


class PairSerializer(Shape):
    """What one seat pays another, and why."""

    from_seat = serializers.IntegerField()
    to_seat = serializers.IntegerField()
    points = serializers.IntegerField()
    reasons = ReasonSerializer(many=True)


class FinalHandSerializer(Shape):
    """What a seat shows at the end: the cards left, or the rows set."""

    seat = serializers.IntegerField()
    cards = CardsField()
    front = CardsField(allow_null=True)
    middle = CardsField(allow_null=True)
    back = CardsField(allow_null=True)
    foul = serializers.BooleanField(allow_null=True)
    special = serializers.ChoiceField(choices=SPECIALS, allow_null=True)


class SettlementSerializer(Shape):
    """How a round ended. `points` and `totals` are by seat; `pairs` explains every point."""

    winner = serializers.IntegerField(allow_null=True)
    points = serializers.ListField(child=serializers.IntegerField())
    totals = serializers.ListField(child=serializers.IntegerField())
    positions = serializers.ListField(child=serializers.IntegerField(), allow_null=True)
    hands = FinalHandSerializer(many=True)
    pairs = PairSerializer(many=True)
    spring = serializers.ChoiceField(choices=SPRINGS, allow_null=True)
    server_seed = serializers.CharField()
    client_seed = serializers.CharField()


class StateSerializer(Shape):
    """What the caller may see now. A part that the game or the phase does not have is null."""

    session_id = serializers.UUIDField()
    game = serializers.ChoiceField(choices=GAMES)
    status = serializers.ChoiceField(choices=SessionStatus.choices)
    version = serializers.IntegerField()
    turn = serializers.IntegerField()
    round = serializers.IntegerField()
    deal = serializers.IntegerField(allow_null=True)
    phase = serializers.ChoiceField(choices=PHASES, allow_null=True)
    to_act = serializers.ListField(child=serializers.IntegerField())
    deadline = serializers.DateTimeField(allow_null=True)
    remaining_ms = serializers.IntegerField(allow_null=True)
    commitment = serializers.CharField(allow_null=True)
    next_commitment = serializers.CharField(allow_null=True)
    you = OwnSeatSerializer(allow_null=True)
    seats = StateSeatSerializer(many=True)
    trick = TrickSerializer(allow_null=True)
    bidding = BiddingSerializer(allow_null=True)
    kitty = CardsField(allow_null=True)
    stake = StakeSerializer(allow_null=True)
    redeal = RedealSerializer(allow_null=True)
    cutting = CuttingSerializer(allow_null=True)
    settlement = SettlementSerializer(allow_null=True)
