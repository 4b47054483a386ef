"""The verifier finds whatever is changed in a replay, and says what it is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from games.models import Actor
from games.rules.cards import CARD_NAMES
from games.rules.record import FINGERPRINT, fingerprint
from games.rules.registry import VARIANTS
from games.verify.checks import replay_verify
from games.verify.errors import NoReplay, Wrong
from games.verify.shapes import ACTORS
from tests.verifier.recorded import ROUNDS, recorded

Json = dict[str, Any]
Path = tuple[str | int, ...]

# What no seed and no rule tells: only the fingerprint holds it. A bid is among it where another
# one would have been outbid too.
THE_SERVICES_WORD = re.compile(
    r"session_id|number|players\.\d+|started_at|settled_at|fingerprint"
    r"|moves\.\d+\.(actor|policy|created_at|accept_foul|bid)"
)


def refused(replay: Any) -> str:
    with pytest.raises(Wrong) as wrong:
        replay_verify(replay)
    return str(wrong.value)


def forged(replay: Json) -> Json:
    """The replay with a fingerprint that fits, as who changes it on purpose makes it."""
    return {**replay, FINGERPRINT: fingerprint(replay)}


def paths_of(replay: Json) -> list[Path]:
    """All of them, but of the moves those of every fifth."""
    return [path for path in leaves(replay) if path[0] != "moves" or int(path[1]) % 5 == 0]


def leaves(value: Any, path: Path = ()) -> Iterator[Path]:
    """The path of each single value, and of each empty list."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield from leaves(part, (*path, name))
    elif isinstance(value, list) and value:
        for index, part in enumerate(value):
            yield from leaves(part, (*path, index))
    else:
        yield path


def changed(value: Any) -> Any:
    """Another value of the same kind, or something where there was nothing."""
    if value is None or value == []:
        return ["3C"]
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if value in CARD_NAMES:
        return CARD_NAMES[(CARD_NAMES.index(value) + 1) % 52]
    if re.fullmatch("[0-9a-f]{64}", value):
        return f"{(int(value[0], 16) + 1) % 16:x}{value[1:]}"
    return value + "x"


def with_change(replay: Json, path: Path) -> None:
    inner: Any = replay
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = changed(inner[path[-1]])


@pytest.mark.parametrize("name", ROUNDS)
def test_a_round_as_it_was_is_right(name: str) -> None:
    replay = recorded(name)
    verified = replay_verify(replay)
    assert verified.game == replay["game"]
    deals, moves = len(replay["deals"]), len(replay["moves"])
    assert verified.checked == (
        "commitment",
        f"{deals} deal{'s' * (deals > 1)} from the seeds",
        f"{moves} moves",
        "hands",
        "points, working and positions",
        "totals",
        "fingerprint",
    )


def test_the_rounds_cover_every_game_and_every_kind_of_move() -> None:
    replays = [recorded(name) for name in ROUNDS]
    assert {replay["game"] for replay in replays} == set(VARIANTS)
    for game, variant in VARIANTS.items():
        moves = [move for replay in replays if replay["game"] == game for move in replay["moves"]]
        declares = {"declare"} if game == "thirteen" else set()  # a dragon is dealt too rarely
        assert {move["type"] for move in moves} == set(variant.info.move_types) - declares
    assert {len(recorded(name)["deals"]) for name in ROUNDS} == {1, 2, 3}


@pytest.mark.parametrize("name", ROUNDS)
def test_any_single_change_is_found(name: str) -> None:
    paths = paths_of(recorded(name))
    assert len(paths) > 200
    for path in paths:
        replay = recorded(name)
        with_change(replay, path)
        assert refused(replay), path


@pytest.mark.parametrize("name", ROUNDS)
def test_whatever_seeds_and_rules_tell_is_found_though_the_fingerprint_is_forged(
    name: str,
) -> None:
    for path in paths_of(recorded(name)):
        if THE_SERVICES_WORD.fullmatch(".".join(map(str, path))):
            continue
        replay = recorded(name)
        with_change(replay, path)
        try:
            replay_verify(forged(replay))
        except Wrong:
            continue
        pytest.fail(f"{path} is not found")


def first(replay: Json, type: str) -> Json:
    return next(move for move in replay["moves"] if move["type"] == type)


def swap(row: list[Any], one: int, other: int) -> None:
    row[one], row[other] = row[other], row[one]


def renumber(replay: Json) -> None:
    for number, move in enumerate(replay["moves"], start=1):
        move["number"] = number


def swap_two_cards_of_two_hands(replay: Json) -> None:
    hands = replay["deals"][0]["hands"]
    hands[0][0], hands[1][0] = hands[1][0], hands[0][0]


def exchange_cards_everywhere(replay: Json) -> None:
    """Two cards in each other's place in the deck, the hands and the moves alike."""
    one, other = replay["deals"][0]["hands"][0][0], replay["deals"][0]["hands"][1][0]

    def exchanged(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: exchanged(part) for name, part in value.items()}
        if isinstance(value, list):
            return [exchanged(part) for part in value]
        return {one: other, other: one}.get(value, value) if isinstance(value, str) else value

    replay.update(exchanged(replay))


def play_the_card_of_another(replay: Json) -> None:
    move = next(move for move in replay["moves"] if move["type"] == "play")
    hands = replay["deals"][move["deal"] - 1]["hands"]
    move["cards"] = [hands[(move["seat"] + 1) % len(hands)][0]]


def arrange_the_card_of_another(replay: Json) -> None:
    move = first(replay, "arrange")
    hands = replay["deals"][0]["hands"]
    move["back"][0] = hands[(move["seat"] + 1) % len(hands)][0]


def drop_a_move(replay: Json, index: int) -> None:
    del replay["moves"][index]
    renumber(replay)


def double_a_move(replay: Json, index: int) -> None:
    replay["moves"].insert(index, dict(replay["moves"][index]))
    renumber(replay)


def reorder(replay: Json, one: int, other: int) -> None:
    moves = replay["moves"]
    times = [move["created_at"] for move in moves]
    swap(moves, one, other)
    for move, time in zip(moves, times, strict=True):
        move["created_at"] = time
    renumber(replay)


def pay_another(replay: Json) -> None:
    """Points, totals and working, consistently, but for another winner."""
    settlement = replay["settlement"]
    for points in (settlement["points"], settlement["totals"]):
        points[0] += 1
        points[1] -= 1


def no_deal_anew(replay: Json) -> None:
    """The first deal played on as if nobody had called."""
    replay["moves"] = [
        {**move, "deal": move["deal"] - 1} for move in replay["moves"] if move["deal"] > 1
    ]
    replay["deals"] = [{**deal, "deal": deal["deal"] - 1} for deal in replay["deals"][1:]]
    renumber(replay)


CLIMBING = ["big-two-tw", "big-two-hk", "big-two-hk redeal", "dou-dizhu"]
ARRANGING = ["chinese-poker", "thirteen", "thirteen later"]
FORGERIES: list[tuple[str, list[str], Callable[[Json], Any], str]] = [
    ("a hand", CLIMBING + ARRANGING, swap_two_cards_of_two_hands, r"deals\[0\]\.hands\[0\]"),
    (
        "the order of the deck",
        CLIMBING + ARRANGING,
        lambda r: swap(r["deals"][0]["deck"], 3, 4),
        r"deals\[0\]\.deck\[3\] is '..', but by the seeds it is '..'",
    ),
    ("two cards everywhere", CLIMBING + ARRANGING, exchange_cards_everywhere, r"deals\[0\]\.deck"),
    (
        "the second deal",
        ["big-two-hk redeal", "dou-dizhu all pass twice"],
        lambda r: swap(r["deals"][1]["deck"], 0, 1),
        r"deals\[1\]\.deck\[0\]",
    ),
    (
        "the server seed",
        CLIMBING + ARRANGING,
        lambda r: r.update(server_seed="00" * 32),
        "commitment is .* by the SHA-256 of the server seed",
    ),
    (
        "the commitment",
        CLIMBING + ARRANGING,
        lambda r: r.update(commitment="00" * 32),
        "commitment is '0000",
    ),
    (
        "the client seed",
        CLIMBING + ARRANGING,
        lambda r: r.update(client_seed="another"),
        r"deals\[0\]\.(deck|leader|first_bidder|draws)",
    ),
    ("a play", CLIMBING, play_the_card_of_another, r"Move \d+: seat \d may not play so"),
    ("a row", ARRANGING, arrange_the_card_of_another, r"may not arrange so: wrong_cards"),
    (
        "no card at all",
        CLIMBING,
        lambda r: first(r, "play").update(cards=["1X"]),
        r"Move \d+: unknown_card",
    ),
    (
        "the seat of a play",
        CLIMBING,
        lambda r: first(r, "play").update(seat=(first(r, "play")["seat"] + 1) % 3, actor="bot"),
        r"Move \d+: seat \d may not play so: (not_your_turn|card_not_in_hand)",
    ),
    (
        "no such seat",
        CLIMBING + ARRANGING,
        lambda r: r["moves"][-1].update(seat=4),
        "there is no seat 4",
    ),
    (
        "a person on a bot's seat",
        CLIMBING + ARRANGING,
        lambda r: next(m for m in r["moves"] if m["seat"] == 1).update(actor="person"),
        r"person acts for seat 1, which a bot was dealt",
    ),
    ("the first move", [*CLIMBING, "thirteen"], lambda r: drop_a_move(r, 0), "Move|not over"),
    (
        "the last move",
        CLIMBING + ARRANGING,
        lambda r: drop_a_move(r, -1),
        "The round is not over after its last move",
    ),
    ("a move twice", CLIMBING, lambda r: double_a_move(r, 5), r"Move (6|7)"),
    ("the last move twice", CLIMBING + ARRANGING, lambda r: double_a_move(r, -1), r"Move \d+"),
    ("two moves changed over", CLIMBING, lambda r: reorder(r, 4, 5), r"Move 5"),
    (
        "the pattern",
        CLIMBING,
        lambda r: first(r, "play").update(pattern="straight_flush"),
        r"may not play so: ambiguous_pattern",
    ),
    (
        "the pattern of a pass",
        CLIMBING,
        lambda r: first(r, "pass").update(pattern="single"),
        r"Move \d+: pattern is 'single', but by the rules it is None",
    ),
    (
        "the points of two seats",
        CLIMBING + ARRANGING,
        pay_another,
        r"settlement\.points\[0\]",
    ),
    (
        "the totals",
        CLIMBING + ARRANGING,
        lambda r: r["settlement"]["totals"].__setitem__(0, 999),
        r"settlement\.totals\[0\] is 999, but by the totals before and the points",
    ),
    (
        "the positions",
        CLIMBING,
        lambda r: r["settlement"].update(positions=[4, 3, 2, 1]),
        r"settlement\.positions",
    ),
    (
        "the working",
        CLIMBING + ARRANGING,
        lambda r: r["settlement"]["pairs"][0].update(points=99),
        r"settlement\.pairs\[0\]\.points is 99",
    ),
    (
        "the kitty",
        ["dou-dizhu"],
        lambda r: r["deals"][0].update(kitty=["3C", "3D", "3H"]),
        r"deals\[0\]\.kitty\[0\]",
    ),
    (
        "the first bidder",
        ["dou-dizhu"],
        lambda r: r["deals"][0].update(first_bidder=(r["deals"][0]["first_bidder"] + 1) % 3),
        r"deals\[0\]\.first_bidder",
    ),
    (
        "a bid",
        ["dou-dizhu all pass twice"],
        lambda r: first(r, "bid").update(bid=3),
        r"Move \d+: (deal|seat)",
    ),
    (
        "a cut",
        ["thirteen", "thirteen later"],
        lambda r: first(r, "cut").update(position=40),
        r"Move \d+: seat \d may not arrange so: wrong_cards",
    ),
    (
        "the list of cuts",
        ["thirteen", "thirteen later"],
        lambda r: r["deals"][0]["cuts"][0].update(position=40),
        r"deals\[0\]\.cuts\[0\]\.position is 40",
    ),
    (
        "the turned card",
        ["thirteen", "thirteen later"],
        lambda r: r["deals"][0].update(turned_card="3C"),
        r"deals\[0\]\.turned_card",
    ),
    (
        "the leader drawn",
        ["thirteen"],
        lambda r: r["deals"][0].update(leader=(r["deals"][0]["leader"] + 1) % 4),
        r"deals\[0\]\.leader",
    ),
    (
        "the leader of a later round",
        ["thirteen later"],
        lambda r: r["deals"][0].update(leader=3),
        r"Move \d+: seat \d may not",
    ),
    (
        "an answer to a redeal, declined",
        ["big-two-hk redeal"],
        lambda r: first(r, "answer_redeal").update(accept=False),
        r"Move \d+",
    ),
    (
        "an answer to a redeal, accepted",
        ["big-two-hk declined"],
        lambda r: r["moves"][2].update(accept=True),
        r"Move \d+",
    ),
    ("that there was a redeal", ["big-two-hk redeal"], no_deal_anew, r"deals\[0\]\.deck"),
    (
        "a deal more",
        CLIMBING,
        lambda r: r["deals"].append({**r["deals"][-1], "deal": len(r["deals"]) + 1}),
        r"deals\[\d\]\.(deck|first_bidder)",
    ),
    (
        "the rules",
        CLIMBING + ARRANGING,
        lambda r: r.update(rules_revision=99),
        "rules_revision is 99",
    ),
    ("the game", CLIMBING + ARRANGING, lambda r: r.update(game="go-fish"), "no game 'go-fish'"),
]


@pytest.mark.parametrize(
    ("name", "change", "sentence"),
    [
        pytest.param(name, change, sentence, id=f"{what} in {name}")
        for what, names, change, sentence in FORGERIES
        for name in names
    ],
)
def test_a_forgery_is_found_and_named(
    name: str, change: Callable[[Json], Any], sentence: str
) -> None:
    replay = recorded(name)
    change(replay)
    assert replay != recorded(name)
    assert re.search(sentence, refused(forged(replay))), refused(forged(replay))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        pytest.param(
            lambda r: r["moves"][0].update(actor="alien"),
            "moves[0].actor is 'alien', but it must be one of person, bot, clock, autoplay.",
            id="actor",
        ),
        pytest.param(
            lambda r: r.update(started_at="yesterday"),
            "started_at is 'yesterday', but it must be a time like 2026-03-01T09:30:00Z.",
            id="no time",
        ),
        pytest.param(
            lambda r: r.update(started_at="2026-02-30T09:30:00Z"),
            "started_at is '2026-02-30T09:30:00Z', but it must be a time like 2026-03-01T",
            id="no such day",
        ),
        pytest.param(
            lambda r: r.update(settled_at=None),
            "settled_at is None, but it must be a time like 2026-03-01T09:30:00Z.",
            id="no time at all",
        ),
        pytest.param(
            lambda r: r.update(started_at="2026-03-01T09:30:01Z"),
            "moves[0].created_at is 2026-03-01T09:30:00Z, which is before started_at, 2026-03-01T",
            id="a move before the start",
        ),
        pytest.param(
            lambda r: r["moves"][4].update(created_at="2026-03-01T09:30:02Z"),
            "moves[4].created_at is 2026-03-01T09:30:02Z, which is before moves[3].created_at, ",
            id="moves out of order",
        ),
        pytest.param(
            lambda r: r.update(settled_at="2026-03-01T09:29:59Z"),
            "which is before moves[",
            id="settled before it started",
        ),
        pytest.param(
            lambda r: r.update(number=0),
            "number is 0, but it must be a whole number from 1 on.",
            id="number 0",
        ),
        pytest.param(
            lambda r: r.update(number=None),
            "number is None, but it must be a whole number from 1 on.",
            id="number null",
        ),
        pytest.param(
            lambda r: r.update(number=True),
            "number is True, but it must be a whole number from 1 on.",
            id="number true",
        ),
        pytest.param(
            lambda r: r["moves"][0].update(turn=7.0),
            "moves[0].turn is 7.0, but it must be a whole number from 1 on.",
            id="a turn with a point",
        ),
        pytest.param(
            lambda r: r.update(session_id="mine"),
            "session_id is 'mine', but it must be a UUID.",
            id="session",
        ),
        pytest.param(
            lambda r: r.update(commitment=r["commitment"].upper()),
            "but it must be 64 hexadecimal digits.",
            id="capital letters",
        ),
        pytest.param(
            lambda r: r["players"].__setitem__(0, 1),
            "players[0] is 1, but it must be a UUID.",
            id="player",
        ),
        pytest.param(
            lambda r: r["moves"][0].update(policy=1),
            "moves[0].policy is 1, but it must be text.",
            id="policy",
        ),
        pytest.param(
            lambda r: r["moves"][0].update(type="sing"),
            "moves[0].type is 'sing', but it must be one of play, ",
            id="move",
        ),
        pytest.param(lambda r: r.update(more=1), "more is no part of a replay.", id="a field more"),
        pytest.param(
            lambda r: r["moves"][1].update(more=1),
            "moves[1].more is no part of a replay.",
            id="a field more of a move",
        ),
        pytest.param(
            lambda r: r["settlement"].update(more=1),
            "settlement.more is no part of a replay.",
            id="a field more of the settlement",
        ),
        pytest.param(
            lambda r: r["settlement"]["pairs"][0].update(more=1),
            "settlement.pairs[0].more is no part of a replay.",
            id="a field more of a pair",
        ),
        pytest.param(
            lambda r: r["deals"][0].update(more=1),
            "deals[0].more is no part of a replay.",
            id="a field more of a deal",
        ),
        pytest.param(
            lambda r: r["deals"][0].pop("kitty"), "deals[0].kitty is missing.", id="a field less"
        ),
        pytest.param(
            lambda r: r.update(moves={}), "moves is {}, but it must be a list.", id="no list"
        ),
        pytest.param(
            lambda r: r.update(settlement=[]),
            "settlement is [], but it must be an object.",
            id="no object",
        ),
    ],
)
def test_what_no_replay_holds_is_found_though_the_fingerprint_is_forged(
    change: Callable[[Json], Any], sentence: str
) -> None:
    replay = recorded("big-two-tw")
    change(replay)
    assert sentence in refused(forged(replay))


def test_the_actors_are_those_of_the_service() -> None:
    assert sorted(ACTORS) == sorted(Actor.values)


def test_a_seed_that_was_changed_after_the_deal_was_promised_is_found() -> None:
    replay = recorded("big-two-tw")
    promised = replay["commitment"]
    checked = replay_verify(replay, seen_commitment=promised).checked
    assert checked[0] == "commitment, as seen before the deal"
    with pytest.raises(Wrong) as wrong:
        replay_verify(replay, seen_commitment="0" * 64)
    assert str(wrong.value) == (
        f"commitment is '{promised}', but by what was seen before the deal it is '{'0' * 64}'."
    )


@pytest.mark.parametrize(
    ("other", "what"),
    [
        pytest.param(None, "but None", id="null"),
        pytest.param(1, "but 1", id="a number"),
        pytest.param("text", "but 'text'", id="text"),
        pytest.param([], "but []", id="a list"),
        pytest.param({}, "it has no `session_id`", id="nothing"),
        pytest.param({"game": "big-two-tw"}, "it has no `session_id`", id="a game"),
        pytest.param(
            {"status": 404, "code": "not_found"}, "but the problem 'not_found'", id="problem"
        ),
        pytest.param({"status": 404, "code": 3}, "it has no `session_id`", id="no problem"),
    ],
)
def test_what_is_no_replay_is_said_to_be_none(other: Any, what: str) -> None:
    with pytest.raises(NoReplay) as said:
        replay_verify(other)
    assert str(said.value) == f"this is no replay, {what}"


@pytest.mark.parametrize("name", ROUNDS)
def test_a_replay_without_a_part_is_none(name: str) -> None:
    for part in recorded(name):
        replay = recorded(name)
        del replay[part]
        with pytest.raises(NoReplay) as said:
            replay_verify(replay)
        assert str(said.value) == f"this is no replay, it has no `{part}`"


@pytest.mark.parametrize("name", ROUNDS)
def test_a_replay_with_something_else_in_the_place_of_a_part_is_refused(name: str) -> None:
    for part in recorded(name):
        for other in (None, 3, [], {}, "text"):
            replay = recorded(name)
            if replay[part] != other:
                replay[part] = other
                assert refused(replay), (part, other)
