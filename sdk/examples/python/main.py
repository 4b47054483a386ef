"""python main.py URL GAME [--bad-network], with the generated client on PYTHONPATH."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import sys

import httpx
from bad_network import BadNetwork
from connection import connect
from five_card_games_client.models import GameSlug
from table_round import play_round


async def main(url: str, game: GameSlug, *, bad: bool) -> None:
    """Play a round as a new guest, and print what happened."""
    network = BadNetwork(streams_to_cut=2) if bad else httpx.AsyncHTTPTransport()
    report = await play_round(await connect(url, network), game, outdated=bad)
    faults = {"lost": network.lost, "cut": network.cut} if isinstance(network, BadNetwork) else {}
    print(json.dumps(dataclasses.asdict(report) | faults))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], GameSlug(sys.argv[2]), bad="--bad-network" in sys.argv))
