"""A deal recomputed from its seeds, so that anyone can check it (rule book: Dealing)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.rules.dealing import NumberStream, commitment
from games.rules.moves import Cut
from games.rules.questions import Implausible
from games.rules.record import deal_to_json
from games.rules.variant import Variant
from games.selectors.calculators import game_get

SHOWN = ("hands", "kitty", "first_bidder", "leader", "turned_card")


def deal_recompute(
    *,
    game: str,
    server_seed: bytes,
    client_seed: str,
    deal: int,
    first_round: bool | None = None,
    leader: int | None = None,
    cuts: Sequence[int | None] | None = None,
) -> dict[str, Any]:
    """The hands of a deal and what else was drawn; `cuts` are by seat.

    Unless `first_round` says so, it is one if no leader is given. Raises GameNotFound,
    Implausible, CannotCut, CutOutOfRange.
    """
    variant = game_get(game)
    _check(variant, first_round, leader, cuts)
    carry = {} if first_round or leader is None else {"leader": leader}
    dealt = variant.deal(NumberStream(server_seed, client_seed, deal), deal, carry)
    drawn = dealt.setup.get("leader")
    if leader not in (None, drawn):
        raise Implausible(leader="not_the_leader_drawn")
    answers = [
        (seat, Cut(position or 0))
        for seat, position in enumerate(cuts or [None] * variant.info.seats)
        if "cuts" in variant.deal_fields and (position or seat != drawn)
    ]
    # The leader's, which is refused, before the last cut ends the cutting.
    answers.sort(key=lambda answer: answer[0] != drawn)
    record = deal_to_json(variant, dealt, answers)
    return {
        "commitment": commitment(server_seed),
        "leader_draws": record["draws"] or None,
        **{name: record[name] for name in SHOWN},
    }


def _check(
    variant: Variant[Any],
    first_round: bool | None,
    leader: int | None,
    cuts: Sequence[int | None] | None,
) -> None:
    given = {"leader": leader, "cuts": cuts}
    faults = {
        field: "not_in_this_game"
        for field, value in given.items()
        if value is not None and field not in variant.deal_fields
    }
    if first_round is False and leader is None and "leader" in variant.deal_fields:
        faults["leader"] = "required"
    if leader is not None and leader not in range(variant.info.seats):
        faults.setdefault("leader", "no_such_seat")
    if cuts is not None and len(cuts) != variant.info.seats:
        faults.setdefault("cuts", "wrong_number_of_seats")
    if faults:
        raise Implausible(**faults)
