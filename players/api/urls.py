"""Addresses of the players' API, below `/api/v1/`."""

from __future__ import annotations

from django.urls import path

from players.api import devices, views

urlpatterns = [
    path("players/guest/", views.GuestView.as_view(), name="create-guest"),
    path("players/register/", views.RegisterView.as_view(), name="register-player"),
    path("auth/login/", views.LoginView.as_view(), name="login"),
    path("auth/logout/", devices.LogoutView.as_view(), name="logout"),
    path("auth/logout-all/", devices.LogoutAllView.as_view(), name="logout-all"),
    path("players/me/", views.MeView.as_view(), name="me"),
    path("players/me/claim/", views.ClaimView.as_view(), name="claim-player"),
    path("players/me/devices/", devices.DevicesView.as_view(), name="devices"),
    path("players/me/devices/<any_case_uuid:id>/", devices.DeviceView.as_view(), name="end-device"),
    path("players/<any_case_uuid:id>/", views.PlayerView.as_view(), name="player"),
]
