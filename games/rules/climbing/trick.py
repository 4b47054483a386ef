"""The trick: whose turn it is, what must be beaten, when it ends (rule book: Climbing).

The trick knows no patterns. `R` is how a game reads the play to beat, whatever it compares by.
"""

from __future__ import annotations

from typing import Any, Final, Generic, NamedTuple, TypeVar

from games.rules.cards import Card, card_names
from games.rules.variant import PlayView, TrickView

R = TypeVar("R")

# Below, `_make` is faster than the same fields as arguments, and each move makes a trick.

MOST_SEATS: Final = 4
PASSES: Final = tuple(PlayView(seat, (), None) for seat in range(MOST_SEATS))
"""A pass of each seat, as it lies in a trick."""


class Trick(NamedTuple, Generic[R]):
    """The plays made since somebody last led, passes among them, and the seat to act next.

    `to_beat` is the last play that was no pass and `reading` what the game reads it as; both are
    None while the trick waits for its lead.
    """

    leader: int
    turn: int
    plays: tuple[PlayView, ...] = ()
    to_beat: PlayView | None = None
    reading: R | None = None

    def view(self, must_include: Card | None = None) -> TrickView:
        """What everybody may know of the trick: all of it."""
        return TrickView(self.leader, self.plays, self.to_beat, must_include)

    def to_beat_facts(self) -> dict[str, Any] | None:
        """What must be beaten, as a fact of a refusal."""
        if self.to_beat is None:
            return None
        seat, cards, pattern = self.to_beat.seat, self.to_beat.cards, self.to_beat.pattern
        return {"seat": seat, "cards": card_names(cards), "pattern": pattern}


def new_trick(leader: int) -> Trick[R]:
    """A trick that waits for this seat's lead."""
    return Trick(leader, leader)


def with_play(
    trick: Trick[R], play: PlayView, reading: R, *, seats: int, passing_bars: bool = False
) -> Trick[R]:
    """The trick after a play that the game has found good: a lead, or one that beats `to_beat`."""
    turn = (play.seat + 1) % seats
    if passing_bars:
        turn = _unbarred(turn, trick.plays, seats)
    return Trick._make((trick.leader, turn, (*trick.plays, play), play, reading))


def with_pass(trick: Trick[R], seat: int, *, seats: int, passing_bars: bool = False) -> Trick[R]:
    """The trick after a pass, or the next one where that pass ended it.

    It ends when the turn comes back to the last play: then all other seats have passed in a row.
    With `passing_bars`, seats that passed earlier in the trick are not asked again.
    """
    plays = (*trick.plays, PASSES[seat])
    turn = (seat + 1) % seats
    if passing_bars:
        turn = _unbarred(turn, plays, seats)
    if trick.to_beat is not None and turn == trick.to_beat.seat:
        return new_trick(turn)
    return Trick._make((trick.leader, turn, plays, trick.to_beat, trick.reading))


def _unbarred(turn: int, plays: tuple[PlayView, ...], seats: int) -> int:
    """From this seat on, the first that has not passed in the trick."""
    passed = {play.seat for play in plays if not play.cards}
    while turn in passed:
        turn = (turn + 1) % seats
    return turn
