"""The ledger and the standings in the admin: found and looked at, never changed."""

from __future__ import annotations

import contextlib
import uuid
from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from contract.admin import RecordAdmin
from players.selectors import player_ids_found
from scoring.models import LedgerEntry, Standing


@admin.register(LedgerEntry)
class LedgerEntryAdmin(RecordAdmin):
    """Every booking, the newest first."""

    list_display = (
        *("id", "player", "game", "kind", "amount", "balance"),
        *("session_id", "round_number", "seat", "created_at"),
    )
    list_filter = ("kind",)
    list_select_related = ("player",)
    search_help_text = _(
        "An id of a session or a player, or how the player's username or display name begins."
    )

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        """By the session or the player."""
        found = Q(player_id__in=player_ids_found(term=term))
        with contextlib.suppress(ValueError):
            found |= Q(session_id=uuid.UUID(term))
        return rows.filter(found)


@admin.register(Standing)
class StandingAdmin(RecordAdmin):
    """What players have reached."""

    list_display = (
        *("id", "player", "game", "best", "best_at", "best_session"),
        *("balance", "rounds", "wins"),
    )
    list_select_related = ("player",)
    search_help_text = _("A player's id, or how a username or a display name begins.")

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        """By the player."""
        return rows.filter(player_id__in=player_ids_found(term=term))
