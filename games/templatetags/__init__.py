"""What the templates of the games use."""
