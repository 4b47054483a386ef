"""Addresses below `/api/v1/`."""

from __future__ import annotations

from django.urls import path

from scoring.api.views import LedgerView, OwnStatsView, StatsView

urlpatterns = [
    path("players/me/ledger/", LedgerView.as_view()),
    path("players/me/stats/", OwnStatsView.as_view()),
    path("players/<any_case_uuid:id>/stats/", StatsView.as_view()),
]
