"""What the scores refuse."""

from __future__ import annotations

from contract.errors import Refusal


class NoSuchSettlement(Refusal):
    """The ledger has no settlement with this id; only those can be corrected."""

    code = "not_found"
