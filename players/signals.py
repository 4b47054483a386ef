"""What the players tell others, inside the transaction of what they tell.

`player_deleting(player_id)`: this player is about to be forgotten.
`player_banning(player_id)`: this player is about to be kept out.

Both are sent before the player's row is locked, so that who answers may lock what is theirs first,
as everybody does.
"""

from __future__ import annotations

from django.dispatch import Signal

player_deleting = Signal()
player_banning = Signal()
