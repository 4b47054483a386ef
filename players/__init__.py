"""Who someone is: players, their devices and tokens. Knows nothing of games."""
