"""Requests that are sent more than once."""

from __future__ import annotations

import asyncio
import uuid

from config.crowd.person import Person
from config.crowd.sitting import State


async def twice_at_once(person: Person, state: State) -> bool:
    """The same move twice in the same moment."""
    move = await person.choose(state)
    if move is None:
        await person.move(state, None)
        return True
    key = str(uuid.uuid4())
    first, again = await asyncio.gather(*(person.send(state, move, key) for _ in range(2)))
    person.require_equal("sent twice at once", first, again)
    return True


async def again_later(person: Person, state: State) -> bool:
    """The last move once more, with its key."""
    assert person.last_sent is not None
    path, body, key, first = person.last_sent
    expect = () if first.code is None else (first.code,)
    again = await person.device.post(path, body, key=key, expect=expect)
    person.require_equal("sent again later", first, again)
    return False


async def key_reused(person: Person, state: State) -> bool:
    """The key of the last move for another one."""
    assert person.last_sent is not None
    path, _, key, _ = person.last_sent
    other = {"type": "pass", "turn": 0}
    await person.require_refused("key used again", path, other, ("idempotency_key_reused",), key)
    return False


async def answer_lost(person: Person, state: State) -> bool:
    """The connection breaks before the answer is here; the move is sent again."""
    move = await person.choose(state)
    if move is None:
        await person.move(state, None)
        return True
    key, path = str(uuid.uuid4()), f"{person.sitting.path}moves/"
    lost = await person.device.post_and_hang_up(path, {**move, "turn": state["turn"]}, key=key)
    answer = await person.send(state, move, key)
    person.run.tally.fault("answer lost", answer.word if lost else "came all the same")
    return True


async def dealt_twice(person: Person, state: State) -> bool:
    """The next round asked for twice in the same moment."""
    path, key = f"{person.sitting.path}rounds/", str(uuid.uuid4())
    twice = (person.device.post(path, {"client_seed": key}, key=key) for _ in range(2))
    person.require_equal("dealt twice at once", *await asyncio.gather(*twice))
    return True
