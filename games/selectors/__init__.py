"""Every read of the games, and what a viewer may know."""
