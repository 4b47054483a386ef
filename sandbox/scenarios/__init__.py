"""The scenarios: rare cases of every game, and the way to each."""

from __future__ import annotations

from typing import Any, Final

from sandbox.deals import cards_named
from sandbox.scenarios.arranging import ARRANGING
from sandbox.scenarios.climbing import CLIMBING
from sandbox.scenarios.scenario import Scenario

SCENARIOS: Final[dict[tuple[str, str], Scenario]] = {
    (scenario.game, scenario.name): scenario for scenario in (*CLIMBING, *ARRANGING)
}
"""By game and name."""


def scenarios_list() -> list[dict[str, Any]]:
    """Every scenario as the contract shows it, in the active language."""
    return [
        {
            "game": scenario.game,
            "scenario": scenario.name,
            "summary": str(scenario.summary),
            "deal": cards_named(scenario.deal),
            "script": list(scenario.script),
        }
        for scenario in SCENARIOS.values()
    ]
