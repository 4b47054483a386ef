"""The service's own addresses, and two more to measure it against."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F
from django.urls import include, path
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.models import StoredAnswer
from games.models import Session


class EmptyView(APIView):
    """Nothing but REST framework."""

    authentication_classes: list[Any] = []
    permission_classes = [AllowAny]
    throttle_classes: list[Any] = []

    def get(self, request: Request) -> Response:
        return Response({})


class AuthenticatedEmptyView(APIView):
    """Nothing but the token."""

    throttle_classes: list[Any] = []

    def get(self, request: Request) -> Response:
        return Response({})


class FloorView(APIView):
    """The least that a stored move can cost: token, row lock, one update, one insert, commit."""

    throttle_classes: list[Any] = []

    def post(self, request: Request, session_id: UUID) -> Response:
        number = request.data["number"]
        with transaction.atomic():
            session = Session.objects.select_for_update().get(pk=session_id)
            Session.objects.filter(pk=session.pk).update(
                carry={"n": number}, client_seed=F("client_seed")
            )
            StoredAnswer.objects.create(
                player_id=request.user.pk,
                key=f"{session_id}:{number}",
                fingerprint="",
                status=0,
                content_type="",
                body="",
            )
        return Response({"number": number}, 201)


urlpatterns = [
    path("bench/empty/", EmptyView.as_view()),
    path("bench/authenticated/", AuthenticatedEmptyView.as_view()),
    path("bench/floor/<any_case_uuid:session_id>/", FloorView.as_view()),
    path("", include("config.urls")),
]
