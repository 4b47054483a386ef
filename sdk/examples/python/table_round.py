"""One round against bots, from the first deal to the settlement."""

from __future__ import annotations

import asyncio
import dataclasses
from uuid import UUID

from connection import Refused, send
from events import changes
from five_card_games_client import AuthenticatedClient
from five_card_games_client.api.play import get_hint, get_state, make_move, wait_for_state
from five_card_games_client.api.rounds import get_round
from five_card_games_client.api.sessions import create_session
from five_card_games_client.models import (
    Actor,
    GameSlug,
    MoveRequest,
    OptionsRequest,
    SessionCreateRequest,
    SessionStatus,
    State,
)

WAIT_SECONDS = 20


@dataclasses.dataclass
class Report:
    """What happened, for whoever looks on."""

    accepted: int = 0
    logged: int = 0
    conflicts: int = 0
    waits: int = 0
    versions: list[int] = dataclasses.field(default_factory=list)
    points: list[int] = dataclasses.field(default_factory=list)


async def play_round(client: AuthenticatedClient, game: GameSlug, *, outdated: bool) -> Report:
    """Play a round. `outdated` makes the first move one for a decision that is closed already."""
    report = Report()
    table = SessionCreateRequest(game=game, options=OptionsRequest(bot_delay_ms=20))
    session = await send(
        lambda key: create_session.asyncio_detailed(client=client, body=table, idempotency_key=key)
    )
    at = session.id
    listening = asyncio.create_task(listen(client, at, report.versions))
    await told(session.version, report.versions, listening)

    state = await send(lambda key: get_state.asyncio_detailed(at, client=client))
    while state.status == SessionStatus.PLAYING:
        if not must_act(state):
            state = await wait_for_change(client, state)
            report.waits += 1
            continue
        move = await choose_move(client, at)
        if outdated:
            move.turn = state.turn - 1
        outdated = False
        try:
            state = await make(client, at, move)
        except Refused as refused:
            # Something happened meanwhile. The refusal carries the fresh state: decide anew.
            if not isinstance(refused.problem.state, State):
                raise
            state = refused.problem.state
            report.conflicts += 1
        else:
            report.accepted += 1

    assert state.settlement
    assert state.you
    report.points = state.settlement.points
    number, own = state.round_, state.you.seat
    replay = await send(lambda key: get_round.asyncio_detailed(at, number, client=client))
    report.logged = sum(m.seat == own and m.actor == Actor.PERSON for m in replay.moves)
    await told(state.version, report.versions, listening)
    listening.cancel()
    return report


def must_act(state: State) -> bool:
    """Whether the round waits for the caller."""
    own = state.you
    return bool(own and own.seat in state.to_act and not state.seats[own.seat].has_acted)


async def wait_for_change(client: AuthenticatedClient, state: State) -> State:
    """The state once it is another, or as it is after `WAIT_SECONDS`."""
    return await send(
        lambda key: wait_for_state.asyncio_detailed(
            state.session_id, client=client, since=state.version, timeout=WAIT_SECONDS
        )
    )


async def make(client: AuthenticatedClient, session_id: UUID, move: MoveRequest) -> State:
    """The state after the move. Raises Refused."""
    answer = await send(
        lambda key: make_move.asyncio_detailed(
            session_id, client=client, body=move, idempotency_key=key
        )
    )
    return answer.state


async def choose_move(client: AuthenticatedClient, session_id: UUID) -> MoveRequest:
    """The service's own advice, which can be sent as it is."""
    hint = await send(lambda key: get_hint.asyncio_detailed(session_id, client=client))
    assert hint.move
    return MoveRequest.from_dict(hint.move.to_dict())


async def listen(client: AuthenticatedClient, session_id: UUID, versions: list[int]) -> None:
    """Follow the events of the table and note their versions."""
    async for event in changes(client, session_id):
        versions.append(event.version)  # noqa: PERF401 (the caller looks on)


async def told(version: int, versions: list[int], listening: asyncio.Task[None]) -> None:
    """Wait until this version has been told."""
    while not versions or versions[-1] < version:
        if listening.done():
            listening.result()
        await asyncio.sleep(0.05)
