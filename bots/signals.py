"""What the bots ask of others.

Asked before a policy chooses: `move_wanted(session_id, seat)`: the move that somebody has decided
for this seat and the policy that the log shall name, or None. Nobody answers in production.
"""

from __future__ import annotations

from django.dispatch import Signal

move_wanted = Signal()
