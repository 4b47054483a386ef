"""The checks of one replay, in the order in which a round is played."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.rules import engine
from games.rules.dealing import NumberStream, commitment
from games.rules.errors import RuleViolation
from games.rules.moves import Move, move_from_json
from games.rules.outcome import Ending, Outcome
from games.rules.record import (
    FINGERPRINT,
    deal_to_json,
    fingerprint,
    move_to_record,
    outcome_to_json,
)
from games.rules.registry import VARIANTS
from games.rules.variant import Deal, ScoreScope, Variant
from games.verify.errors import Wrong
from games.verify.shapes import shape_check

Json = Mapping[str, Any]

BOT = "bot"
SETTLED_BY_CUTS = ("hands", "kitty", "cuts", "turned_card")
"""What of a deal is only known once the deck is cut."""


@dataclass(frozen=True, slots=True)
class Verified:
    """A replay that is right, and what was checked of it."""

    session_id: str
    game: str
    number: int
    checked: tuple[str, ...]


def replay_verify(replay: Any, *, seen_commitment: str | None = None) -> Verified:
    """Check a replay as the service gives it.

    `seen_commitment` is the `next_commitment` that was seen before the deal, if it was. Raises
    NoReplay, or Wrong, naming the first thing that is.
    """
    shape_check(replay)
    try:
        checked = tuple(_checks(replay, seen_commitment))
    except (LookupError, TypeError, ValueError) as error:
        raise Wrong(f"No round goes like this: {type(error).__name__}: {error}.") from error
    return Verified(replay["session_id"], replay["game"], replay["number"], checked)


def _checks(replay: Json, seen_commitment: str | None) -> Iterator[str]:
    variant = VARIANTS.get(replay["game"])
    if variant is None:
        raise Wrong(f"There is no game {replay['game']!r}.")
    revision = variant.info.revision
    _same("rules_revision", replay["rules_revision"], revision, "what this program knows")
    _same("players (how many)", len(replay["players"]), variant.info.seats, "the game")
    seed = bytes.fromhex(replay["server_seed"])
    _same("commitment", replay["commitment"], commitment(seed), "the SHA-256 of the server seed")
    if seen_commitment is None:
        yield "commitment"
    else:
        seen = "what was seen before the deal"
        _same("commitment", replay["commitment"], seen_commitment, seen)
        yield "commitment, as seen before the deal"
    deals = list(_deals(variant, replay, seed))
    yield _number(len(deals), "deal") + " from the seeds"
    made, outcome = _played(variant, replay, deals)
    yield _number(len(replay["moves"]), "move")
    for index, (deal, moves) in enumerate(zip(deals, made, strict=True)):
        expected = deal_to_json(variant, deal, moves)
        _same_parts(f"deals[{index}]", replay["deals"][index], expected, "the seeds and the cuts")
    yield "hands"
    _settled(variant, replay, outcome)
    yield "points, working and positions"
    yield "totals"
    _same(FINGERPRINT, replay[FINGERPRINT], fingerprint(replay), "the SHA-256 of all the rest")
    yield FINGERPRINT


def _number(count: int, name: str) -> str:
    return f"{count} {name}{'' if count == 1 else 's'}"


# --- the deals ----------------------------------------------------------------------------------


def _deals(variant: Variant[Any], replay: Json, seed: bytes) -> Iterator[Deal]:
    """The deals of the round, drawn anew from its seeds."""
    client_seed = replay["client_seed"]
    if not replay["deals"]:
        raise Wrong("`deals` is empty.")
    for index, given in enumerate(replay["deals"]):
        numbers = NumberStream(seed, client_seed, index + 1)
        # Who leads a later round was settled in the round before: no card is drawn for it.
        drawn = given["draws"] or given["leader"] is None
        deal = variant.deal(numbers, index + 1, {} if drawn else {"leader": given["leader"]})
        expected = deal_to_json(variant, deal, ())
        known = {name: value for name, value in expected.items() if name not in SETTLED_BY_CUTS}
        _same_parts(f"deals[{index}]", given, known, "the seeds")
        yield deal


# --- the moves ----------------------------------------------------------------------------------


def _played(
    variant: Variant[Any], replay: Json, deals: Sequence[Deal]
) -> tuple[list[list[tuple[int, Move]]], Outcome]:
    """The moves of each deal, every one of them allowed to this seat then; and how it ended."""
    made: list[list[tuple[int, Move]]] = [[] for _ in deals]
    deal, state, turn = 1, variant.start(deals[0]), None
    outcome = None
    for number, given in enumerate(replay["moves"], start=1):
        where = f"Move {number}"
        _same(f"{where}: number", given["number"], number, "the order of the moves")
        turn = given["turn"] if turn is None else turn
        _same(f"{where}: deal", given["deal"], deal, "the moves before")
        _same(f"{where}: turn", given["turn"], turn, "the moves before")
        seat, move = _who(where, given, replay["players"]), _what(where, given)
        try:
            after = engine.submit(variant, state, seat, move)
        except RuleViolation as refusal:
            raise Wrong(
                f"{where}: seat {seat} may not {move.type} so: {refusal.code} {refusal.facts}."
            ) from refusal
        pattern = variant.pattern_of(state, seat, move)
        _same_parts(where, given, move_to_record(move, pattern), "the rules")
        made[deal - 1].append((seat, move))
        closed = variant.decisions(after) != variant.decisions(state)
        state, outcome = after, variant.outcome(after)
        turn += closed or outcome is not None
        if outcome is not None and outcome.ending is Ending.REDEAL:
            deal += 1
            if deal > len(deals):
                raise Wrong(f"{where} ends deal {deal - 1}, but there is no deal {deal}.")
            state = variant.start(deals[deal - 1])
    if outcome is None or outcome.ending is not Ending.SETTLED:
        raise Wrong("The round is not over after its last move.")
    if deal < len(deals):
        raise Wrong(f"There are {len(deals)} deals, but the round ends in deal {deal}.")
    return made, outcome


def _who(where: str, given: Json, players: Sequence[Any]) -> int:
    seat: int = given["seat"]
    if type(seat) is not int or seat not in range(len(players)):
        raise Wrong(f"{where}: there is no seat {seat!r}.")
    if players[seat] is None and given["actor"] != BOT:
        raise Wrong(f"{where}: {given['actor']} acts for seat {seat}, which a bot was dealt.")
    return seat


def _what(where: str, given: Json) -> Move:
    try:
        return move_from_json(given)
    except RuleViolation as refusal:
        raise Wrong(f"{where}: {refusal.code} {refusal.facts}.") from refusal


# --- the settlement -----------------------------------------------------------------------------


def _settled(variant: Variant[Any], replay: Json, outcome: Outcome) -> None:
    given = replay["settlement"]
    _same_parts("settlement", given, outcome_to_json(outcome), "the rules")
    seeds = {name: replay[name] for name in ("server_seed", "client_seed")}
    _same_parts("settlement", given, seeds, "the replay")
    before = replay["totals_before"]
    if variant.info.score_scope is ScoreScope.ROUND:
        _same("totals_before", before, [0] * variant.info.seats, "the score scope")
    totals = [total + points for total, points in zip(before, outcome.points, strict=True)]
    _same("settlement.totals", given["totals"], totals, "the totals before and the points")


# --- comparing ----------------------------------------------------------------------------------


def _same_parts(where: str, given: Any, expected: Json, by: str) -> None:
    for name, value in expected.items():
        _same(
            f"{where}: {name}" if where[0].isupper() else f"{where}.{name}", given[name], value, by
        )


def _same(where: str, given: Any, expected: Any, by: str) -> None:
    """Raises Wrong for the first difference within."""
    if isinstance(expected, dict) and isinstance(given, dict) and given.keys() == expected.keys():
        for name, value in expected.items():
            _same(f"{where}.{name}", given[name], value, by)
    elif isinstance(expected, list) and isinstance(given, list) and len(given) == len(expected):
        for index, (one, other) in enumerate(zip(given, expected, strict=True)):
            _same(f"{where}[{index}]", one, other, by)
    elif given != expected or type(given) is not type(expected):
        raise Wrong(f"{where} is {given!r}, but by {by} it is {expected!r}.")
