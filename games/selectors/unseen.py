"""The card counter (記牌器): what a seat has not seen, from its hand and what lay on the table."""

from __future__ import annotations

from typing import Any

from games.errors import NoRound
from games.models import Move, SessionStatus
from games.rules.cards import CARD_NAMES, CARDS_BY_NAME, DECK_52, RANKS, Card
from games.rules.moves import Play
from games.selectors.live import LiveRound, live_round_get, variant_of
from games.selectors.tables import Table


def cards_unseen(table: Table) -> dict[str, Any]:
    """How many cards of each rank the viewer has not seen in this deal, low ranks first.

    The kitty counts as unseen until it is shown. Raises NotSeated, NoRound.
    """
    seat = table.own_seat()
    session = table.session
    live = live_round_get(session)
    if live is None or session.status != SessionStatus.PLAYING:
        raise NoRound()
    variant = variant_of(session)
    view = variant.view(live.state, seat)
    seen = _cards_played(live) | set(view.kitty or ()) | set(view.you.hand if view.you else ())
    deck = range(variant.info.deck_size)
    counts = dict.fromkeys((_rank_of(card) for card in deck), 0)
    for card in deck:
        counts[_rank_of(card)] += card not in seen
    return {
        "ranks": [{"rank": rank, "count": count} for rank, count in counts.items()],
        "count": sum(counts.values()),
    }


def _cards_played(live: LiveRound) -> set[Card]:
    plays = Move.objects.filter(round_id=live.round_id, deal=live.deal, data__type=Play.type)
    return {
        CARDS_BY_NAME[name]
        for data in plays.values_list("data", flat=True)
        for name in data["cards"]
    }


def _rank_of(card: Card) -> str:
    return RANKS[card // 4] if card < len(DECK_52) else CARD_NAMES[card]
