"""What the player does when it is asked: always something allowed, seldom something clever."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final

Body = dict[str, Any]

ARRANGING_RANKS: Final = "23456789TJQKA"
MIDDLE_OF_THE_DECK: Final = 26


def move_choose(
    state: dict[str, Any],
    *,
    legal_plays: Callable[[], dict[str, Any]],
    is_accepted: Callable[[Body], bool],
) -> Body:
    """A move for the state's `you`, who must act.

    `legal_plays` and `is_accepted` ask the service, and only where the answer is needed.
    """
    move = move_evident(state)
    if move is not None:
        return move
    if "arrange" in state["you"]["actions"]:
        candidates = arrangements(state["you"]["hand"])
        return next(filter(is_accepted, candidates[:-1]), candidates[-1])
    return move_weakest(legal_plays()["plays"])


def must_act(state: dict[str, Any]) -> bool:
    """Whether the open decision waits for the state's `you`."""
    if state["you"] is None:
        return False
    own = state["you"]["seat"]
    return own in state["to_act"] and not state["seats"][own]["has_acted"]


def move_evident(state: dict[str, Any]) -> Body | None:
    """A move for which nothing has to be asked; None where one has to look at the cards."""
    actions = state["you"]["actions"]
    if "declare" in actions:
        return {"type": "declare"}
    if "answer_redeal" in actions:
        return {"type": "answer_redeal", "accept": True}
    if "cut" in actions:
        return {"type": "cut", "position": MIDDLE_OF_THE_DECK}
    if "bid" in actions:
        # Somebody must, or the cards are dealt anew.
        return {"type": "bid", "bid": 0 if state["bidding"]["highest"] else 1}
    return None


def move_weakest(plays: Sequence[Body]) -> Body:
    """The first of these plays; a pass where there is none."""
    return {"type": "play", **plays[0]} if plays else {"type": "pass"}


def arrangements(hand: Sequence[str]) -> list[Body]:
    """Two ways to set 13 cards, of which one at least is no foul.

    Sorted by groups (four, three, pair, single), the cards fall into rows that are in order, unless
    the middle one happens to be a straight or a flush; then it belongs at the back.
    """
    counts = Counter(card[0] for card in hand)
    cards = sorted(
        hand, key=lambda card: (counts[card[0]], ARRANGING_RANKS.index(card[0])), reverse=True
    )
    strong, second, front = cards[:5], cards[5:10], cards[10:]
    return [
        {"type": "arrange", "front": front, "middle": middle, "back": back}
        for middle, back in ((second, strong), (strong, second))
    ]
