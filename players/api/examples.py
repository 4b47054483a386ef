"""Examples for the OpenAPI document. A test sends and compares them."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiExample

GUEST: dict[str, Any] = {
    "id": "5b0c1b1e-5c0d-4a55-9c6e-0f8a4c3b7d21",
    "display_name": "Guest 4821",
    "is_guest": True,
    "language": "en",
    "created_at": "2026-03-01T09:30:00Z",
}
REGISTERED = GUEST | {"display_name": "Mei", "is_guest": False, "language": "zh-Hant"}
TOKEN = "0b2f6d2c6b7f4a0e9d3c5a1f8e7b6d4c" * 2
CREDENTIALS = {"username": "mei_lin", "password": "seven little dragons"}
DEVICE = {
    "id": "c1a7a1a6-31d2-4e0c-a4cf-6c1f1f2f6f10",
    "name": "CardGames/1.4 (iPhone; iOS 19.2)",
    "current": True,
    "created_at": "2026-03-01T09:30:00Z",
    "last_used_at": "2026-03-02T18:00:00Z",
    "expires_at": "2026-05-31T18:00:00Z",
}


def sent(value: dict[str, Any]) -> OpenApiExample:
    """A request's example."""
    return OpenApiExample("Request", value=value, request_only=True)


def given(
    value: dict[str, Any] | str, *statuses: str, media_type: str = "application/json"
) -> OpenApiExample:
    """An answer's example, for these statuses only."""
    return OpenApiExample(
        "Answer",
        value=value,
        response_only=True,
        status_codes=list(statuses or ["200"]),
        media_type=media_type,
    )


def logged_in(player: dict[str, Any]) -> dict[str, Any]:
    """A token for the player."""
    return {"token": TOKEN, "expires_at": "2026-05-30T09:30:00Z", "player": player}
