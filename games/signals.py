"""What the games tell others, and what they ask of them.

Told after the commit of what it tells:
`turn_started(session_id, turn, bot_seats, due_at)`: seats that play by themselves are to act;
`due_at` is when.
`deadline_set(session_id, due_at)`: the server has to act for a person then.

Asked: `advice_wanted(info, view, moves)`: a good move for the seat whose view this is, and the name
of the policy that chose it. One receiver answers.
"""

from __future__ import annotations

from django.dispatch import Signal

turn_started = Signal()
deadline_set = Signal()
advice_wanted = Signal()
