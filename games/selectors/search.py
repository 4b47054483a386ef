"""Finding tables as an operator looks for them."""

from __future__ import annotations

import contextlib
from typing import Final
from uuid import UUID

from games.models import Member, Session
from players.selectors import player_ids_found

MOST_FOUND: Final = 2000


def session_ids_found(*, term: str) -> list[UUID]:
    """The sessions with this id or join code, and the newest of the players whom the term means.

    Every part of it is answered from an index, whatever the size of the tables.
    """
    found = list(Session.objects.filter(join_code=term.upper()).values_list("id", flat=True))
    with contextlib.suppress(ValueError):
        found.append(UUID(term))
    members = Member.objects.filter(player_id__in=player_ids_found(term=term))
    newest = members.order_by("-session__created_at").values_list("session_id", flat=True)
    return [*found, *newest[:MOST_FOUND]]
