"""The ledger and the standings in the admin: found and looked at; a correction is a new entry."""

from __future__ import annotations

import contextlib
import uuid
from typing import Any, Final

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from contract.acts import Act, ActsAdmin, ReasonForm, operator_id
from contract.admin import RecordAdmin
from players.selectors import player_ids_found
from scoring.models import LedgerEntry, LedgerKind, Standing
from scoring.services.corrections import correction_book

MOST_CORRECTED: Final = 1_000_000


def _not_zero(amount: int) -> None:
    if amount == 0:
        raise ValidationError(_("A correction of 0 would change nothing."))


class CorrectionForm(ReasonForm):
    """How much, and why. A form that is sent twice books once."""

    amount = forms.IntegerField(
        label=_("amount"),
        min_value=-MOST_CORRECTED,
        max_value=MOST_CORRECTED,
        validators=[_not_zero],
        help_text=_("Points or beans to give, or below 0 to take."),
    )
    correction_id = forms.UUIDField(initial=uuid.uuid4, widget=forms.HiddenInput)
    field_order = ("amount", "reason")


def _correct(
    admin: ActsAdmin, request: HttpRequest, entry: LedgerEntry, values: dict[str, Any]
) -> HttpResponse | None:
    correction_book(
        settlement_id=entry.public_id,
        amount=values["amount"],
        reason=values["reason"],
        by_id=operator_id(request),
        correction_id=values["correction_id"],
    )
    return None


CORRECT = Act(
    name="correct",
    label=_("Correct the points"),
    consequence=_(
        "A new entry is booked beside this one; entries are never changed or deleted. Points, "
        "totals, bests and the balance become what they would be if the round had settled so; "
        "wins, places and streaks stay as played. A wallet at 0 or below is topped up by the next "
        "settlement."
    ),
    done="Booked a correction of %(amount)+d",
    permission="scoring.correct_points",
    possible=lambda entry: entry.kind == LedgerKind.SETTLEMENT,
    perform=_correct,
    form=CorrectionForm,
)


@admin.register(LedgerEntry)
class LedgerEntryAdmin(RecordAdmin):
    """Every booking, the newest first."""

    list_display = (
        *("id", "player", "game", "kind", "amount", "balance"),
        *("session_id", "round_number", "seat", "created_at"),
    )
    list_filter = ("kind",)
    acts = (CORRECT,)
    export_fields = (
        *("public_id", "created_at", "player_id", "player__display_name", "game", "kind", "amount"),
        *("balance", "session_id", "round_number", "seat", "reason", "booked_by__display_name"),
    )
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
        *("id", "player", "game", "pool", "period", "best", "best_at", "best_session"),
        *("balance", "rounds", "wins"),
    )
    list_select_related = ("player",)
    export_fields = (
        *("player_id", "player__display_name", "game", "pool", "period", "period_start"),
        *("best", "best_at", "best_session", "balance", "rounds", "wins", "points"),
    )
    search_help_text = _("A player's id, or how a username or a display name begins.")

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        """By the player."""
        return rows.filter(player_id__in=player_ids_found(term=term))
