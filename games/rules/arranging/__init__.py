"""What the two arranging games share (rule book: Arranging)."""
