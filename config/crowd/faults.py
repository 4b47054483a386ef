"""What people and bad connections do wrong, and what the service must say to it."""

from __future__ import annotations

import uuid
from typing import Final

from config.crowd.person import DECIDING, HOSTING, WAITING, Fault, Person
from config.crowd.retries import again_later, answer_lost, dealt_twice, key_reused, twice_at_once
from config.crowd.sitting import State
from config.playing.choices import Body, arrangements
from config.playing.errors import require

TOO_LATE: Final = ("stale_turn", "not_your_turn", "round_over")
SLOW_READS: Final = 8
CARDS: Final = [rank + suit for rank in "3456789TJQKA2" for suit in "CDHS"]


def _always(person: Person, state: State) -> bool:
    return True


def _has_sent(person: Person, state: State) -> bool:
    return person.last_sent is not None


async def _stale(person: Person, state: State) -> bool:
    body = {"type": "pass", "turn": state["turn"] - 1}
    path = f"{person.sitting.path}moves/"
    await person.require_refused("stale move", path, body, ("stale_turn", "round_over"))
    return False


async def _wrong(person: Person, state: State) -> bool:
    move, code = _wrong_move(person, state)
    body = {**move, "turn": state["turn"]}
    path = f"{person.sitting.path}moves/"
    await person.require_refused("wrong move", path, body, (code, *TOO_LATE))
    return False


def _wrong_move(person: Person, state: State) -> tuple[Body, str]:
    """A move that cannot be made, and why not."""
    hand = state["you"]["hand"]
    if state["phase"] == "arranging":
        rows = arrangements(hand)[0]
        return {**rows, "front": rows["front"][:2]}, "wrong_row_sizes"
    if state["phase"] != "playing":
        return {"type": "play", "cards": hand[:1]}, "wrong_phase"
    foreign = next(card for card in CARDS if card not in hand)
    return person.rng.choice(
        [
            ({"type": "play", "cards": [hand[0], hand[0]]}, "duplicate_card"),
            ({"type": "play", "cards": ["3c"]}, "unknown_card"),
            ({"type": "play", "cards": [foreign]}, "card_not_in_hand"),
        ]
    )


def _may_be_slow(person: Person, state: State) -> bool:
    return person.sitting.has_short_turns


async def _slow(person: Person, state: State) -> bool:
    person.run.tally.fault("let the time run out", f"{person.sitting.turn_seconds} s")
    return True


async def _autoplay(person: Person, state: State) -> bool:
    await person.set_autoplay(enabled=True)
    person.run.tally.fault("autoplay", "on")
    return True


async def _look_around(person: Person, state: State) -> bool:
    path = person.sitting.path
    unseen = await person.device.get(f"{path}unseen/", expect=("round_over",))
    for rest in ("moves/", "hint/", "legal-plays/", ""):
        await person.device.get(f"{path}{rest}")
    preview = {"type": "play", "cards": state["you"]["hand"][:1], "turn": state["turn"]}
    await person.device.post(f"{path}moves/preview/", preview)
    person.run.tally.fault("looked at everything", unseen.word)
    return False


async def _killed(person: Person, state: State) -> bool:
    sight = person.sight
    await sight.stop_following()
    await person.think()
    known = sight.version
    found = (await person.device.get("players/me/resume/")).body["results"]
    own = [entry for entry in found if entry["session"]["id"] == person.sitting.id]
    if own:
        require(
            len(own) == 1 and own[0]["version"] >= known,
            f"To resume session {person.sitting.id} after version {known} one gets {own}.",
        )
    else:
        now = await sight.look()
        require(
            now["status"] == "finished" or now["you"] is None,
            f"Session {person.sitting.id} is {now['status']}, and not among those to resume.",
        )
    person.run.tally.fault("app killed", "resumed" if own else "finished or removed")
    person.open_app()
    return False


async def _reads_slowly(person: Person, state: State) -> bool:
    person.sight.slow_reads, person.sight.slowness = SLOW_READS, person.run.scene.think
    person.run.tally.fault("read slowly", f"{SLOW_READS} events")
    return False


def _streams(person: Person, state: State) -> bool:
    return person.sight.streams


async def _leave(person: Person) -> bool:
    """Whether the person has got up."""
    await person.sight.stop_following()
    path = f"{person.sitting.path}leave/"
    answer = await person.device.post(path, {}, expect=("session_finished",))
    person.run.tally.fault("left", answer.word)
    person.has_left = answer.code is None
    if not person.has_left:
        person.open_app()
    return person.has_left


async def _left_for_good(person: Person, state: State) -> bool:
    await _leave(person)
    return True


async def _left_and_came_back(person: Person, state: State) -> bool:
    if not await _leave(person):
        return True
    await person.think()
    answer = await person.device.post(
        f"{person.sitting.path}join/",
        {},
        expect=("round_running", "table_full", "session_finished"),
    )
    person.run.tally.fault("came back", answer.word)
    if answer.code is None:
        person.has_left = False
        await person.sight.look()
        person.open_app()
    return True


def _is_others_turn(person: Person, state: State) -> bool:
    you = state["you"]
    own_turn = you is None or you["seat"] in state["to_act"]
    return state["status"] == "playing" and state["phase"] == "playing" and not own_turn


async def _out_of_turn(person: Person, state: State) -> bool:
    body = {"type": "play", "cards": state["you"]["hand"][:1], "turn": state["turn"]}
    codes = (*TOO_LATE, "wrong_phase")
    await person.require_refused("out of turn", f"{person.sitting.path}moves/", body, codes)
    return True


def _has_arranged(person: Person, state: State) -> bool:
    you = state["you"]
    return bool(you and you["arrangement"] and "arrange" in you["actions"])


async def _arranged_anew(person: Person, state: State) -> bool:
    rows = {row: state["you"]["arrangement"][row] for row in ("front", "middle", "back")}
    if rows["front"]:
        answer = await person.send(state, {"type": "arrange", **rows}, str(uuid.uuid4()))
        person.run.tally.fault("arranged anew", answer.word)
    return True


def _is_guest(person: Person, state: State) -> bool:
    return state["status"] in ("lobby", "between_rounds")


async def _not_host(person: Person, state: State) -> bool:
    codes = ("not_host", "session_finished")
    await person.require_refused("not the host", f"{person.sitting.path}finish/", {}, codes)
    return True


def _others(person: Person, state: State) -> list[int]:
    seats = [seat["seat"] for seat in state["seats"] if seat["kind"] == "human"]
    return [seat for seat in seats if seat != state["you"]["seat"]]


def _has_company(person: Person, state: State) -> bool:
    return state["status"] == "between_rounds" and bool(_others(person, state))


async def _removed(person: Person, state: State) -> bool:
    seat = person.rng.choice(_others(person, state))
    path = f"{person.sitting.path}seats/{seat}/"
    answer = await person.device.patch(path, {"kind": person.rng.choice(["open", "bot"])})
    person.run.tally.fault("removed somebody", answer.word)
    return False


def _is_between_rounds(person: Person, state: State) -> bool:
    return bool(state["status"] == "between_rounds")


FAULTS: Final = {
    DECIDING: (
        Fault("sent twice at once", _always, twice_at_once),
        Fault("sent again later", _has_sent, again_later),
        Fault("key used again", _has_sent, key_reused),
        Fault("answer lost", _always, answer_lost),
        Fault("stale move", _always, _stale),
        Fault("wrong move", _always, _wrong),
        Fault("let the time run out", _may_be_slow, _slow),
        Fault("autoplay", _always, _autoplay),
        Fault("looked at everything", _always, _look_around),
        Fault("app killed", _always, _killed),
        Fault("read slowly", _streams, _reads_slowly),
        Fault("left", _always, _left_for_good),
        Fault("came back", _always, _left_and_came_back),
    ),
    WAITING: (
        Fault("out of turn", _is_others_turn, _out_of_turn),
        Fault("arranged anew", _has_arranged, _arranged_anew),
        Fault("not the host", _is_guest, _not_host),
        Fault("app killed", _always, _killed),
    ),
    HOSTING: (
        Fault("removed somebody", _has_company, _removed),
        Fault("dealt twice at once", _is_between_rounds, dealt_twice),
    ),
}
