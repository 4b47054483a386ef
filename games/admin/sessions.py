"""Sessions in the admin."""

from __future__ import annotations

from typing import Any, Final

from django.contrib import admin
from django.db.models import QuerySet
from django.forms.models import BaseInlineFormSet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from contract.acts import Act, ActsAdmin
from contract.admin import LookOnlyInline, RecordAdmin, as_code
from games.models import Round, Seat, Session, SessionStatus
from games.rules.registry import VARIANTS
from games.selectors.search import session_ids_found
from games.services.operators import session_end

MOST_ROUNDS_SHOWN: Final = 100


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


class SeatInline(LookOnlyInline):
    """Who sits where."""

    model = Seat
    fields = readonly_fields = ("number", "kind", "player", "bot_level", "autoplay", "total")
    ordering = ("number",)

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


class RoundInline(LookOnlyInline):
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


def _end(
    admin: ActsAdmin, request: HttpRequest, session: Session, values: dict[str, Any]
) -> HttpResponse | None:
    session_end(session_id=session.pk)
    return None


END_SESSION = Act(
    name="end",
    label=_("End this session"),
    consequence=_(
        "The session ends at once. A running round is void: nobody gets points from it. Rounds "
        "that are settled stay as they are."
    ),
    done="Ended the session",
    permission="games.end_session",
    possible=lambda session: session.status != SessionStatus.FINISHED,
    perform=_end,
)


@admin.register(Session)
class SessionAdmin(RecordAdmin):
    """Tables, the newest first."""

    list_display = ("id", "game", "status", "host", "turn_started_at", "created_at")
    list_filter = (GameFilter, "status", "visibility", "created_at")
    list_select_related = ("host",)
    ordering = ("-created_at", "-id")
    search_help_text = _(
        "The id or the join code of a session, the id of a player, or how the player's username or "
        "display name begins."
    )
    fields = readonly_fields = (
        *("id", "game", "status", "visibility", "join_code", "host", "agreed", "version", "turn"),
        *("round_number", "move_number", "turn_started_at", "bot_due_at", "deadline"),
        *("clock_due_at", "created_at", "finished_at"),
    )
    inlines = (SeatInline, RoundInline)
    acts = (END_SESSION,)
    export_fields = (
        *("id", "game", "status", "visibility", "host_id", "host__display_name", "round_number"),
        *("version", "turn_started_at", "created_at", "finished_at"),
    )

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        """By its own id or code, or by its players."""
        return rows.filter(pk__in=session_ids_found(term=term))

    @admin.display(description=_("options"))
    def agreed(self, session: Session) -> str:
        """The options, without the seed of a round that may be running."""
        return as_code({k: v for k, v in session.options.items() if k != "client_seed"})
