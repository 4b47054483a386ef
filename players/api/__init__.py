"""The players' HTTP API."""
