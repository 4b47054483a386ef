"""What a settled round tells the scores: an outcome's working, counted for each seat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from games.models import Move, Round, Session
from games.rules.outcome import Outcome
from games.rules.variant import ScoreScope, Variant
from scoring.results import Feats, RoundResults, SeatResult

SWEEPS = ("sweep", "grand_slam", "home_run")


def bombs_played(variant: Variant[Any], *, round_id: int) -> Mapping[int, int]:
    """How many bombs each seat played in the round, by the stored moves; no entry for none."""
    if not variant.info.bombs:
        return {}
    bombs = Move.objects.filter(round_id=round_id, pattern__in=variant.info.bombs)
    return Counter(bombs.order_by().values_list("seat", flat=True))


def round_results(
    session: Session, round_: Round, scope: ScoreScope, outcome: Outcome, bombs: Mapping[int, int]
) -> RoundResults:
    """What the round gave the people who were dealt its hands.

    `round_` is settled, with the totals after it; `bombs` are those played by each seat.
    """
    assert round_.settled_at is not None
    assert round_.outcome is not None
    figures = [None] * len(outcome.points)
    if scope is not ScoreScope.WALLET:
        figures = round_.outcome["totals"]
    places = places_of(outcome)
    return RoundResults(
        game=session.game,
        scope=scope.value,
        session_id=session.id,
        round_number=round_.number,
        settled_at=round_.settled_at,
        results=tuple(
            SeatResult(
                player_id=player_id,
                seat=seat,
                points=outcome.points[seat],
                figure=figures[seat],
                place=places[seat],
                feats=feats_of(outcome, seat, bombs=bombs.get(seat, 0)),
            )
            for seat, player_id in enumerate(round_.players)
            if player_id is not None
        ),
    )


def places_of(outcome: Outcome) -> Sequence[int]:
    """The places of the seats, from 1: the game's own, else by points, shared by equals."""
    if outcome.positions is not None:
        return outcome.positions
    return [1 + sum(other > points for other in outcome.points) for points in outcome.points]


def feats_of(outcome: Outcome, seat: int, *, bombs: int) -> Feats:
    """What this seat did. Who sweeps is whom the line of the sweep gives points."""
    sweeps = Counter[str]()
    for transfer in outcome.transfers:
        for reason in transfer.reasons:
            sweeper = transfer.to_seat if reason.points > 0 else transfer.from_seat
            if reason.code in SWEEPS and sweeper == seat:
                sweeps[reason.code] += 1
    hand = outcome.hands[seat]
    return Feats(
        bombs=bombs,
        springs=int(outcome.spring is not None and outcome.points[seat] > 0),
        sweeps=sweeps.total(),
        grand_slams=int("grand_slam" in sweeps),
        home_runs=int("home_run" in sweeps),
        fouls=int(bool(hand.foul)),
        specials=int(hand.special is not None),
    )
