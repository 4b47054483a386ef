"""A round as it goes: every move of the log, told once and in order, trick by trick."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from config.playing.table import Table
from config.playing.wording import Wording, displayed_width, padded


class RoundStory:
    """What is told of one round. `told` is how many moves that has been so far."""

    def __init__(
        self,
        table: Table,
        number: int,
        names: list[str],
        wording: Wording,
        say: Callable[[str], None],
    ) -> None:
        self.told = 0
        self._table = table
        self._number = number
        self._names = names
        self._width = max(map(displayed_width, names))
        self._wording = wording
        self._say = say
        self._deal_of_hand = 0
        self._kitty_is_told = False
        self._trick = 0
        self._passes = 0
        self._leads = True

    def tell(self, state: dict[str, Any]) -> None:
        """What has happened until this state. Moves that are still secret are told later."""
        if state["you"]["hand"] and state["deal"] > self._deal_of_hand:
            again = f" (deal {state['deal']})" if self._deal_of_hand else ""
            self._say(f"Your hand{again}: {self._wording.cards(state['you']['hand'])}")
            self._deal_of_hand = state["deal"]
        log = self._table.get("moves/", round=self._number, after=self.told)
        for move in log["results"]:
            if move["number"] != self.told + 1:
                return
            self._tell_move(move)
            self.told += 1
        if state["kitty"] and not self._kitty_is_told:
            self._say(f"Kitty: {self._wording.cards(state['kitty'])}")
            self._kitty_is_told = True

    def _tell_move(self, move: dict[str, Any]) -> None:
        if move["type"] == "play" and self._leads:
            self._trick += 1
            self._leads = False
            self._say(f"Trick {self._trick}")
        who = padded(self._names[move["seat"]], self._width)
        self._say(f"  {who}  {self._wording.move(move)}")
        self._passes = self._passes + 1 if move["type"] == "pass" else 0
        if self._passes == len(self._names) - 1:
            self._passes, self._leads = 0, True
