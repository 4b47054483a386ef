"""The verifier: whether a round was dealt, played and settled as its seeds and the rules say.

It needs nothing but Python's standard library and `games.rules`:

    python -m games.verify replay.json rounds.jsonl
    python -m games.verify https://cards.example/api/v1/sessions/ID/rounds/1/ --token TOKEN
"""
