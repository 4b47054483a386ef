"""Dou Dizhu, clause by clause (rule book, section 3; cases R3-R10)."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from games.rules.cards import DECK_54, SUITS, Card, CardSet, card_set, cards_in
from games.rules.climbing.trick import Trick, new_trick
from games.rules.dealing import NumberStream
from games.rules.engine import replay, submit
from games.rules.errors import (
    AmbiguousPattern,
    BidTooLow,
    CardNotInHand,
    DoesNotBeat,
    DuplicateCard,
    MustLead,
    NotAPattern,
    NotYourTurn,
    RoundOver,
    RuleViolation,
    WrongPattern,
    WrongPhase,
)
from games.rules.moves import Bid, Move, Pass, Play, parse_cards
from games.rules.outcome import Ending, Reason, Transfer
from games.rules.variant import BiddingView, Deal, Phase, PlayView, StakeView
from games.rules.variants.dou_dizhu import DOU_DIZHU
from games.rules.variants.dou_dizhu.config import DouDizhuConfig, WingRules
from games.rules.variants.dou_dizhu.patterns import PATTERNS, Reading, beats
from games.rules.variants.dou_dizhu.ranks import rank_counts, rank_of
from games.rules.variants.dou_dizhu.settlement import settle
from games.rules.variants.dou_dizhu.state import Bidding, DouDizhuState
from games.rules.variants.dou_dizhu.variant import DouDizhu

LANDLORD, FARMER, OTHER_FARMER = 0, 1, 2
KITTY = card_set(parse_cards(("3C", "3D", "3H")))

SHORT_JOKERS = {"b": "BJ", "r": "RJ"}


def cards(names: str) -> tuple[Card, ...]:
    return parse_cards(names.split())


def ranked(ranks: str) -> tuple[Card, ...]:
    """Cards of these ranks in some suits; the jokers are `b` and `r`."""
    seen = dict.fromkeys(ranks, 0)
    names = []
    for rank in ranks:
        names.append(SHORT_JOKERS.get(rank) or rank + SUITS[seen[rank]])
        seen[rank] += 1
    return parse_cards(names)


def readings_of(names: str) -> list[tuple[str, int]]:
    """The patterns and ranks of these cards."""
    return [(r.pattern, r.rank) for r in DOU_DIZHU.readings(card_set(cards(names)))]


def rank(name: str) -> int:
    return "3456789TJQKA2br".index(name)


def leading(
    *hands: str, play_counts: tuple[int, int, int] = (0, 0, 0), bid: int = 1
) -> DouDizhuState:
    """The landlord, seat 0, leads with these hands."""
    return DouDizhuState(
        Bidding(1, KITTY, LANDLORD, ((0, bid), (1, 0), (2, 0)), LANDLORD),
        tuple(card_set(cards(hand)) for hand in hands),
        new_trick(LANDLORD),
        play_counts=play_counts,
        phase=Phase.PLAYING,
        decisions=3,
    )


def after(state: DouDizhuState, *plays: str) -> DouDizhuState:
    """The state after these plays of the seats in turn; an empty one is a pass."""
    for names in plays:
        (seat,) = DOU_DIZHU.to_act(state)
        state = submit(DOU_DIZHU, state, seat, Play(cards(names)) if names else Pass())
    return state


def refused(state: DouDizhuState, seat: int, move: Move) -> RuleViolation:
    """The refusal of this move, which left the state as it was."""
    before = DouDizhuState(*state)
    with pytest.raises(RuleViolation) as refusal:
        submit(DOU_DIZHU, state, seat, move)
    assert state == before
    return refusal.value


# -- patterns


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        pytest.param(
            "3C 3D 3H 4C 4D 4H 5C 5D 5H 6C 6D 7S",
            [("airplane_with_singles", rank("5"))],
            id="R5 wings of one pair and one card",
        ),
        pytest.param(
            "6C 6D 6H 7C 7D 7H 8C 8D 8H 4C 4D 5S",
            [("airplane_with_singles", rank("8"))],
            id="R5 wings below",
        ),
        pytest.param(
            "3C 3D 3H 4C 4D 4H 5C 5D 6C 6D",
            [("airplane_with_pairs", rank("4"))],
            id="R5 pair wings",
        ),
        pytest.param("AC 2D 3H 4S 5C", [], id="R6 ace low"),
        pytest.param("2C 3D 4H 5S 6C", [], id="R6 two low"),
        pytest.param("AC AD 2C 2D 3C 3D", [], id="R6 pairs round the corner"),
        pytest.param("AC AD AH 2C 2D 2H", [], id="R6 twos in an airplane"),
        pytest.param("TC JD QH KS AC", [("straight", rank("A"))], id="R6 straight to the ace"),
        pytest.param("QC QD KC KD AC AD", [("pair_chain", rank("A"))], id="R6 pairs to the ace"),
        pytest.param("3C 4C 4D 4H 5C 5D 5H 5S", [], id="R7 fourth card as a wing"),
        pytest.param("3C 3D 3H 3S 4C 4D 4H 4S", [], id="R7 two fours"),
        pytest.param(
            "5C 5D 5H 6C 6D 6H 7C 7D 7H 8C 8D 8H",
            [("airplane", rank("8")), ("airplane_with_singles", rank("8"))],
            id="R7 four triples",
        ),
        pytest.param(
            "3C 3D 3H 4C 4D 4H 5C 5D 5H 9C 9D 9H",
            [("airplane_with_singles", rank("5"))],
            id="a triple of wings apart from the chain",
        ),
        pytest.param(
            "QC QD QH KC KD KH AC AD AH 2C 2D 2H",
            [("airplane_with_singles", rank("A"))],
            id="twos can be wings only",
        ),
        pytest.param("3C 3D 3H 4C 4D 4H BJ RJ", [("airplane_with_singles", 1)], id="joker wings"),
        pytest.param("3C 3D 3H BJ RJ", [], id="jokers are no pair wing"),
        pytest.param("3C 3D 3H 3S BJ RJ", [("four_with_singles", 0)], id="four with both jokers"),
        pytest.param("3C 3D 3H 3S 5C 5D", [("four_with_singles", 0)], id="four with a pair"),
        pytest.param("3C 3D 3H 3S 5C 5D 6C 6D", [("four_with_pairs", 0)], id="four with pairs"),
        pytest.param("3C 3D 3H 3S 5C 5D 6C 7D", [], id="four with a pair and two singles"),
        pytest.param("3C 3D 3H 3S 5C", [], id="four with one card"),
        pytest.param("3C 3D 3H 3S", [("bomb", 0)], id="bomb, and no triple with single"),
        pytest.param("BJ RJ", [("rocket", rank("r"))], id="rocket, and no pair"),
        pytest.param("3C BJ", [], id="a joker makes no pair"),
        pytest.param("3C 4D 5H 6S", [], id="four in a row"),
        pytest.param("3C 3D 4C 4D", [], id="two pairs in a row"),
        pytest.param("TC JD QH KS AC 2D", [], id="two above the ace"),
    ],
)
def test_readings(names: str, expected: list[tuple[str, int]]) -> None:
    assert readings_of(names) == expected
    in_other_order = names.split()
    random.Random(1).shuffle(in_other_order)
    assert readings_of(" ".join(in_other_order)) == expected


def test_cards_without_a_play() -> None:
    assert DOU_DIZHU.readings(0) == ()
    assert DOU_DIZHU.readings(card_set(DECK_54)) == ()


@pytest.mark.parametrize(
    ("ranks", "pattern", "length", "top"),
    [
        pytest.param("3456789TJQKA", "straight", 12, "A", id="longest straight"),
        pytest.param("33445566778899TTJJQQ", "pair_chain", 10, "Q", id="longest pair chain"),
        pytest.param("333444555666777888", "airplane", 6, "8", id="longest airplane"),
        pytest.param(
            "33344455566677788899", "airplane_with_singles", 5, "8", id="read at the highest rank"
        ),
        pytest.param("33344455566677788992", "airplane_with_singles", 5, "7", id="five wings"),
        pytest.param("33344455566677889922", "airplane_with_pairs", 4, "6", id="four pair wings"),
        pytest.param("3334445555666", "", 0, "", id="a four breaks the chain"),
        pytest.param("3334445556667777", "airplane_with_singles", 4, "6", id="a four as wings"),
    ],
)
def test_long_plays(ranks: str, pattern: str, length: int, top: str) -> None:
    expected = (Reading(pattern, length, rank(top)),) if pattern else ()
    found = DOU_DIZHU.readings(card_set(ranked(ranks)))
    assert found[:1] == expected


@pytest.mark.parametrize(
    ("play", "on", "expected"),
    [
        pytest.param("4", "3", True, id="higher single"),
        pytest.param("3", "3", False, id="equal single"),
        pytest.param("r", "b", True, id="big joker on small"),
        pytest.param("b", "2", True, id="joker on two"),
        pytest.param("b", "r", False, id="small joker on big"),
        pytest.param("br", "22", True, id="rocket on twos"),
        pytest.param("br", "2222", True, id="rocket on a bomb"),
        pytest.param("2222", "br", False, id="R4 bomb on the rocket"),
        pytest.param("br", "34567", True, id="R4 rocket on a straight"),
        pytest.param("22", "22", False, id="R4 equal twos"),
        pytest.param("3333", "2222", False, id="lower bomb"),
        pytest.param("4444", "3333", True, id="higher bomb"),
        pytest.param("3333", "AAAKKK22", True, id="bomb on an airplane"),
        pytest.param("333345", "222", False, id="a four with wings is no bomb"),
        pytest.param("4444AA", "333322", True, id="wings never count"),
        pytest.param("444433", "555566", False, id="four with wings by the four"),
        pytest.param("45678", "34567", True, id="higher straight"),
        pytest.param("456789", "34567", False, id="longer straight"),
        pytest.param("4443", "333A", True, id="triple by its rank"),
        pytest.param("44433", "333A", False, id="pair wing on single wing"),
        pytest.param("444555", "333344", False, id="six cards of another pattern"),
    ],
)
def test_beats(play: str, on: str, expected: bool) -> None:
    (played,) = DOU_DIZHU.readings(card_set(ranked(play)))
    (laid,) = DOU_DIZHU.readings(card_set(ranked(on)))
    assert beats(played, laid) is expected


# -- plays: the list and the validation are one truth


def all_subsets(hand: tuple[Card, ...]) -> list[CardSet]:
    subsets = [0]
    for card in hand:
        subsets += [subset | 1 << card for subset in subsets]
    return subsets


@pytest.mark.parametrize(
    "ranks",
    [
        pytest.param("3334445556666", id="ambiguous triples below a four"),
        pytest.param("333444555666b", id="ambiguous triples"),
        pytest.param("QQQKKKAAA222r", id="triples up to the twos"),
        pytest.param("3333444455br", id="fours and the rocket"),
        pytest.param("3456789TJQKA2", id="one long straight"),
        pytest.param("334455667788b", id="pairs"),
        pytest.param("3335557779992", id="no chain"),
    ],
)
@pytest.mark.parametrize(
    "on",
    [
        "",
        "3",
        "33",
        "333",
        "3334",
        "33344",
        "34567",
        "334455",
        "333444",
        "33344455567T",
        "33344456",
        "3334445566",
        "333345",
        "33334455",
        "333444555666",
        "3333",
        "2222",
        "br",
    ],
)
def test_listed_plays_are_all_that_may_be_played(ranks: str, on: str) -> None:
    """Every set of cards of the hand, classified and compared, against the list."""
    hand = ranked(ranks)
    laid = DOU_DIZHU.readings(card_set(ranked(on)))[0] if on else None
    expected = {
        (rank_counts(subset), reading.pattern)
        for subset in all_subsets(hand)
        for reading in DOU_DIZHU.readings(subset)
        if laid is None or beats(reading, laid)
    }
    groups = DOU_DIZHU.play_groups(card_set(hand), laid)
    listed = [(counts, pattern) for pattern, plays in groups for counts in plays]
    assert len(set(listed)) == len(listed)
    assert set(listed) == expected


def test_plays_come_weakest_first() -> None:
    hand = card_set(ranked("3334445556667777br"))
    groups = DOU_DIZHU.play_groups(hand)
    order = [PATTERNS.index(pattern) for pattern, _ in groups]
    assert order == sorted(order)
    plays = list(DOU_DIZHU.plays(hand))
    assert plays[0] == Play(cards("3C"))
    assert plays[-2:] == [Play(cards("7C 7D 7H 7S")), Play(cards("BJ RJ"))]


def test_plays_show_the_lowest_suits_of_the_hand() -> None:
    hand = card_set(cards("4D 4H 4S BJ"))
    assert [play.cards for play in DOU_DIZHU.plays(hand)] == [
        cards("4D"),
        cards("BJ"),
        cards("4D 4H"),
        cards("4D 4H 4S"),
        cards("4D 4H 4S BJ"),
    ]


def test_only_cards_with_several_patterns_name_theirs() -> None:
    hand = card_set(ranked("333444555666"))
    named = [(play.cards, play.pattern) for play in DOU_DIZHU.plays(hand) if play.pattern]
    whole = cards_in(hand)
    assert named == [(whole, "airplane"), (whole, "airplane_with_singles")]


@pytest.mark.parametrize("seed", range(30))
def test_play_accepts_exactly_the_legal_moves(seed: int) -> None:
    """Random sets of cards that may name a pattern: those are accepted that are listed."""
    rng = random.Random(seed)
    state = DOU_DIZHU.start(DOU_DIZHU.deal(NumberStream(bytes([seed]) * 32, "", 1), 1, {}))
    while DOU_DIZHU.outcome(state) is None:
        (seat,) = DOU_DIZHU.to_act(state)
        moves = list(DOU_DIZHU.legal_moves(state, seat))
        after_moves = [submit(DOU_DIZHU, state, seat, move) for move in moves]
        if state.phase is Phase.PLAYING:
            listed = {
                (rank_counts(card_set(move.cards)), DOU_DIZHU.pattern_of(state, seat, move))
                for move in moves
                if isinstance(move, Play)
            }
            hand = cards_in(state.hands[seat])
            for _ in range(20):
                tried = tuple(rng.sample(hand, rng.randint(1, min(6, len(hand)))))
                pattern = rng.choice((None, None, *PATTERNS))
                try:
                    submit(DOU_DIZHU, state, seat, Play(tried, pattern))
                except RuleViolation:
                    readings = {
                        (rank_counts(card_set(tried)), reading.pattern)
                        for reading in DOU_DIZHU.readings(card_set(tried))
                        if pattern in (None, reading.pattern)
                    }
                    assert not readings & listed
                else:
                    read = DOU_DIZHU.pattern_of(state, seat, Play(tried, pattern))
                    assert (rank_counts(card_set(tried)), read) in listed
        state = rng.choice(after_moves)


# -- tricks


def test_r3_bombs_on_a_pair_double_the_stake_once_each() -> None:
    state = leading("QC QD 2C 2D 9C 9D 9H 9S", "8C 8D 8H 8S 3C", "3D")
    state = after(state, "QC QD", "8C 8D 8H 8S", "")
    assert isinstance(refused(state, LANDLORD, Play(cards("2C 2D"))), WrongPattern)
    assert DOU_DIZHU.view(state, None).stake == StakeView(bid=1, doublings=1, value=20)
    state = after(state, "9C 9D 9H 9S")
    assert DOU_DIZHU.view(state, None).stake == StakeView(bid=1, doublings=2, value=40)


def test_bomb_that_is_too_low() -> None:
    state = after(leading("9C 9D 9H 9S 3S", "8C 8D 8H 8S 3C", "3D"), "9C 9D 9H 9S")
    refusal = refused(state, FARMER, Play(cards("8C 8D 8H 8S")))
    assert isinstance(refusal, DoesNotBeat)
    assert refusal.facts == {
        "pattern": "bomb",
        "to_beat": {"seat": 0, "cards": ["9C", "9D", "9H", "9S"], "pattern": "bomb"},
    }


def test_r4_rocket_on_a_straight_doubles_and_is_beaten_by_nothing() -> None:
    state = leading("3C 4D 5H 6S 7C 9C", "BJ RJ 3D", "2C 2D 2H 2S 4C")
    state = after(state, "3C 4D 5H 6S 7C", "BJ RJ")
    assert DOU_DIZHU.view(state, None).stake == StakeView(bid=1, doublings=1, value=20)
    assert isinstance(refused(state, OTHER_FARMER, Play(cards("2C 2D 2H 2S"))), DoesNotBeat)
    assert list(DOU_DIZHU.legal_moves(state, OTHER_FARMER)) == [Pass()]


def test_r4_equal_twos() -> None:
    state = after(leading("2C 2D 3C", "2H 2S 4C", "5C"), "2C 2D")
    assert isinstance(refused(state, FARMER, Play(cards("2H 2S"))), DoesNotBeat)


def test_r5_airplane_with_pairs_is_followed() -> None:
    state = leading("3C 3D 3H 4C 4D 4H 5C 5D 6C 6D 2C", "7C 7D 7H 8C 8D 8H 9C 9D TC TD 2D", "2H 2S")
    state = after(state, "3C 3D 3H 4C 4D 4H 5C 5D 6C 6D", "7C 7D 7H 8C 8D 8H 9C 9D TC TD")
    assert state.trick is not None
    assert state.trick.reading == Reading("airplane_with_pairs", 2, rank("8"))


def test_seats_that_passed_may_play_again_in_the_trick() -> None:
    state = after(leading("3C 6C 9C", "5C 8C 9D", "4C 7C 9H"), "3C", "", "4C", "6C", "8C", "", "")
    assert DOU_DIZHU.to_act(state) == {FARMER}
    assert DOU_DIZHU.actions(state, FARMER) == ("play",)
    assert state.trick == new_trick(FARMER)
    assert isinstance(refused(state, FARMER, Pass()), MustLead)


AMBIGUOUS = "5C 5D 5H 6C 6D 6H 7C 7D 7H 8C 8D 8H"


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        pytest.param(None, Reading("airplane", 4, rank("8")), id="unnamed"),
        pytest.param("airplane", Reading("airplane", 4, rank("8")), id="airplane"),
        pytest.param(
            "airplane_with_singles",
            Reading("airplane_with_singles", 3, rank("8")),
            id="airplane with singles",
        ),
    ],
)
def test_a_lead_is_read_as_it_names(pattern: str | None, expected: Reading) -> None:
    state = leading(AMBIGUOUS + " 2C", "3C", "4C")
    move = Play(cards(AMBIGUOUS), pattern)
    assert DOU_DIZHU.pattern_of(state, LANDLORD, move) == expected.pattern
    state = submit(DOU_DIZHU, state, LANDLORD, move)
    assert state.trick is not None
    assert state.trick.reading == expected


HIGHER = "7C 7D 7H 8C 8D 8H 9C 9D 9H TC TD TH"


def on_airplane_with_singles() -> DouDizhuState:
    """The farmer may follow an airplane of 3-4-5 with single wings by four triples or a bomb."""
    hands = (cards("JC"), cards(f"{HIGHER} QC QD QH QS"), cards("JD"))
    laid = PlayView(LANDLORD, cards("3C 3D 3H 4C 4D 4H 5C 5D 5H 2C 2D 2H"), "airplane_with_singles")
    return DouDizhuState(
        Bidding(1, KITTY, LANDLORD, ((0, 1), (1, 0), (2, 0)), LANDLORD),
        tuple(map(card_set, hands)),
        Trick(LANDLORD, FARMER, (laid,), laid, Reading("airplane_with_singles", 3, rank("5"))),
        play_counts=(1, 0, 0),
        phase=Phase.PLAYING,
    )


@pytest.mark.parametrize("pattern", [None, "airplane_with_singles"])
def test_four_triples_follow_an_airplane_with_singles(pattern: str | None) -> None:
    state = submit(DOU_DIZHU, on_airplane_with_singles(), FARMER, Play(cards(HIGHER), pattern))
    assert state.trick is not None
    assert state.trick.reading == Reading("airplane_with_singles", 3, rank("T"))


def test_a_follow_may_name_the_bomb() -> None:
    state = on_airplane_with_singles()
    state = submit(DOU_DIZHU, state, FARMER, Play(cards("QC QD QH QS"), "bomb"))
    assert state.bombs == 1


@pytest.mark.parametrize(
    ("move", "refusal", "facts"),
    [
        pytest.param(
            Play(cards(HIGHER), "airplane"),
            WrongPattern,
            {"pattern": "airplane"},
            id="named as another pattern than the trick's",
        ),
        pytest.param(
            Play(cards(HIGHER), "bomb"),
            AmbiguousPattern,
            {"pattern": "bomb", "readings": ["airplane", "airplane_with_singles"]},
            id="named as what it is not",
        ),
        pytest.param(
            Play(cards("8D 7C 7D")), NotAPattern, {"cards": ["7C", "7D", "8D"]}, id="none"
        ),
        pytest.param(Play((16, 16)), DuplicateCard, {"card": "7C"}, id="one card twice"),
        pytest.param(Play(()), NotAPattern, {"cards": []}, id="no cards"),
        pytest.param(
            Play(cards("7C JC JS"), "pair"),
            CardNotInHand,
            {"cards": ["JC", "JS"]},
            id="cards of others come before all else",
        ),
        pytest.param(Play(cards("7C")), WrongPattern, {"pattern": "single"}, id="too few cards"),
        pytest.param(Bid(3), WrongPhase, {"phase": "playing", "type": "bid"}, id="bid in play"),
    ],
)
def test_refused_follows(
    move: Move, refusal: type[RuleViolation], facts: dict[str, object]
) -> None:
    raised = refused(on_airplane_with_singles(), FARMER, move)
    assert type(raised) is refusal
    assert facts.items() <= raised.facts.items()


def test_refused_out_of_turn_and_after_the_end() -> None:
    state = leading("3C", "4C 5C", "6C")
    refusal = refused(state, OTHER_FARMER, Play(cards("6C")))
    assert isinstance(refusal, NotYourTurn)
    assert refusal.facts == {"seat": 2, "to_act": [0]}
    assert isinstance(refused(after(state, "3C"), FARMER, Play(cards("4C"))), RoundOver)


# -- bidding


def bidding(*bids: int, first_bidder: int = 1, deal: int = 1) -> DouDizhuState:
    """The state after these bids, of the ordered deck."""
    dealt = Deal(DECK_54, {"deal": deal, "first_bidder": first_bidder})
    moves = [((first_bidder + number) % 3, Bid(bid)) for number, bid in enumerate(bids)]
    return replay(DOU_DIZHU, dealt, moves)


@pytest.mark.parametrize(
    ("bids", "open_bids"),
    [
        pytest.param((), [0, 1, 2, 3], id="first"),
        pytest.param((0,), [0, 1, 2, 3], id="after a pass"),
        pytest.param((1,), [0, 2, 3], id="after 1"),
        pytest.param((0, 2), [0, 3], id="after 2"),
        pytest.param((3,), None, id="3 ends it"),
    ],
)
def test_open_bids(bids: tuple[int, ...], open_bids: list[int] | None) -> None:
    state = bidding(*bids)
    seat = (1 + len(bids)) % 3
    if open_bids is None:
        assert state.phase is Phase.PLAYING
        return
    assert DOU_DIZHU.actions(state, seat) == ("bid",)
    assert list(DOU_DIZHU.legal_moves(state, seat)) == [Bid(bid) for bid in open_bids]
    for bid in {-1, 0, 1, 2, 3, 4} - set(open_bids):
        refusal = refused(state, seat, Bid(bid))
        assert isinstance(refusal, BidTooLow)
        assert refusal.facts == {"bid": bid, "highest": max(bids, default=0)}
    assert isinstance(refused(state, seat, Pass()), WrongPhase)


def test_r8_all_pass() -> None:
    state = bidding(0, 0, 0, deal=2)
    outcome = DOU_DIZHU.outcome(state)
    assert outcome is not None
    assert outcome.ending is Ending.REDEAL
    assert outcome.points == (0, 0, 0)
    assert outcome.transfers == ()
    assert DOU_DIZHU.to_act(state) == frozenset()
    assert [seat for seat, _ in state.bidding.bids] == [1, 2, 0]
    for seat in range(3):
        view = DOU_DIZHU.view(state, seat)
        assert (view.phase, view.kitty, view.deal) == (Phase.SETTLED, None, 2)
    assert isinstance(refused(state, 1, Bid(1)), RoundOver)
    deals = [DOU_DIZHU.deal(NumberStream(bytes(32), "", number), number, {}) for number in (1, 2)]
    assert deals[0].deck != deals[1].deck
    assert [deal.setup["deal"] for deal in deals] == [1, 2]


def test_r9_one_bid_ends_the_bidding_when_all_have_bid() -> None:
    state = bidding(1, 0, 0)
    assert state.phase is Phase.PLAYING
    assert DOU_DIZHU.to_act(state) == {1}
    for viewer in (None, 0, 1, 2):
        view = DOU_DIZHU.view(state, viewer)
        assert view.kitty == cards("2S BJ RJ")
        assert [seat.cards_left for seat in view.seats] == [17, 20, 17]
        assert [seat.role for seat in view.seats] == ["farmer", "landlord", "farmer"]
        assert view.stake == StakeView(bid=1, doublings=0, value=10)
        assert view.bidding == BiddingView(((1, 1), (2, 0), (0, 0)), 1)
    assert set(cards("2S BJ RJ")) <= set(cards_in(state.hands[1]))


def test_kitty_is_hidden_during_the_bidding() -> None:
    state = bidding(1)
    for viewer in (None, 0, 1, 2):
        view = DOU_DIZHU.view(state, viewer)
        assert view.kitty is None
        assert view.stake is None
        assert view.trick is None
        assert [seat.role for seat in view.seats] == [None, None, None]
        assert [seat.cards_left for seat in view.seats] == [17, 17, 17]
        assert view.to_act == (2,)
        assert view.you is None if viewer is None else view.you is not None
    own = DOU_DIZHU.view(state, 2).you
    assert own is not None
    assert own.hand == tuple(DECK_54[2:51:3])
    other = DOU_DIZHU.view(state, 0).you
    assert other is not None
    assert other.actions == ()


def test_cards_that_a_viewer_does_not_see_change_no_view() -> None:
    state = bidding(2, 0)
    swapped = state._replace(
        hands=(state.hands[0], state.hands[2], state.hands[1]),
        bidding=state.bidding._replace(kitty=card_set(cards("3C 4C 5C"))),
    )
    assert DOU_DIZHU.view(swapped, 0) == DOU_DIZHU.view(state, 0)
    assert DOU_DIZHU.view(swapped, None) == DOU_DIZHU.view(state, None)


def test_three_bots_that_never_bid_leave_the_deal_number_to_the_policy() -> None:
    assert DOU_DIZHU.view(bidding(deal=3), 0).deal == 3


# -- settlement


@pytest.mark.parametrize(
    ("winner", "play_counts", "points", "spring"),
    [
        pytest.param(FARMER, (1, 6, 2), (-40, 20, 20), "anti_spring", id="one lead and no more"),
        pytest.param(FARMER, (2, 6, 0), (-20, 10, 10), None, id="landlord played twice"),
        pytest.param(LANDLORD, (7, 0, 0), (40, -20, -20), "spring", id="no farmer ever played"),
        pytest.param(LANDLORD, (7, 0, 1), (20, -10, -10), None, id="one farmer played"),
    ],
)
def test_r10_springs(
    winner: int, play_counts: tuple[int, int, int], points: tuple[int, ...], spring: str | None
) -> None:
    # One play before the end, the winner to lead.
    counts = tuple(count - (seat == winner) for seat, count in enumerate(play_counts))
    hands = ["4C 5C", "4D 5D", "4H 5H"]
    hands[winner] = "3S"
    state = leading(*hands)._replace(play_counts=counts, trick=new_trick(winner))
    outcome = DOU_DIZHU.outcome(after(state, "3S"))
    assert outcome is not None
    assert (outcome.winner, outcome.points, outcome.spring) == (winner, points, spring)
    assert DOU_DIZHU.outcome(state) is None


def test_landlord_who_goes_out_with_the_opening_lead_makes_a_spring() -> None:
    outcome = settle(DOU_DIZHU.config, bid=3, landlord=2, winner=2, play_counts=(0, 0, 1), bombs=0)
    assert (outcome.points, outcome.spring) == ((-60, -60, 120), "spring")


def test_working_of_a_settlement() -> None:
    outcome = settle(DOU_DIZHU.config, bid=2, landlord=1, winner=0, play_counts=(5, 1, 4), bombs=2)
    reasons = (
        Reason("bid", 20, count=2, factor=10),
        Reason("bombs", 60, count=2, factor=4),
        Reason("anti_spring", 80, factor=2),
    )
    assert outcome.points == (160, -320, 160)
    assert outcome.transfers == (Transfer(1, 0, 160, reasons), Transfer(1, 2, 160, reasons))


def test_stake_of_a_settled_round_counts_the_spring() -> None:
    state = after(leading("3S", "4D", "4H", bid=2), "3S")
    view = DOU_DIZHU.view(state, FARMER)
    assert view.stake == StakeView(bid=2, doublings=1, value=40)
    assert (view.phase, view.to_act) == (Phase.SETTLED, ())
    outcome = DOU_DIZHU.outcome(state)
    assert outcome is not None
    assert [hand.cards for hand in outcome.hands] == [(), cards("4D"), cards("4H")]


# -- a house with other rules


def house(config: DouDizhuConfig) -> DouDizhu:
    return DouDizhu(DOU_DIZHU.info, config)


@pytest.mark.parametrize(
    ("wings", "ranks"),
    [
        pytest.param(WingRules(may_repeat_a_rank=False), "33344466", id="airplane with a pair"),
        pytest.param(WingRules(may_repeat_a_rank=False), "333344", id="four with a pair"),
        pytest.param(
            WingRules(may_repeat_a_rank=False), "333444555778", id="longer airplane with a pair"
        ),
        pytest.param(WingRules(may_be_both_jokers=False), "333444br", id="airplane with jokers"),
        pytest.param(WingRules(may_be_both_jokers=False), "3333br", id="four with jokers"),
        pytest.param(
            WingRules(may_be_both_jokers=False), "333444555br7", id="longer airplane with jokers"
        ),
    ],
)
def test_other_wings(wings: WingRules, ranks: str) -> None:
    game = house(replace(DOU_DIZHU.config, wings=wings))
    play = ranked(ranks)
    assert len(DOU_DIZHU.readings(card_set(play))) == 1
    assert game.readings(card_set(play)) == ()
    counts = rank_counts(card_set(play))
    hand = card_set(play)
    assert counts in {c for _, plays in DOU_DIZHU.play_groups(hand) for c in plays}
    assert counts not in {c for _, plays in game.play_groups(hand) for c in plays}


def test_passing_may_bar() -> None:
    game = house(replace(DOU_DIZHU.config, passing_bars=True))
    state = leading("3C 6C 9C", "5C 8C 9D", "4C 7C 9H")
    for seat, move in ((0, Play(cards("3C"))), (1, Pass()), (2, Play(cards("4C")))):
        state = submit(game, state, seat, move)
    state = submit(game, state, 0, Play(cards("6C")))
    assert game.to_act(state) == {2}


def test_other_stakes() -> None:
    game = house(DouDizhuConfig(beans_per_bid=5, highest_bid=2))
    state = replay(game, Deal(DECK_54, {"deal": 1, "first_bidder": 0}), [(0, Bid(2))])
    assert game.view(state, None).stake == StakeView(bid=2, doublings=0, value=10)


def test_ranks_of_cards() -> None:
    assert [rank_of(card) for card in cards("3C 3S AD 2S BJ RJ")] == [0, 0, 11, 12, 13, 14]


def test_a_play_is_read_whether_or_not_it_beats_and_whoever_holds_it():
    """What a preview shows. Cards of no pattern have none."""
    state = submit(DOU_DIZHU, leading("8C 9C", "3C", "4C"), LANDLORD, Play(cards("8C")))
    for names, pattern in (("3C", "single"), ("2C 2D 2H", "triple"), ("3C 4C", None)):
        assert DOU_DIZHU.pattern_of(state, FARMER, Play(cards(names))) == pattern
    assert DOU_DIZHU.pattern_of(state, FARMER, Play(cards("3C"), "pair")) is None
