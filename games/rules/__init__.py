"""The rules of the five games: pure functions over immutable values.

Importable without Django; no clock, no randomness, no I/O. The rule book is `rules.md`; docstrings
name its sections.
"""
