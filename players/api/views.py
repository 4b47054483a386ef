"""Becoming a player, and who one is."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from contract.addresses import client_network
from contract.rate_limits import guesses_counted
from contract.schema import BAD_BODY, BAD_KEY, IDEMPOTENCY_KEY, NO_CONTENT, problems
from players import selectors, services
from players.api import examples
from players.api.authentication import caller
from players.api.serializers import (
    ClaimPlayerSerializer,
    CreateGuestSerializer,
    LoginResultSerializer,
    LoginSerializer,
    OwnPlayerSerializer,
    PlayerSerializer,
    RegisterPlayerSerializer,
    UpdateMeSerializer,
)
from players.errors import InvalidCredentials
from players.languages import language_shown

TAGS = ["players"]


class PublicView(APIView):
    """A call that needs no token, and gives one: its answers are never stored."""

    authentication_classes = []
    permission_classes = [AllowAny]
    idempotency_key_ignored = True


class GuestView(PublicView):
    """`players/guest/`."""

    rate_limit = "guest"

    @extend_schema(
        operation_id="create_guest",
        summary="Play as a guest",
        description=(
            "201 with a new guest. With a `device_secret` the call is repeatable: the same secret "
            "later gives the same player (200) and a further token."
        ),
        tags=TAGS,
        auth=[],
        request=CreateGuestSerializer,
        responses={201: LoginResultSerializer, 200: LoginResultSerializer}
        | problems(BAD_BODY, 403, {403: ["player_banned"]}),
        examples=[
            examples.sent({"display_name": "Guest 4821", "language": "en"}),
            examples.given(examples.logged_in(examples.GUEST), "201", "200"),
        ],
    )
    def post(self, request: Request) -> Response:
        """A guest, new or found again by the device secret, with a token."""
        values = _validated(CreateGuestSerializer, request)
        values.setdefault("language", language_shown())
        login = services.guest_create(**values, device_name=device_name(request))
        status = 201 if login.player_is_new else 200
        return Response(LoginResultSerializer(login).data, status)


class RegisterView(PublicView):
    """`players/register/`."""

    rate_limit = "register"

    @extend_schema(
        operation_id="register_player",
        summary="Register with a username and a password",
        tags=TAGS,
        auth=[],
        request=RegisterPlayerSerializer,
        responses={201: LoginResultSerializer} | problems(BAD_BODY, {409: ["username_taken"]}),
        examples=[
            examples.sent(examples.CREDENTIALS | {"display_name": "Mei"}),
            examples.given(examples.logged_in(examples.REGISTERED), "201"),
        ],
    )
    def post(self, request: Request) -> Response:
        """A new player, with a token. Usernames that differ in case only are the same."""
        values = _validated(RegisterPlayerSerializer, request)
        login = services.player_register(
            **values, language=language_shown(), device_name=device_name(request)
        )
        return Response(LoginResultSerializer(login).data, 201)


class LoginView(PublicView):
    """`auth/login/`."""

    @extend_schema(
        operation_id="log_in_player",
        summary="Get a token for this device",
        tags=TAGS,
        auth=[],
        request=LoginSerializer,
        responses={200: LoginResultSerializer}
        | problems(BAD_BODY, {401: ["invalid_credentials"], 403: ["player_banned"]}),
        examples=[
            examples.sent(examples.CREDENTIALS),
            examples.given(examples.logged_in(examples.REGISTERED)),
        ],
    )
    def post(self, request: Request) -> Response:
        """A further token; those of other devices stay."""
        values = _validated(LoginSerializer, request)
        with guesses_counted(
            InvalidCredentials,
            login_by_address=client_network(request),
            login_by_username=values["username"].lower(),
        ):
            login = services.player_login(**values, device_name=device_name(request))
        return Response(LoginResultSerializer(login).data)


class ClaimView(APIView):
    """`players/me/claim/`."""

    @extend_schema(
        operation_id="claim_player",
        summary="Turn the guest into a registered player",
        description="Id, history, wallet and tokens stay the same.",
        tags=TAGS,
        parameters=[IDEMPOTENCY_KEY],
        request=ClaimPlayerSerializer,
        responses={200: OwnPlayerSerializer}
        | problems(BAD_BODY, BAD_KEY, 401, 403, {409: ["username_taken", "already_registered"]}),
        examples=[
            examples.sent(examples.CREDENTIALS),
            examples.given(examples.REGISTERED | {"username": "mei_lin"}),
        ],
    )
    def post(self, request: Request) -> Response:
        """The same player, from now on with a username and a password."""
        values = _validated(ClaimPlayerSerializer, request)
        player, _ = caller(request)
        player = services.player_claim(player=player, **values)
        return Response(OwnPlayerSerializer(player).data)


class MeView(APIView):
    """`players/me/`."""

    @extend_schema(
        operation_id="get_me",
        summary="The own profile",
        tags=TAGS,
        responses={200: OwnPlayerSerializer} | problems(401),
        examples=[examples.given(examples.REGISTERED | {"username": "mei_lin"})],
    )
    def get(self, request: Request) -> Response:
        """What others see, and the username."""
        return Response(OwnPlayerSerializer(request.user).data)

    @extend_schema(
        operation_id="update_me",
        summary="Change the own profile",
        tags=TAGS,
        request=UpdateMeSerializer,
        responses={200: OwnPlayerSerializer} | problems(BAD_BODY, 401, 403),
        examples=[
            examples.sent({"display_name": "Mei"}),
            examples.given(examples.REGISTERED | {"username": "mei_lin"}),
        ],
    )
    def patch(self, request: Request) -> Response:
        """The profile after the change; what is not sent stays."""
        values = _validated(UpdateMeSerializer, request)
        player, _ = caller(request)
        player = services.player_update(player=player, **values)
        return Response(OwnPlayerSerializer(player).data)

    @extend_schema(
        operation_id="delete_me",
        summary="Delete the own account",
        description=(
            "Name, username, password and device secret are forgotten and every token ends. "
            "Matches stay whole: the others see a deleted player in that seat."
        ),
        tags=TAGS,
        request=None,
        responses={204: NO_CONTENT} | problems(401, 403),
    )
    def delete(self, request: Request) -> Response:
        """Forget the player."""
        player, _ = caller(request)
        services.player_delete(player=player)
        return Response(status=204)


class PlayerView(APIView):
    """`players/{id}/`."""

    @extend_schema(
        operation_id="get_player",
        summary="A player's public profile",
        tags=TAGS,
        responses={200: PlayerSerializer} | problems(401, 404),
        examples=[examples.given(examples.REGISTERED)],
    )
    def get(self, request: Request, id: uuid.UUID) -> Response:
        """What everybody may see; of a deleted player too, whom old matches show."""
        return Response(PlayerSerializer(selectors.player_get(player_id=id)).data)


def device_name(request: Request) -> str:
    """What the client calls itself."""
    agent = request.headers.get("User-Agent", "")
    return "".join(character for character in agent if character.isprintable())[:100]


def _validated(serializer_class: type[Any], request: Request) -> dict[str, Any]:
    serializer = serializer_class(data=request.data)
    serializer.is_valid(raise_exception=True)
    values: dict[str, Any] = serializer.validated_data
    return values
