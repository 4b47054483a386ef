"""How a play is taken in a trick, and what it is refused for (rule book, section 3: Patterns)."""

from __future__ import annotations

from games.rules.cards import CardSet, card_names, cards_in
from games.rules.climbing.trick import Trick
from games.rules.errors import AmbiguousPattern, DoesNotBeat, NotAPattern, WrongPattern
from games.rules.variants.dou_dizhu.patterns import POWER, Reading, beats


def read_play(
    trick: Trick[Reading], readings: tuple[Reading, ...], cards: CardSet, pattern: str | None
) -> Reading:
    """The one of these readings of the cards that this trick takes, if need be of a named pattern.

    A lead is taken as the first of them; a play that follows, as the one that follows the trick.
    Raises NotAPattern, AmbiguousPattern, WrongPattern or DoesNotBeat.
    """
    named = named_readings(readings, cards, pattern)
    on = trick.reading
    if on is None:
        return named[0]
    for reading in named:
        if beats(reading, on):
            return reading
    too_low = next((reading for reading in named if _is_kind_of(reading, on)), None)
    refusal = WrongPattern if too_low is None else DoesNotBeat
    raise refusal(pattern=(too_low or named[0]).pattern, to_beat=trick.to_beat_facts())


def named_readings(
    readings: tuple[Reading, ...], cards: CardSet, pattern: str | None
) -> tuple[Reading, ...]:
    """Those of these readings of the cards that are of the named pattern, or all; never none.

    Raises NotAPattern or AmbiguousPattern.
    """
    if not readings:
        raise NotAPattern(cards=card_names(cards_in(cards)))
    if pattern is None:
        return readings
    named = tuple(reading for reading in readings if reading.pattern == pattern)
    if not named:
        patterns = [reading.pattern for reading in readings]
        raise AmbiguousPattern(pattern=pattern, readings=patterns)
    return named


def _is_kind_of(reading: Reading, on: Reading) -> bool:
    """Is this play right for the trick but for its height? A bomb is right for every trick."""
    return reading.pattern in POWER or reading[:2] == on[:2]
