"""The redeal of Big Two: who may call for one (rule book section 2)."""

from __future__ import annotations

from dataclasses import dataclass

from games.rules.cards import RANKS, CardSet, card_set


@dataclass(frozen=True, slots=True)
class RedealRule:
    """Which hands may call for a redeal, and how a call runs."""

    face_ranks: str = "JQK"
    face_cards: int = 2
    """A hand that may call has exactly so many cards of `face_ranks` ..."""
    barred_ranks: str = "A2"
    """... and none of these."""
    timeout_accepts: bool = True
    """[chosen] The answer of a seat whose time runs out: it is the first legal move."""
    person_leads_at_once: bool = True
    """[chosen] A person who leads need not wait for the redeal window. For who keeps the clock."""

    def qualifies(self, hand: CardSet) -> bool:
        """Whether a call may be made with this hand."""
        faces = (hand & _cards_of(self.face_ranks)).bit_count()
        return faces == self.face_cards and not hand & _cards_of(self.barred_ranks)


def _cards_of(ranks: str) -> CardSet:
    return card_set(4 * RANKS.index(rank) + suit for rank in ranks for suit in range(4))
