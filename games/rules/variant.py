"""The interface of a game: an info record and a few questions about an immutable state."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from games.rules.cards import Card
from games.rules.chances import Fact
from games.rules.dealing import NumberStream
from games.rules.errors import NotYourTurn, RuleViolation
from games.rules.moves import Move
from games.rules.outcome import Outcome
from games.rules.questions import FinishedRound


class Kind(StrEnum):
    """How a game is played."""

    CLIMBING = "climbing"
    ARRANGING = "arranging"


class ScoreScope(StrEnum):
    """Over what points add up (rule book: Score scope)."""

    SESSION = "session"
    ROUND = "round"
    WALLET = "wallet"


class Direction(StrEnum):
    """How the seats lie on screen."""

    CLOCKWISE = "clockwise"
    COUNTER_CLOCKWISE = "counter_clockwise"


class Phase(StrEnum):
    """What is being decided."""

    CUTTING = "cutting"
    BIDDING = "bidding"
    REDEAL = "redeal"
    PLAYING = "playing"
    ARRANGING = "arranging"
    SETTLED = "settled"


@dataclass(frozen=True, slots=True)
class VariantInfo:
    """What a catalogue says of a game. Texts are English; who shows them looks up translations."""

    slug: str
    name: str
    summary: str
    seats: int
    deck_size: int
    direction: Direction
    kind: Kind
    score_scope: ScoreScope
    phases: tuple[Phase, ...]
    move_types: tuple[str, ...]
    patterns: tuple[str, ...]
    reasons: tuple[str, ...]
    """Every code that a line of this game's settlement can have."""
    revision: int
    options: Mapping[str, Any] = field(default_factory=dict)
    """Defaults of the options that only this game has."""
    bombs: tuple[str, ...] = ()
    """Those of the patterns that may be played on other patterns."""
    specials: tuple[str, ...] = ()
    """What all cards of a hand together can be declared as, high to low."""


@dataclass(frozen=True, slots=True)
class Deal:
    """One deal: the shuffled deck and what else was drawn. `setup` is JSON, stored with the round.

    Setup always has `deal` (its number within the round, from 1) and whatever the game draws:
    `first_bidder` (Dou Dizhu), `leader`, `draws`, `turned_card` (Thirteen). `given` says that the
    hands were laid down by somebody, and follow from no seed.
    """

    deck: tuple[Card, ...]
    setup: Mapping[str, Any]


class PlayView(NamedTuple):
    """Cards that lie on the table. A pass has no cards and no pattern."""

    seat: int
    cards: tuple[Card, ...]
    pattern: str | None


@dataclass(frozen=True, slots=True)
class TrickView:
    """The trick: its leader, its plays in order, what must be beaten, and the opening card."""

    leader: int
    plays: tuple[PlayView, ...]
    to_beat: PlayView | None
    must_include: Card | None


@dataclass(frozen=True, slots=True)
class BiddingView:
    """The bids so far, as (seat, bid) with 0 for a pass, and the highest."""

    bids: tuple[tuple[int, int], ...]
    highest: int


@dataclass(frozen=True, slots=True)
class StakeView:
    """What the round is worth now: bid, number of doublings, value of one stake in points."""

    bid: int
    doublings: int
    value: int


@dataclass(frozen=True, slots=True)
class RedealView:
    """An open call for a redeal: the caller and the answers, as (seat, accepted)."""

    caller: int
    answers: tuple[tuple[int, bool], ...]


@dataclass(frozen=True, slots=True)
class CuttingView:
    """The ceremony: leader, the cards drawn for it, the cuts made (seat, position), turned card."""

    leader: int
    draws: tuple[tuple[int, Card], ...]
    cuts: tuple[tuple[int, int], ...]
    turned_card: Card | None


@dataclass(frozen=True, slots=True)
class ArrangementView:
    """What the viewer has set."""

    front: tuple[Card, ...]
    middle: tuple[Card, ...]
    back: tuple[Card, ...]
    special: str | None
    foul: bool


@dataclass(frozen=True, slots=True)
class SeatView:
    """What everybody may know of a seat. `has_acted`: in the decision that is open now."""

    seat: int
    cards_left: int
    has_acted: bool
    role: str | None = None
    wind: str | None = None


@dataclass(frozen=True, slots=True)
class OwnView:
    """What only the seat itself may know. `hand` in the order of the ordered deck."""

    seat: int
    hand: tuple[Card, ...]
    actions: tuple[str, ...]
    special: str | None = None
    can_call_redeal: bool | None = None
    arrangement: ArrangementView | None = None
    extension_used: bool | None = None


@dataclass(frozen=True, slots=True)
class View:
    """What one viewer may know. A part that the game or the phase does not have is None."""

    phase: Phase
    to_act: tuple[int, ...]
    seats: tuple[SeatView, ...]
    you: OwnView | None
    trick: TrickView | None = None
    bidding: BiddingView | None = None
    kitty: tuple[Card, ...] | None = None
    stake: StakeView | None = None
    redeal: RedealView | None = None
    cutting: CuttingView | None = None
    deal: int = 1
    """The number of this deal within the round; a policy may act on it."""


S = TypeVar("S")


class Variant(ABC, Generic[S]):
    """A game. `S` is its own immutable state; nothing else looks into it."""

    info: VariantInfo
    settlement_fields: ClassVar[tuple[str, ...]]
    """The fields of a `FinishedRound` that `settlement` reads."""
    deal_fields: ClassVar[tuple[str, ...]] = ()
    """What else decides the cards of a deal, besides its seeds: `leader`, `cuts`."""

    @abstractmethod
    def deal(self, numbers: NumberStream, number: int, carry: Mapping[str, Any]) -> Deal:
        """Deal number `number` of a round, drawn from its number stream.

        `carry` is what the outcome before said (empty for the first deal of a session).
        """

    @abstractmethod
    def start(self, deal: Deal) -> S:
        """The state after this deal."""

    @abstractmethod
    def to_act(self, state: S) -> frozenset[int]:
        """The seats that may move now; empty when the deal is over."""

    def out_of_turn(self, state: S, seat: int, move: Move) -> RuleViolation:
        """Why this seat, which is not in `to_act`, is refused.

        The facts say what this seat may know: `to_act` itself can tell what a hand holds.
        """
        return NotYourTurn(seat=seat, to_act=list(self.view(state, seat).to_act))

    @abstractmethod
    def decisions(self, state: S) -> int:
        """How many decisions have been closed in this deal.

        It goes up with each move where seats act in turn; where several answer the same decision
        (arranging, cutting, a redeal call) it goes up when the last has answered.
        """

    @abstractmethod
    def legal_moves(self, state: S, seat: int) -> Iterator[Move]:
        """Every move that `play` accepts from this seat, weakest first, in a fixed order."""

    @abstractmethod
    def play(self, state: S, seat: int, move: Move) -> S:
        """The next state. Raises RuleViolation; never changes its input."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """None while the deal is running."""

    @abstractmethod
    def view(self, state: S, viewer: int | None) -> View:
        """What this seat, or a watcher (None), may know."""

    @abstractmethod
    def pattern_of(self, state: S, seat: int, move: Move) -> str | None:
        """How a play is read, also one that does not beat; None for what cannot be read."""

    # -- without a table; some games answer more (see `questions`)

    @abstractmethod
    def patterns_possible(self, cards: tuple[Card, ...]) -> tuple[str, ...]:
        """All patterns that these cards can be, first what an unnamed lead is taken as."""

    def dealt_facts(self) -> tuple[Fact, ...]:
        """What is counted of every hand that is dealt, for anyone to compare with chance."""
        return ()

    @abstractmethod
    def settlement(self, finished: FinishedRound) -> Outcome:
        """What a finished round pays. Raises Implausible, or what the rules refuse in its cards."""
