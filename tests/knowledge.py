"""Who may know which card of a running round, worked out from the rule book alone.

Read from the stored deal and moves; no view of the service is asked, so that one that shows too
much is found out.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from typing import Any

from games.models import Round, RoundStatus, Session

RANKS = "3456789TJQKA2"
ORDERED = [*(rank + suit for rank in RANKS for suit in "CDHS"), "BJ", "RJ"]
COUNTED = "A23456789TJQK"  # the number of a turned-up card: ace 1, king 13
OPENING = {"big-two-tw": "3C", "big-two-hk": "3D"}
SEATS = {"dou-dizhu": 3}


@dataclass(frozen=True)
class Knowledge:
    """The running round of a session; `running` is False, and all of it known, without one.

    `hands` are as dealt, empty before that. `shown` is what everybody has seen. `named` are cards
    that everybody is told of while they lie in somebody's hand: the opening card, the draws for the
    leader and the card turned up. `seeds` are the server seeds that nobody may know yet.
    """

    game: str
    running: bool
    seeds: tuple[bytes, ...]
    deck: tuple[str, ...] = ()
    hands: tuple[frozenset[str], ...] = ()
    shown: frozenset[str] = frozenset()
    named: tuple[str, ...] = ()
    landlord: int | None = None
    earlier: tuple[tuple[frozenset[str], ...], ...] = ()
    """The hands of the deals before, in the same round."""
    moves: list[tuple[int, dict[str, Any]]] = field(default_factory=list)

    @classmethod
    def of(cls, session_id: str) -> Knowledge:
        session = Session.objects.get(pk=session_id)
        last = session.rounds.filter(number=session.round_number).first()
        running = last is not None and last.status == RoundStatus.OPEN
        drawn = [session.next_server_seed, *([last.server_seed] if last and running else [])]
        seeds = tuple(bytes(seed) for seed in drawn if seed)
        if last is None or not running:
            return cls(session.game, running, seeds)
        return cls(session.game, running, seeds, **_dealt(session.game, last))

    def known_to(self, seat: int | None) -> frozenset[str]:
        """The cards that this seat, or a watcher, may know the place of."""
        own: frozenset[str] = frozenset()
        if seat is not None and self.hands:
            own = self.hands[seat]
            if seat == self.landlord:
                own |= frozenset(self.deck[-3:])
        return own | self.shown

    def hidden_from(self, seat: int | None) -> frozenset[str]:
        return frozenset(self.deck) - self.known_to(seat)

    def told_before(self, seat: int) -> frozenset[str]:
        """Cards that lie hidden, but that this seat has rightly been told of: those that everybody
        is, and its own in the deals before."""
        return frozenset(self.named).union(*(hands[seat] for hands in self.earlier))

    def may_call_redeal(self, seat: int) -> bool:
        """Big Two (Hong Kong): two of J, Q, K, no ace, no 2, before the first play, not declined
        before."""
        types = [move["type"] for _, move in self.moves]
        called = [mover for mover, move in self.moves if move["type"] == "call_redeal"]
        answers = [move["accept"] for _, move in self.moves if move["type"] == "answer_redeal"]
        open_call = bool(called) and answers.count(False) < len(called)
        ranks = [card[0] for card in self.hands[seat]]
        fits = sum(rank in "JQK" for rank in ranks) == 2 and not {"A", "2"} & set(ranks)
        return fits and "play" not in types and not open_call and seat not in called

    def spellings_of_seeds(self) -> list[bytes]:
        """Every text in which a secret seed might leave, and the beginnings of it."""
        spelled: list[bytes] = []
        for seed in self.seeds:
            spelled += [seed.hex()[:16].encode(), str(int.from_bytes(seed, "big")).encode()]
            spelled += [base64.b64encode(seed)[:16], base64.urlsafe_b64encode(seed)[:16]]
        return spelled


def _dealt(game: str, round_: Round) -> dict[str, Any]:
    deal = round_.deals[-1]
    deck, setup = tuple(deal["deck"]), deal["setup"]
    moves = [
        (move.seat, move.data)
        for move in round_.moves.filter(deal=len(round_.deals)).order_by("number")
    ]
    played = {card for _, move in moves for card in move.get("cards", ())}
    earlier = tuple(_hands(game, tuple(before["deck"])) for before in round_.deals[:-1])
    facts: dict[str, Any] = {"deck": deck, "moves": moves, "earlier": earlier}
    if game == "thirteen":
        facts |= _ceremony(deck, setup, moves)
    else:
        facts["hands"] = _hands(game, deck)
    if game == "dou-dizhu":
        facts["landlord"] = _landlord([(s, m["bid"]) for s, m in moves if m["type"] == "bid"])
        if facts["landlord"] is not None:
            played |= set(deck[-3:])
    if game in OPENING and not played:
        facts["named"] = (OPENING[game],)
    return {**facts, "shown": frozenset(played)}


def _hands(game: str, deck: tuple[str, ...]) -> tuple[frozenset[str], ...]:
    """One card at a time from seat 0; three are left over in Dou Dizhu."""
    seats = SEATS.get(game, 4)
    dealt = deck[:-3] if game == "dou-dizhu" else deck
    return tuple(frozenset(dealt[seat::seats]) for seat in range(seats))


def _landlord(bids: list[tuple[int, int]]) -> int | None:
    """Who bid most, once one has bid 3 or all have bid; None if all passed."""
    highest = max((bid for _, bid in bids), default=0)
    if highest == 0 or (highest < 3 and len(bids) < 3):
        return None
    return next(seat for seat, bid in bids if bid == highest)


def _ceremony(
    deck: tuple[str, ...], setup: dict[str, Any], moves: list[tuple[int, dict[str, Any]]]
) -> dict[str, Any]:
    leader = setup["leader"]
    drawn = tuple(ORDERED[card] for _, card in setup["draws"])
    cuts = {seat: move["position"] for seat, move in moves if move["type"] == "cut"}
    if len(cuts) < 3:
        return {"hands": (), "named": drawn}
    for seat in sorted(cuts):
        deck = deck[cuts[seat] :] + deck[: cuts[seat]]
    turned = ORDERED[setup["turned_card"]]
    first = (leader + COUNTED.index(turned[0])) % 4
    hands = tuple(frozenset(deck[(seat - first) % 4 :: 4]) for seat in range(4))
    return {"hands": hands, "named": (*drawn, turned)}
