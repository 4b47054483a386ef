"""A session in words."""

from __future__ import annotations

import pytest

from config.playing.wording import Wording, displayed_width, padded, seat_name

UTF_8, ASCII = Wording("utf-8"), Wording("ascii")
MOVE = {"cards": None, "bid": None, "accept": None, "position": None, "pattern": None}
ROWS = {"front": ["2C"], "middle": ["3D"], "back": ["4H"]}


@pytest.mark.parametrize(
    ("wording", "cards", "said"),
    [
        (UTF_8, ["3C", "TD", "2H", "AS"], "3♣ T♦ 2♥ A♠"),
        (UTF_8, ["BJ", "RJ"], "BJ RJ"),
        (ASCII, ["3C", "TD", "2H", "AS"], "3C TD 2H AS"),
        (Wording("big5"), ["3C"], "3C"),
    ],
)
def test_cards(wording, cards, said):
    assert wording.cards(cards) == said


@pytest.mark.parametrize(
    ("wording", "slug", "said"),
    [
        (UTF_8, "big-two-tw", "Big Two (Taiwan) 大老二"),
        (Wording("big5"), "big-two-tw", "Big Two (Taiwan) 大老二"),
        (ASCII, "big-two-tw", "Big Two (Taiwan)"),
        (UTF_8, "a-sixth-game", "a-sixth-game"),
    ],
)
def test_the_game_by_its_name(wording, slug, said):
    assert wording.game(slug) == said


@pytest.mark.parametrize(
    ("move", "said"),
    [
        (
            {"type": "play", "cards": ["3C", "3D"], "pattern": "four_of_a_kind"},
            "3♣ 3♦            four of a kind",
        ),
        ({"type": "play", "cards": ["3C"], "pattern": None}, "3♣"),
        ({"type": "pass"}, "pass"),
        ({"type": "bid", "bid": 2}, "bids 2"),
        ({"type": "bid", "bid": 0}, "does not bid"),
        ({"type": "call_redeal"}, "calls for a redeal"),
        ({"type": "answer_redeal", "accept": True}, "accepts the redeal"),
        ({"type": "answer_redeal", "accept": False}, "declines the redeal"),
        ({"type": "cut", "position": 26}, "cuts at 26"),
        ({"type": "cut", "position": 0}, "does not cut"),
        ({"type": "arrange", **ROWS}, "sets 2♣ | 3♦ | 4♥"),
        ({"type": "declare"}, "declares a special hand"),
        ({"type": "extend"}, "takes more time"),
    ],
)
def test_moves(move, said):
    assert UTF_8.move({**MOVE, **move}) == said


def hand(seat, **shown):
    blank = {"cards": [], "front": None, "middle": None, "back": None, "foul": None}
    return {"seat": seat, **blank, "special": None, **shown}


def test_a_settlement_line_by_line():
    settlement = {
        "points": [-20, 12, 8],
        "totals": [-20, 112, 8],
        "positions": [4, 1, None],
        "spring": "anti_spring",
        "hands": [
            hand(0, cards=["2S"]),
            hand(1, foul=True, **ROWS),
            hand(2, cards=["AS"], special="six_pairs"),
        ],
        "pairs": [
            {
                "from_seat": 0,
                "to_seat": 1,
                "points": 12,
                "reasons": [
                    {"code": "cards_left", "points": 20, "count": 10, "factor": 2},
                    {"code": "row_front", "points": -8, "count": None, "factor": None},
                ],
            },
            {"from_seat": 0, "to_seat": 2, "points": 8, "reasons": []},
        ],
    }
    assert list(UTF_8.settlement(settlement, ["美", "Ann", "B"])) == [
        "美     -20   total    -20   4th  left: 2♠",
        "Ann    +12   total   +112   1st  2♣ | 3♦ | 4♥ (foul)",
        "B       +8   total     +8        A♠ (six pairs)",
        "美 pays Ann 12: cards left +20 (10 x 2); row front -8",
        "美 pays B 8",
        "anti spring",
    ]


def test_chinese_names_take_their_room():
    assert displayed_width("訪客 1234") == 9
    assert padded("訪客", 6) == "訪客  "


def test_names_of_seats():
    mei = {"seat": 0, "player": {"display_name": "Mei"}, "bot_level": None}
    assert (seat_name(mei, 0), seat_name(mei, 1)) == ("Mei (you)", "Mei")
    assert seat_name({"seat": 2, "player": None, "bot_level": "easy"}, 0) == "Bot 2 (easy)"


def test_what_a_terminal_cannot_show_is_replaced():
    assert ASCII.printable("Mei 美 wins") == "Mei ? wins"
