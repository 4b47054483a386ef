"""Every address of the service."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

from config import documents
from config.health import healthz, readyz

v1 = [
    path("", include("players.api.urls")),
    path("", include("games.api.urls")),
    path("", include("scoring.api.urls")),
]

urlpatterns = [
    path("", RedirectView.as_view(url="/api/docs/", http_method_names=["get", "head"])),
    path("api/v1/", include(v1)),
    path("api/schema/", documents.schema, name="schema"),
    path("api/docs/", documents.swagger, name="docs"),
    path("api/redoc/", documents.redoc, name="redoc"),
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
    path("admin/", admin.site.urls),
]
