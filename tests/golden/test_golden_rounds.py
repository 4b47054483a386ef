"""Golden rounds are replayed through the engine, to exact points and their working."""

from __future__ import annotations

from typing import Any

import pytest

from games.rules.cards import DECK_54
from games.rules.engine import submit
from games.rules.errors import RuleViolation
from games.rules.registry import VARIANTS
from tests.golden.golden_rounds import Json, deal_of, load, read_move, working

ROUNDS = list(load())


@pytest.mark.parametrize(
    ("game", "golden"),
    [pytest.param(game, golden, id=f"{game}-{name}") for game, name, golden in ROUNDS],
)
def test_a_round_comes_to_its_points(game: str, golden: Json):
    variant = VARIANTS[game]
    deal = deal_of(golden)
    assert sorted(deal.deck) == list(DECK_54[: variant.info.deck_size])
    state: Any = variant.start(deal)
    for text in golden["moves"]:
        assert variant.outcome(state) is None, text
        assert variant.view(state, None).phase in variant.info.phases, text
        seat, move, refused = read_move(text)
        if refused:
            before = state
            with pytest.raises(RuleViolation) as refusal:
                submit(variant, state, seat, move)
            assert refusal.value.code == refused, text
            assert state == before
        else:
            state = submit(variant, state, seat, move)
    outcome = variant.outcome(state)
    assert outcome is not None
    assert outcome.ending == golden["ending"]
    assert list(outcome.points) == golden["points"]
    assert outcome.winner == golden.get("winner")
    assert (outcome.positions and list(outcome.positions)) == golden.get("positions")
    assert outcome.spring == golden.get("spring")
    assert working(outcome.transfers) == golden["working"]
    assert outcome.carry == golden.get("carry", {})


@pytest.mark.parametrize(
    ("game", "golden"),
    [pytest.param(game, golden, id=f"{game}-{name}") for game, name, golden in ROUNDS],
)
def test_a_file_explains_itself(game: str, golden: Json):
    assert golden["title"]
    assert golden["why"]
    assert sum(golden["points"]) == 0


def test_every_game_has_golden_rounds():
    counts = {slug: sum(game == slug for game, _, _ in ROUNDS) for slug in VARIANTS}
    assert min(counts.values()) >= 6, counts


@pytest.mark.parametrize("slug", VARIANTS)
def test_the_golden_rounds_of_a_game_say_every_reason_that_it_names_and_no_other(slug: str):
    said = {
        reason.split(" ")[0]
        for game, _, golden in ROUNDS
        if game == slug
        for line in golden["working"]
        for reason in filter(None, line.partition(" = ")[2].split(", "))
    }
    assert said == set(VARIANTS[slug].info.reasons)
