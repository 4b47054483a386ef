"""Programs that play: on top of the games, unknown to them."""
