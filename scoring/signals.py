"""What the scores tell others, inside the transaction of what they tell.

`points_correcting(session_id, round_number, player_id, amount)`: the points of this round are about
to be corrected. It is sent before the player is held, so that who answers may lock what is theirs
first, as everybody does.
"""

from __future__ import annotations

from django.dispatch import Signal

points_correcting = Signal()
