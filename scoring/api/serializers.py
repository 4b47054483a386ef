"""The shapes of the scores."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from contract.serializers import StrictChoiceField, StrictSerializer
from scoring.models import LedgerKind, Metric, Period, Pool


class LedgerEntrySerializer(serializers.Serializer[Any]):
    """One booking. `balance` is the running figure of its scope after it."""

    id = serializers.UUIDField(source="public_id")
    game = serializers.CharField()
    kind = serializers.ChoiceField(choices=LedgerKind.choices)
    amount = serializers.IntegerField()
    balance = serializers.IntegerField()
    session = serializers.UUIDField(source="session_id")
    round = serializers.IntegerField(source="round_number")
    seat = serializers.IntegerField()
    reason = serializers.CharField(
        allow_null=True, help_text="Of a correction: why; null for other kinds."
    )
    created_at = serializers.DateTimeField()

    def to_representation(self, instance: Any) -> dict[str, Any]:
        """No reason is null."""
        shown: dict[str, Any] = super().to_representation(instance)
        return {**shown, "reason": shown["reason"] or None}


class CountsSerializer(serializers.Serializer[Any]):
    """What rounds add up to. A round is won with more than 0 points; equals share a place."""

    rounds = serializers.IntegerField()
    wins = serializers.IntegerField()
    win_rate = serializers.FloatField(
        allow_null=True, help_text="Wins by rounds, 0 to 1; null before the first round."
    )
    points = serializers.IntegerField(help_text="Of all rounds together.")
    first = serializers.IntegerField(help_text="How often in 1st place.")
    second = serializers.IntegerField()
    third = serializers.IntegerField()
    fourth = serializers.IntegerField()
    bombs = serializers.IntegerField(help_text="Bombs and rockets played.")
    springs = serializers.IntegerField(help_text="Springs and anti-springs won by.")
    sweeps = serializers.IntegerField(help_text="Seats swept.")
    grand_slams = serializers.IntegerField()
    home_runs = serializers.IntegerField()
    fouls = serializers.IntegerField(help_text="Own hands set as a foul.")
    specials = serializers.IntegerField(help_text="Special hands declared.")
    streak = serializers.IntegerField(help_text="Rounds won in a row until now.")
    longest_streak = serializers.IntegerField()


class GameCountsSerializer(CountsSerializer):
    """The same in one game, and the best figure of its score scope."""

    game = serializers.CharField()
    best = serializers.IntegerField(allow_null=True)
    best_at = serializers.DateTimeField(
        allow_null=True, help_text="null for a wallet that has never held more than at its start."
    )


class StatsSerializer(serializers.Serializer[Any]):
    """What a player has done so far, in all and in each game that was played."""

    player = serializers.UUIDField()
    overall = CountsSerializer()
    games = GameCountsSerializer(many=True)


class BoardQuerySerializer(StrictSerializer):
    """Which board, and what of it."""

    metric = StrictChoiceField(
        choices=Metric.choices,
        default=Metric.BEST,
        help_text=(
            "`positions` orders by 1st places, then by 2nd, 3rd and 4th ones; `balance` by the "
            "wallet as it is now, of those who played in the period."
        ),
    )
    period = StrictChoiceField(
        choices=Period.choices,
        default=Period.ALL,
        help_text=(
            "The running one, in UTC: the day and the week from midnight (of Monday), the month "
            "from its 1st. A round counts when it settles."
        ),
    )
    pool = StrictChoiceField(
        choices=Pool.choices,
        default=Pool.ALL,
        help_text="`humans`: only rounds in which two or more people were dealt a hand.",
    )
    around = StrictChoiceField(
        choices=["me"],
        required=False,
        help_text="A page with the caller in its middle; empty if not on the board.",
    )


class RankedPlayerSerializer(serializers.Serializer[Any]):
    """Whose place it is."""

    id = serializers.UUIDField()
    display_name = serializers.CharField()


class BoardEntrySerializer(serializers.Serializer[Any]):
    """A place on a leaderboard. All figures are of the board's game, pool and period."""

    rank = serializers.IntegerField(help_text="Equals share the better rank: 1, 1, 3.")
    player = RankedPlayerSerializer()
    is_you = serializers.BooleanField()
    best = serializers.IntegerField(allow_null=True)
    best_at = serializers.DateTimeField(allow_null=True)
    balance = serializers.IntegerField(
        allow_null=True, help_text="null where a game has no wallet."
    )
    rounds = serializers.IntegerField()
    wins = serializers.IntegerField()
    first = serializers.IntegerField()
    second = serializers.IntegerField()
    third = serializers.IntegerField()
    fourth = serializers.IntegerField()
