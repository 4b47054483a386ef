"""Who sent a request: `Authorization: Bearer <token>`."""

from __future__ import annotations

from typing import Any, cast
from uuid import UUID

from django.http import HttpRequest
from django.utils import timezone
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from knox.auth import TokenAuthentication
from knox.crypto import hash_token
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from players.errors import PlayerBanned
from players.selectors import Caller, ban_in_force, device_find
from players.services import device_keep_alive

CACHE = "_authenticated_as"


class BearerAuthentication(TokenAuthentication):
    """Knox's tokens, found by their digest: one query, whatever was sent."""

    def authenticate(self, request: Request) -> Caller | None:
        """The player and the device, None without a bearer token.

        Raises AuthenticationFailed, PlayerBanned.
        """
        return authenticate_request(request._request)

    def authenticate_header_of(self, request: HttpRequest) -> Caller | None:
        """The same, read from the header."""
        try:
            found: Caller | None = super().authenticate(request)
        except UnicodeError as error:
            raise AuthenticationFailed from error
        return found

    def authenticate_credentials(self, token: bytes) -> Caller:
        """The token's player and device. Raises AuthenticationFailed, PlayerBanned."""
        device = device_find(digest=hash_token(token.decode()))
        now = timezone.now()
        if device is None or device.expiry <= now:
            raise AuthenticationFailed
        if not device.user.is_active:
            ban = ban_in_force(player=device.user)
            raise PlayerBanned(reason=ban.reason) if ban else AuthenticationFailed
        device_keep_alive(device=device, now=now)
        return device.user, device


def authenticate_request(request: HttpRequest) -> Caller | None:
    """Who sent the request, None without a bearer token; found once per request.

    Raises AuthenticationFailed, PlayerBanned.
    """
    if not hasattr(request, CACHE):
        setattr(request, CACHE, BearerAuthentication().authenticate_header_of(request))
    found: Caller | None = getattr(request, CACHE)
    return found


def caller(request: Request) -> Caller:
    """The player and the device of a request that has passed authentication."""
    return cast("Caller", (request.user, request.auth))


def caller_id(request: Request) -> UUID:
    """The id of who is calling, behind a permission that lets only players in."""
    return caller(request)[0].pk


class BearerScheme(OpenApiAuthenticationExtension):
    """How the OpenAPI document describes it."""

    target_class = BearerAuthentication
    name = "bearerAuth"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        """An HTTP bearer token."""
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "The `token` of `players/guest/`, `players/register/` or `auth/login/`.",
        }
