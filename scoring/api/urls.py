"""Addresses below `/api/v1/`."""

from __future__ import annotations

from django.urls import path

from scoring.api.views import LedgerView

urlpatterns = [path("players/me/ledger/", LedgerView.as_view())]
