"""Rounds in the admin: a board to step through, and what was written of it."""

from __future__ import annotations

import contextlib
from typing import Any, Final

from django.contrib import admin
from django.contrib.admin.utils import quote
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from contract.acts import Act, ActsAdmin
from contract.admin import RecordAdmin, as_code
from games.models import Round
from games.rules.dealing import commitment
from games.selectors.boards import is_over, round_board
from games.selectors.search import session_ids_found

ALWAYS_SHOWN: Final = (
    *("session", "number", "status", "rules_revision", "commitment", "players"),
    *("created_at", "settled_at"),
)
SHOWN_AFTER_THE_END: Final = ("server_seed_hex", "client_seed", "settlement", "deals_dealt")


def _look(
    admin: ActsAdmin, request: HttpRequest, round_: Round, values: dict[str, Any]
) -> HttpResponse:
    context = {
        **admin.admin_site.each_context(request),
        "title": LOOK.label,
        "opts": admin.opts,
        "original": round_,
        "page": reverse("admin:games_round_change", args=[quote(round_.pk)]),
        "board": round_board(round_, look=True),
    }
    return TemplateResponse(request, "games/running_hands.html", context)


LOOK = Act(
    name="look",
    label=_("Look at the hands"),
    consequence=_("You will see the cards of a round that is being played. The look is logged."),
    done="Looked at the hands",
    permission="games.view_running_hands",
    possible=lambda round_: not is_over(round_),
    perform=_look,
)


@admin.register(Round)
class RoundAdmin(RecordAdmin):
    """One round as a board, `?step=` moves after its deal."""

    change_form_template = "games/round.html"
    list_display = ("id", "session", "number", "status", "created_at", "settled_at")
    list_filter = ("status",)
    search_help_text = _(
        "The id or the join code of a session, the id of a player, or how the player's username or "
        "display name begins."
    )
    readonly_fields = (*ALWAYS_SHOWN, *SHOWN_AFTER_THE_END)
    acts = (LOOK,)
    export_fields = (
        *("id", "session_id", "session__game", "number", "status", "rules_revision", "players"),
        *("outcome__points", "outcome__positions", "created_at", "settled_at"),
    )

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        """Those of the sessions that the term means."""
        return rows.filter(session_id__in=session_ids_found(term=term))

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Seeds and deals only of a round that is over."""
        over = obj is not None and is_over(obj)
        return (*ALWAYS_SHOWN, *SHOWN_AFTER_THE_END) if over else ALWAYS_SHOWN

    def get_queryset(self, request: HttpRequest) -> QuerySet[Round]:
        """With the session, whose game the board is of."""
        return super().get_queryset(request).select_related("session")

    def render_change_form(
        self,
        request: HttpRequest,
        context: dict[str, Any],
        add: bool = False,
        change: bool = False,
        form_url: str = "",
        obj: Any = None,
    ) -> HttpResponse:
        """With the board."""
        step = None
        with contextlib.suppress(ValueError, KeyError):
            step = int(request.GET["step"])
        context["board"] = round_board(obj, step=step)
        return super().render_change_form(request, context, add, change, form_url, obj)

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
        return as_code(round_.outcome)

    @admin.display(description=_("deals"))
    def deals_dealt(self, round_: Round) -> str:
        """Each deck and what else was drawn."""
        return as_code(round_.deals)
