"""What results add up to: the ledger, bests and standings."""
