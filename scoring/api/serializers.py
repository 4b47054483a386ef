"""The shapes of the scores."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from scoring.models import LedgerKind


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
    created_at = serializers.DateTimeField()
