"""The shapes of rounds that are over, for the OpenAPI document. The selectors build them."""

from __future__ import annotations

from rest_framework import serializers

from games.api.responses import MoveSerializer
from games.api.states import (
    GAMES,
    CardsField,
    CutSerializer,
    DrawSerializer,
    PlayerCardSerializer,
    SettlementSerializer,
    Shape,
)


class RoundSerializer(Shape):
    """A settled round in short."""

    number = serializers.IntegerField()
    winner = serializers.IntegerField(allow_null=True)
    points = serializers.ListField(child=serializers.IntegerField())
    totals = serializers.ListField(child=serializers.IntegerField())
    positions = serializers.ListField(child=serializers.IntegerField(), allow_null=True)
    moves = serializers.IntegerField()
    started_at = serializers.DateTimeField()
    settled_at = serializers.DateTimeField()


class DealtSeatSerializer(Shape):
    """Who was dealt a seat's hand; null for a bot."""

    seat = serializers.IntegerField()
    player = PlayerCardSerializer(allow_null=True)


class OwnRoundSerializer(RoundSerializer):
    """A settled round in short, as one of those that the caller was dealt."""

    session_id = serializers.UUIDField()
    game = serializers.ChoiceField(choices=GAMES)
    seat = serializers.IntegerField(help_text="The caller's.")
    balance = serializers.IntegerField(
        help_text="The running figure of the game's score scope after the round: the session's "
        "total, the round's points or the wallet."
    )
    seats = DealtSeatSerializer(many=True)


class DealSerializer(Shape):
    """One deal of a round: the shuffled deck, the hands, and what else was drawn.

    In `thirteen` the deck is that before the cuts, the hands are those after them.
    """

    deal = serializers.IntegerField()
    given = serializers.BooleanField(
        help_text="Whether somebody laid the hands down (sandbox): they follow from no seed then."
    )
    deck = CardsField()
    hands = serializers.ListField(child=CardsField())
    kitty = CardsField(allow_null=True)
    first_bidder = serializers.IntegerField(allow_null=True)
    leader = serializers.IntegerField(allow_null=True)
    draws = DrawSerializer(many=True)
    cuts = CutSerializer(many=True)
    turned_card = serializers.CharField(allow_null=True)


class ReplaySerializer(Shape):
    """A settled round complete; with `rules.md` and the seeds anyone can check it."""

    session_id = serializers.UUIDField()
    game = serializers.ChoiceField(choices=GAMES)
    number = serializers.IntegerField()
    rules_revision = serializers.IntegerField()
    server_seed = serializers.CharField()
    client_seed = serializers.CharField()
    commitment = serializers.CharField()
    players = serializers.ListField(
        child=serializers.UUIDField(allow_null=True),
        help_text="Who was dealt each seat's hand; null for a bot.",
    )
    totals_before = serializers.ListField(
        child=serializers.IntegerField(), help_text="The seats' totals when the round was dealt."
    )
    deals = DealSerializer(many=True, help_text="More than one after a redeal or when all passed.")
    moves = MoveSerializer(many=True)
    settlement = SettlementSerializer()
    started_at = serializers.DateTimeField()
    settled_at = serializers.DateTimeField()
    fingerprint = serializers.CharField(
        help_text="SHA-256, in hex, of all the rest: as JSON with sorted names, without spaces, in "
        "ASCII. Who has the same one has the same record."
    )


class ExportedRoundSerializer(Shape):
    """A round that the player was dealt a hand of, with what the player's seat did."""

    session_id = serializers.UUIDField()
    game = serializers.ChoiceField(choices=GAMES)
    number = serializers.IntegerField()
    seat = serializers.IntegerField()
    points = serializers.IntegerField(allow_null=True, help_text="Null until it is settled.")
    moves = MoveSerializer(many=True)
    started_at = serializers.DateTimeField()
    settled_at = serializers.DateTimeField(allow_null=True)
