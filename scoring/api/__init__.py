"""The scores over HTTP."""
