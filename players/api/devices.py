"""Where a player is logged in, and logging out."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from contract.pagination import NewestFirst
from contract.schema import NO_CONTENT, problems
from players import selectors, services
from players.api import examples
from players.api.authentication import caller
from players.api.serializers import DeviceSerializer

TAGS = ["players"]


class NewestDevicesFirst(NewestFirst):
    """By the names that a device's columns have."""

    ordering = ("-created", "-public_id")


class LogoutView(APIView):
    """`auth/logout/`. Without stored answers: with one, a token could outlive a second call."""

    idempotency_key_ignored = True

    @extend_schema(
        operation_id="log_out_device",
        summary="End the token of this device",
        tags=TAGS,
        request=None,
        responses={204: NO_CONTENT} | problems(401),
    )
    def post(self, request: Request) -> Response:
        """The token that is sent is worth nothing afterwards; other devices stay logged in."""
        player, device = caller(request)
        services.device_end(player=player, device_id=device.public_id)
        return Response(status=204)


class LogoutAllView(APIView):
    """`auth/logout-all/`. Without stored answers, as `auth/logout/`."""

    idempotency_key_ignored = True

    @extend_schema(
        operation_id="log_out_all_devices",
        summary="End the tokens of all devices",
        tags=TAGS,
        request=None,
        responses={204: NO_CONTENT} | problems(401),
    )
    def post(self, request: Request) -> Response:
        """No token of the player is worth anything afterwards."""
        player, _ = caller(request)
        services.device_end_all(player=player)
        return Response(status=204)


class DevicesView(ListAPIView[Any]):
    """`players/me/devices/`."""

    serializer_class = DeviceSerializer
    pagination_class = NewestDevicesFirst

    def get_queryset(self) -> Any:
        """The own devices."""
        player, _ = caller(self.request)
        return selectors.device_list(player=player)

    @extend_schema(
        operation_id="list_devices",
        summary="Where the player is logged in",
        tags=TAGS,
        responses={200: DeviceSerializer(many=True)} | problems(400, 401, 404),
        examples=[examples.given(examples.DEVICE)],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """A page of devices, the newest first, with the one that asks marked as `current`."""
        NewestDevicesFirst().refuse_unknown(request)
        return super().get(request, *args, **kwargs)


class DeviceView(APIView):
    """`players/me/devices/{id}/`."""

    @extend_schema(
        operation_id="end_device",
        summary="End the token of one of the player's devices",
        tags=TAGS,
        request=None,
        responses={204: NO_CONTENT} | problems(401, 404),
    )
    def delete(self, request: Request, id: uuid.UUID) -> Response:
        """That device is logged out."""
        player, _ = caller(request)
        services.device_end(player=player, device_id=id)
        return Response(status=204)
