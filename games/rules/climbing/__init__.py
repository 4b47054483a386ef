"""What the climbing games share: the trick, and the two houses of Big Two."""
