"""What operators do to a row in the admin: each act with a permission, a page that asks for the
reason, and an entry in the log that says who did it, when and why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, cast
from uuid import UUID

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.admin.utils import quote, unquote
from django.core.exceptions import PermissionDenied
from django.db import models, transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from contract.errors import Refusal

MOST_REASON_LETTERS = 500


def operator_id(request: HttpRequest) -> UUID:
    """Who is acting, behind the admin's login."""
    return cast("UUID", request.user.pk)


class ReasonForm(forms.Form):
    """Why it is done; an act may ask for more."""

    reason = forms.CharField(
        label=_("reason"),
        max_length=MOST_REASON_LETTERS,
        widget=forms.Textarea(attrs={"rows": 4, "cols": 60, "autofocus": True}),
    )


@dataclass(frozen=True, slots=True)
class Act:
    """One thing that an operator may do to a row.

    `perform(admin, request, row, values)` does it, in a transaction with the log entry, and may
    give the page to show then. It may raise any Refusal. `possible(row)` says whether it makes
    sense now. `values` are the form's; `done`, which may hold `%(field)s` of them, is what the log
    says before the reason.
    """

    name: str
    label: str | Promise
    consequence: str | Promise
    done: str
    permission: str
    possible: Callable[[Any], bool]
    perform: Callable[[Any, HttpRequest, Any, dict[str, Any]], HttpResponse | None]
    form: type[ReasonForm] = ReasonForm


class ActsAdmin(admin.ModelAdmin):
    """An admin whose rows have acts: a button each, for those who may and while it is possible."""

    acts: ClassVar[tuple[Act, ...]] = ()
    change_form_template = "operator/change_form.html"

    def may_act(self, request: HttpRequest, row: Any, act: Act) -> bool:
        """Whether this operator may do this to this row."""
        allowed: bool = request.user.has_perm(act.permission)
        return allowed and self.has_view_permission(request, row)

    def get_urls(self) -> list[URLPattern]:
        """An address for each act, before Django's, one of which takes anything."""
        own = [
            path(
                f"<path:object_id>/{act.name}/",
                self.admin_site.admin_view(self._view_of(act)),
                name=self._url_name(act),
            )
            for act in self.acts
        ]
        return [*own, *super().get_urls()]

    def render_change_form(
        self,
        request: HttpRequest,
        context: dict[str, Any],
        add: bool = False,
        change: bool = False,
        form_url: str = "",
        obj: Any = None,
    ) -> HttpResponse:
        """The row's page with its buttons."""
        context["acts"] = [
            {
                "label": act.label,
                "url": reverse(f"admin:{self._url_name(act)}", args=[quote(obj.pk)]),
            }
            for act in self.acts
            if obj is not None and act.possible(obj) and self.may_act(request, obj, act)
        ]
        return super().render_change_form(request, context, add, change, form_url, obj)

    def _url_name(self, act: Act) -> str:
        return f"{self.opts.app_label}_{self.opts.model_name}_{act.name}"

    def _view_of(self, act: Act) -> Callable[..., HttpResponse]:
        def view(request: HttpRequest, object_id: str) -> HttpResponse:
            return self._act(request, object_id, act)

        return view

    def _act(self, request: HttpRequest, object_id: str, act: Act) -> HttpResponse:
        row = self.get_object(request, unquote(object_id))
        if row is None:
            raise Http404
        if not self.may_act(request, row, act):
            raise PermissionDenied
        opts = self.opts
        page = reverse(f"admin:{opts.app_label}_{opts.model_name}_change", args=[quote(row.pk)])
        form = act.form(request.POST if request.method == "POST" else None)
        if not act.possible(row):
            return self._refused(request, page)
        if form.is_valid():
            try:
                with transaction.atomic():
                    shown = act.perform(self, request, row, form.cleaned_data)
                    self._log(
                        request, row, act.done % form.cleaned_data, form.cleaned_data["reason"]
                    )
            except Refusal:
                return self._refused(request, page)
            if shown is not None:
                return shown
            messages.success(request, gettext("Done, and logged with your name."))
            return HttpResponseRedirect(page)
        context = {
            **self.admin_site.each_context(request),
            "title": act.label,
            "opts": opts,
            "original": row,
            "act": act,
            "form": form,
            "page": page,
        }
        return TemplateResponse(request, "operator/act.html", context)

    def _refused(self, request: HttpRequest, page: str) -> HttpResponse:
        messages.error(request, gettext("This is not possible now. Nothing was changed."))
        return HttpResponseRedirect(page)

    def _log(self, request: HttpRequest, row: models.Model, done: str, reason: str) -> None:
        LogEntry.objects.log_actions(
            user_id=operator_id(request),
            queryset=[row],
            action_flag=CHANGE,
            change_message=f"{done}: {reason}",
            single_object=True,
        )
