"""What a simulated person may be refused, and what would be an error."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from config.crowd.person import Person


def alone_at_a_table(**sitting: Any) -> Any:
    """Who has no other person at the table, and no clock."""
    return SimpleNamespace(
        device=SimpleNamespace(player_id="own"),
        sitting=SimpleNamespace(**{"players": {"own"}, "turn_seconds": 0, **sitting}),
    )


def state(*, has_acted: bool = False, **more: Any) -> dict[str, Any]:
    you = {"seat": 0, "autoplay": False}
    seats = [{"has_acted": has_acted}]
    return {"trick": None, "phase": "arranging", "you": you, "seats": seats, **more}


@pytest.mark.parametrize(
    ("sitting", "seen", "may_be"),
    [
        ({}, state(), False),
        # The bots may set the last rows before the person's new ones arrive.
        ({}, state(has_acted=True), True),
        ({"turn_seconds": 10}, state(), True),
        ({"players": {"own", "other"}}, state(), True),
        ({}, state(phase="redeal"), True),
        ({}, state(you={"seat": 0, "autoplay": True}), True),
        ({}, state(trick={"must_include": "3C"}), True),
        ({}, state(trick={"must_include": None}), False),
    ],
)
def test_who_may_be_overtaken(sitting: dict[str, Any], seen: dict[str, Any], may_be: bool):
    assert Person.may_be_overtaken(alone_at_a_table(**sitting), seen) is may_be
