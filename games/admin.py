"""Sessions, rounds and moves in the admin: found and looked at, never changed.

Of a running round nothing is shown that a seat may not know: no deck, no seed, no row that is set.
"""

from __future__ import annotations

import contextlib
import json
import uuid
from typing import Any, Final

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.forms.models import BaseInlineFormSet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from contract.admin import LookOnly, RecordAdmin
from games.models import Move, Round, RoundStatus, Seat, Session
from games.rules.dealing import commitment
from games.rules.registry import VARIANTS
from games.selectors.history import SECRET_TYPES
from players.selectors import player_ids_found

MOST_ROUNDS_SHOWN: Final = 100
ALWAYS_SHOWN: Final = (
    *("session", "number", "status", "rules_revision", "commitment", "players"),
    *("created_at", "settled_at"),
)
SHOWN_ONCE_SETTLED: Final = ("server_seed_hex", "client_seed", "settlement", "deals_dealt")


class GameFilter(admin.SimpleListFilter):
    """By game, from the registry instead of a look through the table."""

    title = _("game")
    parameter_name = "game"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """The choices."""
        return [(slug, slug) for slug in VARIANTS]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Those of the chosen game."""
        return queryset.filter(game=self.value()) if self.value() else queryset


class SeatInline(LookOnly, admin.TabularInline):
    """Who sits where."""

    model = Seat
    fields = readonly_fields = ("number", "kind", "player", "bot_level", "total")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Seat]:
        """With the players."""
        return super().get_queryset(request).select_related("player")


class NewestRounds(BaseInlineFormSet):
    """The last rounds of a session that may have any number of them."""

    def get_queryset(self) -> QuerySet[Any]:
        """Read once."""
        if not hasattr(self, "_newest"):
            self._newest = super().get_queryset()[:MOST_ROUNDS_SHOWN]
        return self._newest


class RoundInline(LookOnly, admin.TabularInline):
    """The rounds in short; each links to its page."""

    model = Round
    formset = NewestRounds
    fields = readonly_fields = ("number", "status", "points", "created_at", "settled_at")
    ordering = ("-number",)
    show_change_link = True

    def get_queryset(self, request: HttpRequest) -> QuerySet[Round]:
        """Without the deals."""
        return super().get_queryset(request).defer("deals", "server_seed", "client_seed")

    @admin.display(description=_("points"))
    def points(self, round_: Round) -> str:
        """The points by seat, once settled."""
        return ", ".join(map(str, round_.outcome["points"])) if round_.outcome else "-"


@admin.register(Session)
class SessionAdmin(RecordAdmin):
    """Tables, the newest first."""

    list_display = ("id", "game", "status", "host", "version", "round_number", "created_at")
    list_filter = (GameFilter, "status", "visibility", "created_at")
    list_select_related = ("host",)
    ordering = ("-created_at", "-id")
    search_help_text = _(
        "An id of a session or its host, or how the host's username or display name begins."
    )
    fields = readonly_fields = (
        *("id", "game", "status", "visibility", "host", "agreed", "version", "turn"),
        *("round_number", "move_number", "turn_started_at", "bot_due_at"),
        *("created_at", "finished_at"),
    )
    inlines = (SeatInline, RoundInline)

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        """By its own id, or by its host."""
        found = Q(host_id__in=player_ids_found(term=term))
        with contextlib.suppress(ValueError):
            found |= Q(pk=uuid.UUID(term))
        return rows.filter(found)

    @admin.display(description=_("options"))
    def agreed(self, session: Session) -> str:
        """The options, without the seed of a round that may be running."""
        return _json({k: v for k, v in session.options.items() if k != "client_seed"})


class MoveInline(LookOnly, admin.TabularInline):
    """The moves in order."""

    model = Move
    fields = readonly_fields = (
        *("number", "deal", "turn", "seat", "what", "pattern", "actor", "policy", "created_at"),
    )
    ordering = ("number",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Move]:
        """With the round, whose status says what may be shown."""
        return super().get_queryset(request).select_related("round").defer("round__deals")

    @admin.display(description=_("move"))
    def what(self, move: Move) -> str:
        """The move, or only its type while it may be hidden from the other seats."""
        hidden = move.round.status == RoundStatus.OPEN and move.data["type"] in SECRET_TYPES
        return str(move.data["type"]) if hidden else _json(move.data)


@admin.register(Round)
class RoundAdmin(RecordAdmin):
    """One round with its moves; its session links to it."""

    list_display = ("id", "session", "number", "status", "created_at")
    list_select_related = ("session",)
    search_help_text = _("The id of a session.")
    readonly_fields = (*ALWAYS_SHOWN, *SHOWN_ONCE_SETTLED)
    inlines = (MoveInline,)

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Not on the index: rounds are looked up by their session."""
        return False

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        """The rounds of a session."""
        try:
            return rows.filter(session_id=uuid.UUID(term))
        except ValueError:
            return rows.none()

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Seeds and deals only of a settled round."""
        settled = obj is not None and obj.status == RoundStatus.SETTLED
        return (*ALWAYS_SHOWN, *SHOWN_ONCE_SETTLED) if settled else ALWAYS_SHOWN

    @admin.display(description=_("commitment"))
    def commitment(self, round_: Round) -> str:
        """What was shown before the deal."""
        return commitment(bytes(round_.server_seed))

    @admin.display(description=_("server seed"))
    def server_seed_hex(self, round_: Round) -> str:
        """As the replay shows it."""
        return bytes(round_.server_seed).hex()

    @admin.display(description=_("settlement"))
    def settlement(self, round_: Round) -> str:
        """As it was written."""
        return _json(round_.outcome)

    @admin.display(description=_("deals"))
    def deals_dealt(self, round_: Round) -> str:
        """Each deck and what else was drawn."""
        return _json(round_.deals)


def _json(value: Any) -> str:
    return format_html("<code>{}</code>", json.dumps(value, ensure_ascii=False))
