"""Sessions, rounds and moves of the five games."""
