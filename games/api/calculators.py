"""The games without a table: what cards are, what may be played, what a round pays, a deal."""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from contract.schema import BAD_BODY, problems
from games.api import calculator_examples as examples
from games.api.catalogue import GAME
from games.api.questions import (
    ClassificationSerializer,
    ClassifyCardsSerializer,
    EvaluateRowsSerializer,
    ListPlaysSerializer,
    PossiblePlaysSerializer,
    RecomputedDealSerializer,
    RecomputeDealSerializer,
    RoundSettlementSerializer,
    RowsEvaluationSerializer,
    SettleRoundSerializer,
)
from games.api.sessions import validated
from games.rules.errors import RuleViolation
from games.rules.questions import Implausible
from games.selectors.calculators import (
    cards_classify,
    plays_list,
    rows_evaluate,
    settlement_compute,
)
from games.selectors.deals import deal_recompute

TAGS = ["games"]
BAD_CARDS = ["unknown_card", "duplicate_card"]

FAULTS: Final = {
    "required": _("This game needs it."),
    "not_in_this_game": _("This game does not have it."),
    "wrong_number_of_seats": _("One entry is needed for each seat of the game."),
    "wrong_number_of_cards": _("A special hand has 13 cards."),
    "not_one_winner": _("One seat has no card left, and only one."),
    "no_such_seat": _("The game has no such seat."),
    "out_of_range": _("That many cannot be in this game."),
    "must_have_played": _("The landlord and the winner have played."),
    "not_the_leader_drawn": _("The seeds draw another leader in a first round."),
}


def not_plausible(implausible: Implausible) -> ValidationError:
    """What cannot be, as an error of its field."""
    return ValidationError(
        {
            field: ErrorDetail(str(FAULTS[code]), code=code)
            for field, code in implausible.faults.items()
        }
    )


class CalculatorView(APIView):
    """A question that needs no token and changes nothing."""

    authentication_classes = []
    permission_classes = [AllowAny]
    idempotency_key_ignored = True

    def handle_exception(self, exc: Exception) -> Response:
        """What cannot be is an error of its field; what is refused is told in the game's words."""
        if isinstance(exc, Implausible):
            exc = not_plausible(exc)
        if isinstance(exc, RuleViolation):
            exc.game = self.kwargs["game"]
        return super().handle_exception(exc)


class ClassifyView(CalculatorView):
    """`games/{game}/classify/`."""

    @extend_schema(
        operation_id="classify_cards",
        summary="What a set of cards is",
        description=(
            "`pattern` is null if the cards are no play. Arranging games: the category of a row "
            "of 3 or 5 cards."
        ),
        tags=TAGS,
        auth=[],
        parameters=[GAME],
        request=ClassifyCardsSerializer,
        responses={200: ClassificationSerializer}
        | problems(BAD_BODY, 404, {422: [*BAD_CARDS, "ambiguous_pattern"]}),
        examples=[examples.CARDS, examples.CLASSIFICATION],
    )
    def post(self, request: Request, game: str) -> Response:
        """The pattern and all readings."""
        values = validated(ClassifyCardsSerializer, request.data)
        return Response(
            cards_classify(game=game, cards=values["cards"], pattern=values.get("pattern"))
        )


class PossiblePlaysView(CalculatorView):
    """`games/{game}/legal-plays/`."""

    @extend_schema(
        operation_id="list_legal_plays",
        summary="The plays of a hand, as a lead or on another play (climbing games)",
        description="In `dou-dizhu`, plays that differ only in suits are listed once.",
        tags=TAGS,
        auth=[],
        parameters=[GAME],
        request=ListPlaysSerializer,
        responses={200: PossiblePlaysSerializer}
        | problems(
            BAD_BODY,
            404,
            {422: [*BAD_CARDS, "card_not_in_hand", "not_a_pattern", "ambiguous_pattern"]},
        ),
        examples=[examples.HAND, examples.PLAYS],
    )
    def post(self, request: Request, game: str) -> Response:
        """The plays, weakest first."""
        values = validated(ListPlaysSerializer, request.data)
        return Response(
            plays_list(
                game=game,
                hand=values["hand"],
                on=values.get("on"),
                must_include=values.get("must_include"),
            )
        )


class EvaluateView(CalculatorView):
    """`games/{game}/evaluate/`."""

    @extend_schema(
        operation_id="evaluate_rows",
        summary="What three rows are (arranging games)",
        tags=TAGS,
        auth=[],
        parameters=[GAME],
        request=EvaluateRowsSerializer,
        responses={200: RowsEvaluationSerializer}
        | problems(BAD_BODY, 404, {422: [*BAD_CARDS, "wrong_row_sizes"]}),
        examples=[examples.ROWS, examples.EVALUATION],
    )
    def post(self, request: Request, game: str) -> Response:
        """Categories, foul, special."""
        values = validated(EvaluateRowsSerializer, request.data)
        return Response(rows_evaluate(game=game, **values))


class SettleView(CalculatorView):
    """`games/{game}/settle/`."""

    @extend_schema(
        operation_id="settle_round",
        summary="What a finished round pays, and why",
        description=(
            "Which fields are needed depends on the game; one that it does not have is refused."
        ),
        tags=TAGS,
        auth=[],
        parameters=[GAME],
        request=SettleRoundSerializer,
        responses={200: RoundSettlementSerializer}
        | problems(BAD_BODY, 404, {422: [*BAD_CARDS, "wrong_row_sizes", "no_special_hand"]}),
        examples=[examples.FINISHED_ROUND, examples.SETTLEMENT],
    )
    def post(self, request: Request, game: str) -> Response:
        """The points and their working."""
        values = validated(SettleRoundSerializer, request.data)
        return Response(settlement_compute(game=game, given=values))


class DealView(CalculatorView):
    """`games/{game}/deal/`."""

    @extend_schema(
        operation_id="recompute_deal",
        summary="A deal from its seeds",
        description=(
            "To check a round that was played: its replay shows the seeds, and before the deal "
            "`commitment` was published, the SHA-256 of the server seed. Of each of the replay's "
            "`deals`, send `deal` and, in `thirteen`, the `cuts` and, where there are no `draws`, "
            "the `leader`; the answer's `hands` are those of the replay."
        ),
        tags=TAGS,
        auth=[],
        parameters=[GAME],
        request=RecomputeDealSerializer,
        responses={200: RecomputedDealSerializer}
        | problems(BAD_BODY, 404, {422: ["cannot_cut", "cut_out_of_range"]}),
        examples=[examples.SEEDS, examples.DEAL],
    )
    def post(self, request: Request, game: str) -> Response:
        """Hands, kitty, draws."""
        values: dict[str, Any] = validated(RecomputeDealSerializer, request.data)
        return Response(deal_recompute(game=game, **values))
