"""What is the caller's own across sessions: where to go on, and what was reached."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from contract.schema import problems
from games.api import examples
from games.api.responses import ResumeSerializer, ScoresSerializer
from games.selectors.own import own_scores, resume_list
from games.services.clocks import own_turns_finish
from players.api.authentication import caller_id


class ResumeView(APIView):
    """`players/me/resume/`."""

    @extend_schema(
        operation_id="list_open_sessions",
        summary="After the app was killed: every open session, most urgent first",
        tags=["players"],
        responses={200: ResumeSerializer} | problems(401),
        examples=[examples.RESUME],
    )
    def get(self, request: Request) -> Response:
        """Where the caller must or may go on."""
        player_id = caller_id(request)
        own_turns_finish(player_id=player_id)
        return Response({"results": resume_list(player_id=player_id)})


class ScoresView(APIView):
    """`players/me/scores/`."""

    @extend_schema(
        operation_id="list_scores",
        summary="What the caller has reached, per game",
        tags=["scores"],
        responses={200: ScoresSerializer} | problems(401),
        examples=[examples.SCORES],
    )
    def get(self, request: Request) -> Response:
        """One entry a game, whether played or not."""
        return Response({"results": own_scores(player_id=caller_id(request))})
