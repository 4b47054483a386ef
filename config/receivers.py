"""What the service as a whole does when it is told something."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

from django.dispatch import receiver
from rest_framework.renderers import JSONRenderer

from config.models import StoredAnswer
from games.selectors.tables import tablemates_of
from players.names import DELETED_DISPLAY_NAME
from players.signals import player_deleting


@receiver(player_deleting, dispatch_uid="config.forget_answers")
def forget_answers(*, player_id: UUID, **_: Any) -> None:
    """Stored answers hold names, hands and moves; nobody is left who could ask for them again.

    Those of others keep what they say, but for the name. It comes after the games, who hold the
    tables where the player sits: no answer that is being given there is missed.
    """
    StoredAnswer.objects.filter(player_id=player_id).delete()
    naming = StoredAnswer.objects.filter(
        player_id__in=tablemates_of(player_id=player_id), body__contains=str(player_id)
    )
    for answer in naming.order_by("pk").select_for_update().iterator():
        answer.body = _renamed(answer.body, str(player_id))
        answer.save(update_fields=["body"])


def _renamed(body: str, player_id: str) -> str:
    """The answer with the name that everybody who is deleted has."""

    def rename(part: dict[str, Any]) -> dict[str, Any]:
        if part.get("id") == player_id and "display_name" in part:
            part["display_name"] = DELETED_DISPLAY_NAME
        return part

    rendered: bytes = JSONRenderer().render(json.loads(body, object_hook=rename))
    return rendered.decode()
