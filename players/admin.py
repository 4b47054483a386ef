"""Players in the admin, fit for a table of a million."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import UserChangeForm
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from contract.admin import CappedPaginator
from players.models import Player
from players.selectors import player_search

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


@admin.register(Player)
class PlayerAdmin(UserAdmin):
    """Staff look players up, rename and block them, and set a password.

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
    fieldsets = (
        (None, {"fields": ("id", "username", "password", "display_name", "language")}),
        (_("Permissions"), {"fields": ("is_active", *PERMISSIONS)}),
        (_("Important dates"), {"fields": ("created_at", "last_login", "deleted_at")}),
    )
    readonly_fields = ("id", "username", "created_at", "last_login", "deleted_at")

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
        """As Django's, but a superuser's or colleague's account is for superusers only."""
        allowed = super().has_change_permission(request, obj)
        is_staff = obj is not None and obj.is_staff
        return allowed and (request.user.is_superuser or not is_staff)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Never: see the class."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never: see the class."""
        return False
