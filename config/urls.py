"""Every address of the service."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.urls import include, path, register_converter
from django.views.decorators.csrf import csrf_exempt
from django.views.generic import RedirectView

from config import documents
from config.admin_login import admin_login
from config.error_codes import ErrorCodesView
from config.health import healthz, readyz
from config.player_export import PlayerExportView
from contract.path_converters import AnyCaseUUID

register_converter(AnyCaseUUID, "any_case_uuid")

v1: list[Any] = [
    path("meta/error-codes/", ErrorCodesView.as_view()),
    path("players/me/export/", PlayerExportView.as_view()),
    path("", include("players.api.urls")),
    path("", include("games.api.urls")),
    path("", include("scoring.api.urls")),
    path("", include("sandbox.api.urls")),
]

to_documents = RedirectView.as_view(url="/api/docs/", http_method_names=["get", "head"])

# What only shows something changes nothing that a token against forgery would protect.
urlpatterns = [
    path("", csrf_exempt(to_documents)),
    path("api/v1/", include(v1)),
    path("api/schema/", csrf_exempt(documents.schema), name="schema"),
    path("api/docs/", documents.swagger, name="docs"),
    path("api/redoc/", documents.redoc, name="redoc"),
    path("healthz", csrf_exempt(healthz), name="healthz"),
    path("readyz", csrf_exempt(readyz), name="readyz"),
    path("admin/login/", admin_login),
    path("admin/", admin.site.urls),
]
