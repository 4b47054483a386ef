"""The only randomness of the games: server seeds. Everything else follows from them."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from games.rules.cards import card_names
from games.rules.dealing import NumberStream
from games.rules.variant import Variant

SERVER_SEED_BYTES = 32


def server_seed_draw() -> bytes:
    """A new server seed, from the operating system."""
    return secrets.token_bytes(SERVER_SEED_BYTES)


def deal_make(
    variant: Variant[Any],
    *,
    server_seed: bytes,
    client_seed: str,
    number: int,
    carry: Mapping[str, Any],
) -> dict[str, Any]:
    """Deal `number` of a round, in the form that a round stores."""
    deal = variant.deal(NumberStream(server_seed, client_seed, number), number, carry)
    return {"deck": card_names(deal.deck), "setup": dict(deal.setup)}
