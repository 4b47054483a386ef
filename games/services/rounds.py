"""Rounds: dealt, dealt anew, settled. All inside the caller's transaction and session lock."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils import timezone

from games.models import Round, RoundStatus, Seat, SessionStatus
from games.rules.dealing import commitment
from games.rules.outcome import Outcome
from games.rules.record import outcome_to_json
from games.rules.variant import ScoreScope
from games.selectors.clocks import is_absent
from games.selectors.live import LiveRound, deal_from_json, variant_of
from games.selectors.results import bombs_played, round_results
from games.selectors.tables import Table
from games.services.dealing import deal_make, server_seed_draw
from games.services.fairness import deals_tally
from games.services.seats import host_hand_on, humans, seat_vacate
from scoring.services.booking import results_book


def round_open(
    table: Table, *, client_seed: str | None, given_deal: Mapping[str, Any] | None = None
) -> LiveRound:
    """Deal the next round, from the committed server seed unless its deal is given; the table is
    playing from then on."""
    session = table.session
    variant = variant_of(session)
    if client_seed is not None:
        session.client_seed = client_seed
    session.round_number += 1
    session.move_number = 0
    session.turn += 1
    session.status = SessionStatus.PLAYING
    server_seed = bytes(session.next_server_seed)
    session.next_server_seed = b""
    deal = dict(given_deal or {}) or deal_make(
        variant,
        server_seed=server_seed,
        client_seed=session.client_seed,
        number=1,
        carry=session.carry,
    )
    if variant.info.score_scope is ScoreScope.ROUND:
        _totals_set(table.seats, [0] * len(table.seats))
    round_ = Round.objects.create(
        session=session,
        number=session.round_number,
        rules_revision=variant.info.revision,
        server_seed=server_seed,
        client_seed=session.client_seed,
        deals=[deal],
        players=[seat.player_id for seat in table.seats],
    )
    state = variant.start(deal_from_json(deal))
    return LiveRound(round_.id, commitment(server_seed), 1, 0, state)


def round_redeal(table: Table, live: LiveRound, outcome: Outcome) -> LiveRound:
    """Deal all hands anew in the same round, from the same seeds with the next deal number."""
    session, variant = table.session, variant_of(table.session)
    round_ = Round.objects.get(pk=live.round_id)
    deal = deal_make(
        variant,
        server_seed=bytes(round_.server_seed),
        client_seed=round_.client_seed,
        number=live.deal + 1,
        carry={**session.carry, **outcome.carry},
    )
    round_.deals.append(deal)
    round_.save(update_fields=["deals"])
    state = variant.start(deal_from_json(deal))
    return LiveRound(live.round_id, live.commitment, live.deal + 1, live.move_number, state)


def round_settle(table: Table, live: LiveRound, outcome: Outcome) -> None:
    """Write the settlement once: outcome, totals, ledger, and the seed of the next round."""
    session, variant = table.session, variant_of(table.session)
    round_ = Round.objects.only("id", "players", "deals").get(pk=live.round_id)
    scope = variant.info.score_scope
    before = [0 if scope is ScoreScope.ROUND else seat.total for seat in table.seats]
    totals = [total + points for total, points in zip(before, outcome.points, strict=True)]
    _totals_set(table.seats, totals)
    round_.status = RoundStatus.SETTLED
    round_.settled_at = timezone.now()
    round_.outcome = {**outcome_to_json(outcome), "totals": totals}
    round_.move_count = live.move_number
    round_.save(update_fields=["status", "settled_at", "outcome", "move_count"])
    if session.counts:
        bombs = bombs_played(variant, round_id=round_.id)
        results_book(round_results(session, round_, scope, outcome, bombs))
        deals_tally(variant, round_, live.state)
    session.carry = dict(outcome.carry)
    for seat, player_id in zip(table.seats, round_.players, strict=True):
        if player_id is not None and seat.player_id != player_id:
            seat_vacate(session, seat, player_id=player_id)
        elif is_absent(seat) and player_id == session.host_id:
            host_hand_on(table, after=seat.number)
    rounds = session.options["rounds"]
    if not humans(table) or (rounds is not None and session.round_number >= rounds):
        session_close(table)
    else:
        session.status = SessionStatus.BETWEEN_ROUNDS
        session.next_server_seed = server_seed_draw()


def session_close(table: Table) -> None:
    """End the session: no further round."""
    session = table.session
    session.status = SessionStatus.FINISHED
    session.finished_at = timezone.now()
    session.next_server_seed = b""
    session.join_code = None


def _totals_set(seats: list[Seat], totals: list[int]) -> None:
    for seat, total in zip(seats, totals, strict=True):
        seat.total = total
    Seat.objects.bulk_update(seats, ["total"])
