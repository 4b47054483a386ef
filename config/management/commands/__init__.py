"""`serve` starts the service."""
