"""The state of a deal of Dou Dizhu."""

from __future__ import annotations

from typing import NamedTuple

from games.rules.cards import CardSet
from games.rules.climbing.trick import Trick
from games.rules.variant import Phase
from games.rules.variants.dou_dizhu.patterns import Reading


class Bidding(NamedTuple):
    """What is settled before the first lead.

    `deal` is the number of the deal within the round; `bids` are those made so far, as (seat, bid)
    with 0 for a pass. `landlord` is None until the bidding has ended, and stays so if all passed.
    """

    deal: int
    kitty: CardSet
    first_bidder: int
    bids: tuple[tuple[int, int], ...] = ()
    landlord: int | None = None

    @property
    def highest(self) -> int:
        """The highest bid so far, 0 for none."""
        return max((bid for _, bid in self.bids), default=0)


class DouDizhuState(NamedTuple):
    """A deal of Dou Dizhu.

    `trick` is None until there is a landlord; from then on the landlord's hand holds the kitty,
    too. `play_counts` are the plays of each seat, passes not counted; `bombs` are the bombs and
    rockets played by anyone.
    """

    bidding: Bidding
    hands: tuple[CardSet, ...]
    trick: Trick[Reading] | None = None
    play_counts: tuple[int, ...] = (0, 0, 0)
    bombs: int = 0
    phase: Phase = Phase.BIDDING
    decisions: int = 0
