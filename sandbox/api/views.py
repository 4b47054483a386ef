"""The sandbox: scenarios, tables with given hands, and their clock."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from contract.schema import BAD_BODY, BAD_KEY, IDEMPOTENCY_KEY, problems
from games.api import examples as table_examples
from games.api.calculators import BAD_CARDS, not_plausible
from games.api.play import state_headers
from games.api.responses import SessionSerializer
from games.api.sessions import validated
from games.api.states import StateSerializer
from games.rules.moves import parse_cards
from games.rules.questions import Implausible
from games.selectors.history import session_card
from games.selectors.states import state_get
from players.api.authentication import caller_id
from sandbox.api import examples
from sandbox.api.serializers import (
    ClockAdvanceSerializer,
    RehearsalCreateSerializer,
    ScenariosSerializer,
)
from sandbox.deals import WantedDeal
from sandbox.scenarios import SCENARIOS, scenarios_list
from sandbox.services import clock_advance, rehearsal_open

TAGS = ["sandbox"]


class ScenariosView(APIView):
    """`sandbox/scenarios/`."""

    authentication_classes = []
    permission_classes = [AllowAny]

    @extend_schema(
        operation_id="list_scenarios",
        summary="Every scenario of every game, with its hands and its script",
        tags=TAGS,
        auth=[],
        responses={200: ScenariosSerializer} | problems(404),
        examples=[examples.SCENARIOS],
    )
    def get(self, request: Request) -> Response:
        """All of them: they are few."""
        return Response({"results": scenarios_list()})


class RehearsalsView(APIView):
    """`sandbox/sessions/`."""

    @extend_schema(
        operation_id="create_sandbox_session",
        summary="Open a table with a known deal and scripted opponents",
        description=(
            "The caller in seat 0, bots in the others, the first round dealt as the scenario or "
            "`deal` says. It is a session like any other, but private, and nothing of it is "
            "booked. Only its first deal is given; a redeal and later rounds are dealt by chance."
        ),
        tags=TAGS,
        parameters=[IDEMPOTENCY_KEY],
        request=RehearsalCreateSerializer,
        responses={201: SessionSerializer}
        | problems(BAD_BODY, BAD_KEY, 401, 404, {422: BAD_CARDS}),
        examples=[examples.OPEN_SCENARIO, examples.OPEN_DEAL, table_examples.SESSION],
    )
    def post(self, request: Request) -> Response:
        """The session, playing."""
        values = validated(RehearsalCreateSerializer, request.data)
        game, name, script = values["game"], values.get("scenario"), values.get("script")
        if name is None:
            wanted = _wanted(values["deal"])
        else:
            scenario = SCENARIOS[game, name]
            wanted = scenario.deal
            script = scenario.script if script is None else script
        try:
            table = rehearsal_open(
                host_id=caller_id(request),
                game=game,
                wanted=wanted,
                script=script or (),
                options=values["options"],
                scenario=name or "",
            )
        except Implausible as implausible:
            raise not_plausible(implausible) from implausible
        return Response(session_card(table), 201)


def _wanted(deal: dict[str, Any]) -> WantedDeal:
    """Raises UnknownCard, DuplicateCard."""
    return WantedDeal(
        hands=tuple(parse_cards(hand) for hand in deal["hands"]),
        kitty=parse_cards(deal.get("kitty") or ()),
        first=deal.get("first"),
    )


class ClockView(APIView):
    """`sandbox/sessions/{id}/clock/`."""

    @extend_schema(
        operation_id="advance_sandbox_clock",
        summary="Let time pass at a table of the sandbox",
        description=(
            "The open decision's `deadline` and the bots' pauses come nearer by so much. For whose "
            "time is up then, the server acts at once, as it would have later."
        ),
        tags=TAGS,
        parameters=[IDEMPOTENCY_KEY],
        request=ClockAdvanceSerializer,
        responses={200: StateSerializer}
        | problems(BAD_BODY, BAD_KEY, 401, 404, {403: ["not_seated"], 409: ["round_over"]}),
        examples=[examples.ADVANCE, table_examples.STATE],
    )
    def post(self, request: Request, session_id: UUID) -> Response:
        """The state after it."""
        values = validated(ClockAdvanceSerializer, request.data)
        table = clock_advance(
            session_id=session_id,
            player_id=caller_id(request),
            by=timedelta(milliseconds=values["advance_ms"]),
        )
        return Response(state_get(table), headers=state_headers(table.session.version))
