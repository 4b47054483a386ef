"""What is derived from the move log and the ledger, made again and held against what is stored."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from django.db import connection, transaction

from games.models import DealTally, Member, Move, Round, RoundStatus, Session, SessionStatus
from games.rules import engine
from games.rules.errors import RuleViolation
from games.rules.moves import move_from_json
from games.rules.record import hands_held, outcome_to_json
from games.rules.registry import VARIANTS
from games.rules.variant import ScoreScope, Variant
from games.selectors.live import deal_from_json, variant_of
from games.selectors.results import round_results
from games.selectors.tables import Table, table_for_service
from games.services.fairness import TallyCounts, deals_count, tally_add, tally_counts
from scoring.results import RoundResults
from scoring.selectors import round_points
from scoring.services.marking import marks_rebuild
from scoring.services.recounting import (
    Difference,
    Doubt,
    facts_rebuild,
    instead,
    standings_rebuild,
)

ROUNDS_AT_ONCE: Final = 100


def scores_rebuild(*, mend: bool) -> Iterator[Difference]:
    """Every difference that is found, and with `mend` mended; the ledger itself never is.

    Outcomes, facts and what was dealt are replayed from the moves; standings and totals are counted
    from the ledger, the marks of the boards from the standings. Where the ledger or the log itself
    is in doubt, nothing is mended. It holds one player, one session or the marks at a time and may
    run beside the service.
    """
    last, doubt = 0, Doubt()
    while rounds := _settled_after(last):
        yield from _rounds_rebuild(rounds, doubt, mend=mend)
        last = rounds[-1].pk
    yield from standings_rebuild(doubt, mend=mend)
    yield from marks_rebuild(mend=mend)
    yield from _tallies_rebuild(doubt, mend=mend)
    sessions = Session.objects.filter(counts=True).order_by().values_list("pk", flat=True)
    for session_id in sessions.iterator():
        yield from _totals_rebuild(session_id, mend=mend and session_id not in doubt.sessions)


def _settled_after(last: int) -> list[Round]:
    rounds = Round.objects.filter(pk__gt=last, status=RoundStatus.SETTLED)
    return list(rounds.select_related("session").order_by("pk")[:ROUNDS_AT_ONCE])


def _rounds_rebuild(rounds: Sequence[Round], doubt: Doubt, *, mend: bool) -> Iterator[Difference]:
    logs = defaultdict(list)
    for move in Move.objects.filter(round__in=rounds).order_by("round_id", "number"):
        logs[move.round_id].append(move)
    results: list[RoundResults] = []
    outcomes: list[tuple[Round, dict[str, Any]]] = []
    for round_ in rounds:
        session, variant = round_.session, variant_of(round_.session)
        outcome, fault = None, "it does not end"
        try:
            state, bombs = _replayed(variant, round_, logs[round_.pk])
            outcome = variant.outcome(state)
        except RuleViolation as refusal:
            fault = refusal.code
        if outcome is None:
            yield Difference("move log", f"{_where(round_)}: {fault}", mended=False)
            if session.counts:
                doubt.games.add(session.game)
                doubt.sessions.add(session.pk)
                doubt.players |= {player for player in round_.players if player is not None}
            continue
        stored = round_.outcome or {}
        outcomes.append((round_, stored))
        round_.outcome = {**stored, **outcome_to_json(outcome)}
        if session.counts:
            scope = variant.info.score_scope
            results.append(round_results(session, round_, scope, outcome, bombs))
    yield from facts_rebuild(results, doubt, mend=mend)
    for round_, stored in outcomes:
        yield from _outcome_rebuild(
            round_, stored, mend=mend and round_.session_id not in doubt.sessions
        )


def _outcome_rebuild(
    round_: Round, stored: Mapping[str, Any], *, mend: bool
) -> Iterator[Difference]:
    assert round_.outcome is not None
    for name, value in round_.outcome.items():
        if stored.get(name) != value:
            yield Difference("outcome", f"{name} of {_where(round_)}", mended=mend)
    if mend and round_.outcome != stored:
        round_.save(update_fields=["outcome"])


def _where(round_: Round) -> str:
    return f"round {round_.number} of {round_.session_id}"


def _replayed(
    variant: Variant[Any], round_: Round, moves: Sequence[Move]
) -> tuple[Any, Mapping[int, int]]:
    """The state after the last deal's moves, and the bombs that each seat played."""
    state, bombs = None, Counter[int]()
    for number, deal in enumerate(round_.deals, start=1):
        state = variant.start(deal_from_json(deal))
        for stored in moves:
            if stored.deal != number:
                continue
            move = move_from_json(stored.data)
            before, state = state, engine.submit(variant, state, stored.seat, move)
            bombs[stored.seat] += variant.pattern_of(before, stored.seat, move) in (
                variant.info.bombs
            )
    return state, bombs


def _tallies_rebuild(doubt: Doubt, *, mend: bool) -> Iterator[Difference]:
    for game, variant in VARIANTS.items():
        if game in doubt.games:
            yield Difference("deal tally", f"{game} is not counted", mended=False)
            continue
        stored, dealt = _deals_counted(variant)
        names = [name for name in stored | dealt if stored[name] != dealt[name]]
        for dealt_to, fact in names:
            where = f"{fact} of {game}" + (f", dealt to {dealt_to}" if dealt_to else "")
            said = instead(stored[dealt_to, fact], dealt[dealt_to, fact])
            yield Difference("deal tally", f"{where}: {said}", mended=mend)
        if mend and names:
            with transaction.atomic():
                tally_add(game, {name: dealt[name] - stored[name] for name in names})


@transaction.atomic
def _deals_counted(variant: Variant[Any]) -> tuple[TallyCounts, TallyCounts]:
    """What is stored and what was dealt, at one moment: rounds settle meanwhile.

    The difference is the same at any other moment, since settlements only add to both.
    """
    with connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
    game, dealt = variant.info.slug, TallyCounts()
    rounds = Round.objects.filter(
        status=RoundStatus.SETTLED, session__game=game, session__counts=True
    )
    for round_ in rounds.select_related("session").order_by("pk").iterator(ROUNDS_AT_ONCE):
        own = variant_of(round_.session)
        state = own.start(deal_from_json(round_.deals[-1]))
        if not all(hands_held(own, state)):  # the cuts come first
            state, _ = _replayed(own, round_, list(round_.moves.order_by("number")))
        dealt.update(deals_count(own, round_, state))
    return tally_counts(DealTally.objects.filter(game=game).first() or DealTally()), dealt


@transaction.atomic
def _totals_rebuild(session_id: UUID, *, mend: bool) -> list[Difference]:
    """The totals of the people at a table and away from it; a bot's rest on no ledger."""
    table = table_for_service(session_id=session_id, lock=True)
    assert table is not None
    alone = variant_of(table.session).info.score_scope is ScoreScope.ROUND
    totals = _totals_of(table, alone=alone)
    found = []
    dealt = _players_playing(table)
    for seat in table.seats:
        player_id = seat.player_id or dealt.get(seat.number)
        if player_id is None:
            continue
        total = totals.pop(player_id, seat.total if alone else 0)
        if seat.total != total:
            where = f"seat {seat.number} of {session_id}: {instead(seat.total, total)}"
            found.append(Difference("total", where, mended=mend))
            seat.total = total
            if mend:
                seat.save(update_fields=["total"])
    if not alone:
        for member in Member.objects.filter(session_id=session_id, player_id__in=totals):
            if member.total != totals[member.player_id]:
                total = totals[member.player_id]
                where = f"{member.player_id}, away from {session_id}"
                found.append(
                    Difference("total", f"{where}: {instead(member.total, total)}", mended=mend)
                )
                member.total = total
                if mend:
                    member.save(update_fields=["total"])
    return found


def _players_playing(table: Table) -> dict[int, UUID]:
    """Who was dealt which seat of the round that is being played."""
    if table.session.status != SessionStatus.PLAYING:
        return {}
    round_ = Round.objects.only("players").get(
        session=table.session, number=table.session.round_number
    )
    return {seat: player for seat, player in enumerate(round_.players) if player is not None}


def _totals_of(table: Table, *, alone: bool) -> dict[UUID, int]:
    """What each player has in the session by the ledger; where a round is alone, in the last."""
    session = table.session
    totals: defaultdict[UUID, int] = defaultdict(int)
    for (player_id, number), points in round_points(session_id=session.id).items():
        if not alone:
            totals[player_id] += points
        elif number == session.round_number:
            totals[player_id] = points
    return dict(totals)
