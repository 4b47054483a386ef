"""What a table of the sandbox has besides its session."""

from __future__ import annotations

from django.db import models


class Rehearsal(models.Model):
    """A session of the sandbox. `script` lists the moves of its first deal: each the flat JSON
    form of a move, with its `seat`. `scenario` is empty where the deal was the client's own."""

    session = models.OneToOneField(
        "games.Session", on_delete=models.CASCADE, primary_key=True, related_name="+"
    )
    scenario = models.CharField(max_length=40, blank=True, default="")
    script = models.JSONField(default=list)

    def __str__(self) -> str:
        return f"{self.scenario or 'own deal'} {self.session_id}"
