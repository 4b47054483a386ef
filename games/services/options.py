"""The options of a session: one table of what a host may choose (contract: Options).

Requests, answers and the catalogue's JSON Schema are all made from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.rules.moves import CallRedeal, Extend
from games.rules.variant import VariantInfo

BOT_LEVELS: Final = ("easy", "normal")
DEFAULT_LEVEL: Final = "normal"
CLIENT_SEED_LENGTH: Final = 64


@dataclass(frozen=True, slots=True)
class Option:
    """One option. `minimum` and `maximum` bound a number, or the length of a text.

    With `nullable`, null is a value that can be chosen. `needs` is a type of move: games without it
    do not have the option. A game's own default in `VariantInfo.options` goes before `default`.
    """

    name: str
    type: type[int] | type[str]
    default: Any
    description: Promise
    minimum: int = 0
    maximum: int | None = None
    choices: tuple[str, ...] | None = None
    nullable: bool = False
    needs: str | None = None

    def belongs_to(self, info: VariantInfo) -> bool:
        """Whether this game has the option."""
        return self.needs is None or self.needs in info.move_types

    def default_for(self, info: VariantInfo) -> Any:
        """What a table of this game has where nothing is chosen; null where it has no such."""
        return info.options.get(self.name, self.default) if self.belongs_to(info) else None


OPTIONS: Final = (
    Option(
        "turn_seconds",
        int,
        None,
        _(
            "Seconds for each decision; 0: no limit. Null: 30 while two or more people can sit at "
            "the table, otherwise 0."
        ),
        maximum=600,
        nullable=True,
    ),
    Option(
        "extension_seconds",
        int,
        20,
        _("Extra seconds that each seat may ask for once a round."),
        maximum=300,
        needs=Extend.type,
    ),
    Option("bot_level", str, DEFAULT_LEVEL, _("How well the bots play."), choices=BOT_LEVELS),
    Option("bot_delay_ms", int, 600, _("Pause before a bot's move."), maximum=5000),
    Option(
        "redeal_window_ms",
        int,
        3000,
        _("How long a bot that leads the round waits for somebody to call for a redeal."),
        maximum=30_000,
        needs=CallRedeal.type,
    ),
    Option(
        "client_seed",
        str,
        "",
        _("The first round's client seed: any text, used as it was sent."),
        maximum=CLIENT_SEED_LENGTH,
    ),
    Option(
        "rounds",
        int,
        None,
        _("Finish the session by itself after so many rounds. Null: never."),
        minimum=1,
        maximum=1000,
        nullable=True,
    ),
)


def options_complete(info: VariantInfo, given: Mapping[str, Any]) -> dict[str, Any]:
    """Every option with its value: what was given, else the game's default.

    What a game does not have is null.
    """
    return {
        option.name: given[option.name]
        if given.get(option.name) is not None
        else option.default_for(info)
        for option in OPTIONS
    }


def options_foreign(info: VariantInfo, given: Mapping[str, Any]) -> list[str]:
    """The names of given options that this game does not have."""
    return [
        option.name
        for option in OPTIONS
        if given.get(option.name) is not None and not option.belongs_to(info)
    ]
