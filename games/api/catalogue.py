"""The catalogue of games: what there is to play, by what rules, with what options."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.views import APIView

from contract.caching import ETAG, IF_NONE_MATCH, NOT_MODIFIED, public_answer
from contract.schema import problems
from games.api import calculator_examples as examples
from games.api.states import GAMES, Shape
from games.rules.variant import Direction, Kind, ScoreScope
from games.services.catalogue import game_describe, games_list
from games.services.options import BOT_LEVELS
from players.languages import language_shown

TAGS = ["games"]
DIRECTIONS = [direction.value for direction in Direction]
KINDS = [kind.value for kind in Kind]
SCORE_SCOPES = [scope.value for scope in ScoreScope]

GAME = OpenApiParameter("game", enum=GAMES, location=OpenApiParameter.PATH)


class NamedWordSerializer(Shape):
    """A word of the interface, and what people call it."""

    word = serializers.CharField()
    name = serializers.CharField()


class GameSerializer(Shape):
    """A game in short. Texts are in the language of Accept-Language."""

    slug = serializers.ChoiceField(choices=GAMES)
    name = serializers.CharField()
    summary = serializers.CharField()
    seats = serializers.IntegerField()
    deck_size = serializers.IntegerField()
    direction = serializers.ChoiceField(
        choices=DIRECTIONS, help_text="In which the seats follow each other on screen."
    )
    kind = serializers.ChoiceField(choices=KINDS)
    score_scope = serializers.ChoiceField(choices=SCORE_SCOPES)
    bot_levels = serializers.ListField(child=serializers.ChoiceField(choices=BOT_LEVELS))
    patterns = NamedWordSerializer(
        many=True, help_text="What can be played; in arranging games, what a row can be."
    )
    specials = NamedWordSerializer(
        many=True, help_text="What a whole hand can be declared as, high to low."
    )
    options = serializers.DictField(
        help_text="JSON Schema of the session options of this game, with their defaults."
    )


class GameListSerializer(Shape):
    """Every game."""

    results = GameSerializer(many=True)


class GameDetailSerializer(GameSerializer):
    """A game with its words and its rules."""

    phases = NamedWordSerializer(many=True)
    move_types = NamedWordSerializer(many=True)
    reasons = NamedWordSerializer(
        many=True, help_text="Each `code` that a line of a settlement's working can have."
    )

    rules = serializers.CharField(help_text="For players, as Markdown.")


class CatalogueView(APIView):
    """Texts that need no token and seldom change."""

    authentication_classes = []
    permission_classes = [AllowAny]

    def cached(self, request: Request, content: dict[str, Any]) -> Any:
        """The content, or 304; for everybody's cache, by language."""
        body = JSONRenderer().render(content)
        return public_answer(
            request, body, content_type=JSONRenderer.media_type, language=language_shown()
        )


class GamesView(CatalogueView):
    """`games/`."""

    @extend_schema(
        operation_id="list_games",
        summary="Every game",
        tags=TAGS,
        auth=[],
        parameters=[IF_NONE_MATCH, ETAG],
        responses={200: GameListSerializer} | NOT_MODIFIED,
        examples=[examples.GAMES],
    )
    def get(self, request: Request) -> Any:
        """The catalogue."""
        return self.cached(request, {"results": games_list()})


class GameView(CatalogueView):
    """`games/{game}/`."""

    @extend_schema(
        operation_id="get_game",
        summary="A game with its rules for players",
        tags=TAGS,
        auth=[],
        parameters=[GAME, IF_NONE_MATCH, ETAG],
        responses={200: GameDetailSerializer} | NOT_MODIFIED | problems(404),
        examples=[examples.GAME],
    )
    def get(self, request: Request, game: str) -> Any:
        """The game."""
        return self.cached(request, game_describe(game=game))
