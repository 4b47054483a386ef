"""Players in the admin, fit for a table of a million."""

from __future__ import annotations

from typing import Any, cast

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import UserChangeForm
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from contract.acts import Act, ActsAdmin
from contract.admin import CappedPaginator, LookOnlyInline
from contract.csv_export import CsvExportAdmin
from players.models import Ban, Player
from players.selectors import player_search
from players.services import player_ban, player_unban

PERMISSIONS = ("is_staff", "is_superuser", "groups", "user_permissions")


class PlayerChangeForm(UserChangeForm):
    """Django's, for this project's players."""

    class Meta(UserChangeForm.Meta):
        model = Player


class GuestFilter(admin.SimpleListFilter):
    """Guests or registered players."""

    title = _("kind")
    parameter_name = "kind"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        """The choices."""
        return [("guest", _("guest")), ("registered", _("registered"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Those of the chosen kind."""
        if self.value() is None:
            return queryset
        return queryset.filter(username__isnull=self.value() == "guest")


class BanInline(LookOnlyInline):
    """What the player was banned for, and why that ended."""

    model = Ban
    fk_name = "player"
    verbose_name_plural = _("bans")
    fields = readonly_fields = (
        *("banned_at", "banned_by", "reason", "lifted_at", "lifted_by", "lift_reason"),
    )
    ordering = ("-banned_at",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Ban]:
        """With who did it."""
        return super().get_queryset(request).select_related("banned_by", "lifted_by")


def _ban(
    admin: ActsAdmin, request: HttpRequest, player: Player, values: dict[str, Any]
) -> HttpResponse | None:
    player_ban(player=player, reason=values["reason"], by=cast("Player", request.user))
    return None


def _unban(
    admin: ActsAdmin, request: HttpRequest, player: Player, values: dict[str, Any]
) -> HttpResponse | None:
    player_unban(player=player, reason=values["reason"], by=cast("Player", request.user))
    return None


BAN = Act(
    name="ban",
    label=_("Ban"),
    consequence=_(
        "The player is logged out everywhere at once and cannot come back; bots play the seats on. "
        "The player is shown the reason."
    ),
    done="Banned",
    permission="players.ban_player",
    possible=lambda player: player.is_active,
    perform=_ban,
)
UNBAN = Act(
    name="unban",
    label=_("Lift the ban"),
    consequence=_("The player may log in again."),
    done="Ban lifted",
    permission="players.ban_player",
    possible=lambda player: not player.is_active and player.deleted_at is None,
    perform=_unban,
)


@admin.register(Player)
class PlayerAdmin(CsvExportAdmin, ActsAdmin, UserAdmin):
    """Staff look players up, rename and ban them, and set a password.

    Players come and go through the API: deleting there keeps the matches whole.
    """

    form = PlayerChangeForm
    list_display = ("display_name", "username", "guest", "is_active", "created_at")
    list_filter = ("is_active", "is_staff", GuestFilter)
    show_facets = admin.ShowFacets.NEVER
    show_full_result_count = False
    paginator = CappedPaginator
    sortable_by = ("created_at",)
    ordering = ("-created_at",)
    search_fields = ("username", "display_name")
    search_help_text = _("An id, or how a username or a display name begins (case matters).")
    actions = None
    acts = (BAN, UNBAN)
    inlines = (BanInline,)
    export_fields = (
        *("id", "username", "display_name", "language", "is_active", "is_staff"),
        *("created_at", "last_login", "deleted_at"),
    )
    fieldsets = (
        (None, {"fields": ("id", "username", "password", "display_name", "language")}),
        (_("Permissions"), {"fields": ("is_active", *PERMISSIONS)}),
        (_("Important dates"), {"fields": ("created_at", "last_login", "deleted_at")}),
    )
    readonly_fields = ("id", "username", "is_active", "created_at", "last_login", "deleted_at")

    @admin.display(boolean=True, description=_("guest"))
    def guest(self, player: Player) -> bool:
        """Whether the player has no username."""
        return player.is_guest

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Search that uses indexes, instead of Django's, which reads the table."""
        if not search_term.strip():
            return queryset, False
        return player_search(players=queryset, term=search_term), False

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Only superusers say who is staff."""
        own = tuple(self.readonly_fields)
        return own if request.user.is_superuser else own + PERMISSIONS

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """As Django's, but for an account of the staff."""
        return super().has_change_permission(request, obj) and _may_touch(request, obj)

    def may_act(self, request: HttpRequest, row: Any, act: Act) -> bool:
        """As the permission says, but for an account of the staff, and the own one."""
        allowed = super().may_act(request, row, act) and _may_touch(request, row)
        return allowed and row != request.user

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Never: see the class."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never: see the class."""
        return False


def _may_touch(request: HttpRequest, player: Player | None) -> bool:
    """Whether it is no account of the staff: those are for superusers only."""
    return request.user.is_superuser or player is None or not player.is_staff
