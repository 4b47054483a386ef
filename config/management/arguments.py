"""What commands take as arguments, checked for `argparse`."""

from __future__ import annotations

import argparse

import httpx


def service_url(text: str) -> str:
    """The URL of a service. Raises ArgumentTypeError."""
    try:
        url = httpx.URL(text)
    except httpx.InvalidURL as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no URL: {error}") from None
    if url.scheme not in ("http", "https") or not url.host:
        raise argparse.ArgumentTypeError(f"{text!r} is no URL such as https://cards.example")
    return text


def add_service_url(parser: argparse.ArgumentParser) -> None:
    """Add `--url`: the service that a command speaks to."""
    parser.add_argument(
        "--url",
        type=service_url,
        default="http://127.0.0.1:8000",
        help="the service (%(default)s)",
    )


def positive(text: str) -> int:
    """A whole number above 0. Raises ArgumentTypeError."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return int(text)
