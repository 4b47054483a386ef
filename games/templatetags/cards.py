"""Cards as a page shows them."""

from __future__ import annotations

from typing import Any, Final

from django import template
from django.utils.html import format_html

register = template.Library()

SUIT_SIGNS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
JOKER_SIGNS: Final = {"BJ": "☆ joker", "RJ": "★ JOKER"}
RED: Final = ("D", "H")


@register.filter
def card_face(name: str) -> str:
    """`TD` as a red 10♦, with its name for who copies it."""
    if name in JOKER_SIGNS:
        face, is_red = JOKER_SIGNS[name], name == "RJ"
    else:
        rank, suit = name[0], name[1]
        face, is_red = f"{'10' if rank == 'T' else rank}{SUIT_SIGNS[suit]}", suit in RED
    return format_html(
        '<span class="card{}" title="{}">{}</span>', " red" if is_red else "", name, face
    )


@register.filter
def of_seat(values: list[Any], seat: int) -> Any:
    """The entry of this seat."""
    return values[seat]
