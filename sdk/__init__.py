"""What clients are made from, and what holds the document to what was released."""
