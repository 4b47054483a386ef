"""The end of a run, over HTTP: sessions, rounds and ledgers must tell the same story."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from config.crowd.device import Device
from config.crowd.sitting import Sitting
from config.playing.errors import PlayError
from config.playing.review import review_round

STARTING_BALANCE: Final = 1000
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class SessionStory:
    """A finished session as the service tells it: its card, and its rounds' replays in order."""

    session: Json
    listed: list[Json]
    replays: list[Json]


async def story_read(device: Device, sitting: Sitting) -> SessionStory:
    """Everything about a session that this player has seen. Raises PlayError."""
    session = (await device.get(sitting.path)).body
    listed = [entry async for entry in device.pages(f"{sitting.path}rounds/")][::-1]
    replays = [
        (await device.get(f"{sitting.path}rounds/{entry['number']}/")).body for entry in listed
    ]
    return SessionStory(session, listed, replays)


def review_story(story: SessionStory, sitting: Sitting, scope: str) -> Iterator[str]:
    """What is wrong with a session whose totals have this scope."""
    where = f"Session {sitting.id}"
    session = story.session
    if session["status"] != "finished" or session["version"] < sitting.final_version:
        yield f"{where} is {session['status']} in version {session['version']}."
    numbers = [entry["number"] for entry in story.listed]
    if numbers != list(range(1, session["rounds_played"] + 1)):
        yield f"{where} has played {session['rounds_played']} rounds and lists {numbers}."
    for number in sitting.settlements.keys() - set(numbers):
        yield f"{where} does not list the round {number} that was seen settled."
    for entry, replay in zip(story.listed, story.replays, strict=True):
        try:
            _review_listed(entry, replay, sitting)
        except PlayError as error:
            yield f"{where}: {error}"
    yield from (f"{where}: {text}" for text in _wrong_totals(story.replays, scope))


def _review_listed(entry: Json, replay: Json, sitting: Sitting) -> None:
    number, settlement = entry["number"], replay["settlement"]
    review_round(
        number,
        commitment=sitting.commitments.get(number) or replay["commitment"],
        settlement=sitting.settlements.get(number) or settlement,
        replay=replay,
        moves=entry["moves"],
    )
    for name in ("points", "totals"):
        if entry[name] != settlement[name]:
            raise PlayError(
                f"Round {number} is listed with the {name} {entry[name]}; its settlement has "
                f"{settlement[name]}."
            )


def _wrong_totals(replays: Sequence[Json], scope: str) -> Iterator[str]:
    """Each player's total must be the sum of the own points, also after leaving and coming back.

    A bot's is that of its seat, from nothing on where a person has sat before.
    """
    sums: defaultdict[str, int] = defaultdict(int)
    for replay in replays:
        settlement = replay["settlement"]
        expected = []
        for seat, points in enumerate(settlement["points"]):
            who = replay["players"][seat] or f"bot {seat}"
            if replay["players"][seat]:
                sums.pop(f"bot {seat}", None)
            sums[who] = points + (0 if scope == "round" else sums[who])
            expected.append(sums[who])
        if settlement["totals"] != expected:
            yield (
                f"Round {replay['number']} has the totals {settlement['totals']}; its points add "
                f"up to {expected}."
            )


def review_ledger(
    player_id: str, ledger: Sequence[Json], stories: Sequence[SessionStory], scopes: dict[str, str]
) -> Iterator[str]:
    """What is wrong with a player's ledger, oldest booking first, if these were all sessions."""
    dealt = {
        (story.session["id"], replay["number"], seat): replay["settlement"]
        for story in stories
        for replay in story.replays
        for seat, player in enumerate(replay["players"])
        if player == player_id
    }
    booked: defaultdict[tuple[str, int, int], list[Json]] = defaultdict(list)
    known = {story.session["id"] for story in stories}
    for entry in ledger:
        if entry["kind"] == "settlement" and entry["session"] in known:
            booked[entry["session"], entry["round"], entry["seat"]].append(entry)
    for place in sorted(dealt.keys() | booked.keys()):
        amounts = [entry["amount"] for entry in booked[place]]
        due = [dealt[place]["points"][place[2]]] if place in dealt else []
        if amounts != due:
            session_id, number, seat = place
            yield (
                f"The ledger of player {player_id} has booked {amounts} for seat {seat} in round "
                f"{number} of session {session_id}; settled was {due}."
            )
        elif scopes[booked[place][0]["game"]] != "wallet":
            total, figure = dealt[place]["totals"][place[2]], booked[place][0]["balance"]
            if figure != total:
                yield f"The ledger of player {player_id} has {figure} where the total was {total}."
    yield from _broken_wallets(player_id, ledger, scopes)


def _broken_wallets(
    player_id: str, ledger: Sequence[Json], scopes: dict[str, str]
) -> Iterator[str]:
    balances: dict[str, int] = {}
    for entry in ledger:
        game = entry["game"]
        if scopes[game] != "wallet":
            continue
        balance = balances.get(game, STARTING_BALANCE) + entry["amount"]
        if entry["balance"] != balance:
            yield (
                f"The wallet of player {player_id} in {game} had {balance} after a booking of "
                f"{entry['amount']}; the ledger says {entry['balance']}."
            )
        balances[game] = entry["balance"]


def review_scores(player_id: str, scores: Sequence[Json], ledger: Sequence[Json]) -> Iterator[str]:
    """What does not fit to the ledger in a player's scores."""
    for score in scores:
        own = [entry for entry in ledger if entry["game"] == score["game"]]
        amounts = [entry["amount"] for entry in own if entry["kind"] == "settlement"]
        booked = (len(amounts), sum(amount > 0 for amount in amounts))
        if (score["rounds"], score["wins"]) != booked:
            yield (
                f"Player {player_id} has {score['rounds']} rounds and {score['wins']} wins in "
                f"{score['game']}; the ledger has {booked[0]} and {booked[1]}."
            )
        if own and score["balance"] is not None and score["balance"] != own[-1]["balance"]:
            yield f"Player {player_id} has {score['balance']}; the ledger {own[-1]['balance']}."
