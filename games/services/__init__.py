"""Every change of the games, each one transaction."""
