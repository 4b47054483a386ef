"""Addresses below `/api/v1/`; while the sandbox is off they lead nowhere."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.urls import URLResolver, path
from django.urls.resolvers import RoutePattern

from sandbox.api.views import ClockView, RehearsalsView, ScenariosView


class SandboxRoute(RoutePattern):
    """A prefix that is known to the OpenAPI document, but matches in a sandbox only."""

    def match(self, path: str) -> Any:
        """What Django asks of a route."""
        return super().match(path) if settings.SANDBOX else None


urlpatterns = [
    URLResolver(
        SandboxRoute("sandbox/"),
        [
            path("scenarios/", ScenariosView.as_view()),
            path("sessions/", RehearsalsView.as_view()),
            path("sessions/<any_case_uuid:session_id>/clock/", ClockView.as_view()),
        ],
    )
]
