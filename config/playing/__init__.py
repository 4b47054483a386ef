"""A player that speaks nothing but HTTP: plays a session and checks what the service says of it.

It knows the contract, not the code that serves it: no Django, no models. So it is a smoke test of
any deployment.
"""

from config.playing.client import Client
from config.playing.errors import PlayError
from config.playing.session_play import Plan, SessionPlay

__all__ = ["Client", "Plan", "PlayError", "SessionPlay"]
