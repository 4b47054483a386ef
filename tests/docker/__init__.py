"""The container files, as far as they can be checked without an engine."""
