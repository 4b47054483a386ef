"""Everything that changes the ledger and the standings."""
