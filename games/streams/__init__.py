"""Waiting for changes, in the processes that serve what waits (asyncio)."""
