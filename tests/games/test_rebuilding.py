"""Scores are what the ledger and the move log say; `rebuild_scores` finds and mends what is not."""

from __future__ import annotations

import io
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.models import Sum
from django.utils import timezone

from games.models import DealTally, Member, Move, Round, Seat
from games.services import rebuilding
from scoring.models import BoardMark, LedgerEntry, RoundFacts, Standing
from scoring.services.corrections import correction_book
from scoring.services.marking import boards_mark
from tests.clients import Api, People, Table
from tests.factories import PlayerFactory
from tests.once import once
from tests.scoring.rounds import book, everything

GAMES = ["big-two-tw", "big-two-hk", "dou-dizhu", "chinese-poker", "thirteen"]


def rebuild(*options: str) -> tuple[int, list[str]]:
    """The exit code, and what was said."""
    said = io.StringIO()
    try:
        call_command("rebuild_scores", *options, stdout=said)
    except SystemExit as end:
        return int(str(end.code)), said.getvalue().splitlines()
    return 0, said.getvalue().splitlines()


def derived() -> list[Any]:
    """All that a rebuild makes, and what it must not touch."""
    return [
        *everything(),
        list(RoundFacts.objects.order_by("pk").values()),
        list(Round.objects.order_by("pk").values("pk", "outcome")),
        list(Seat.objects.order_by("pk").values("pk", "total")),
        list(Member.objects.order_by("pk").values("pk", "total")),
        list(DealTally.objects.order_by("pk").values()),
    ]


@pytest.mark.parametrize("game", GAMES)
def test_rounds_as_they_were_booked_are_right(transactional_db: Any, game: str) -> None:
    """Two people and bots, two rounds, one of the people leaving in the second."""
    people = People.at_a_table(game, others=1, options={"bot_delay_ms": 0})
    people.play_on()
    assert people.host.post("rounds/").status == 201
    assert people.tables[1].post("leave/").status == 200
    people.host.play_on()
    assert LedgerEntry.objects.filter(kind="settlement").count() == 4
    before = derived()
    assert rebuild("--check") == (0, ["all is right"])
    assert rebuild() == (0, ["all is right"])
    assert derived() == before


def two_rounds() -> Table:
    """A host with two rounds of Dou Dizhu among bots, the second corrected."""
    table = Api.guest().open_table(game="dou-dizhu", options={"bot_delay_ms": 0})
    table.play_on()
    assert table.post("rounds/").status == 201
    table.play_on()
    correction_book(
        settlement_id=LedgerEntry.objects.get(round_number=2, kind="settlement").public_id,
        amount=70,
        reason="a fault",
        by_id=PlayerFactory().pk,
        correction_id=uuid.uuid4(),
    )
    return table


@pytest.fixture
def played(transactional_db: Any) -> Table:
    return once(two_rounds)


def change_outcome(**parts: Any) -> None:
    round_ = Round.objects.get(number=1)
    round_.outcome.update(parts)
    round_.save()


def change_tally(**values: Any) -> None:
    tally = DealTally.objects.get()
    tally.deals += values.pop("deals", 0)
    for dealt_to, facts in values.items():
        tally.counts[dealt_to] = {**tally.counts.get(dealt_to, {}), **facts}
    tally.save()


def lifetime(**values: Any) -> Callable[[], Any]:
    return lambda: Standing.objects.filter(game="dou-dizhu", period="all").update(**values)


@pytest.mark.parametrize(
    ("plant", "kind"),
    [
        pytest.param(lifetime(balance=1), "standing", id="balance"),
        pytest.param(lifetime(best=5000), "standing", id="best"),
        pytest.param(lifetime(best_session=uuid.uuid4()), "standing", id="session of the best"),
        pytest.param(lifetime(wins=7), "standing", id="wins"),
        pytest.param(lifetime(bombs=7), "standing", id="bombs"),
        pytest.param(lifetime(first=7), "standing", id="places"),
        pytest.param(lifetime(longest_streak=7), "standing", id="streak"),
        pytest.param(lifetime(listed=False), "standing", id="not listed"),
        pytest.param(
            lambda: Standing.objects.filter(game="").update(points=1), "standing", id="overall"
        ),
        pytest.param(
            lambda: Standing.objects.filter(period="week").delete(), "standing", id="one is missing"
        ),
        pytest.param(
            lambda: Standing.objects.create(
                player_id=LedgerEntry.objects.latest("id").player_id,
                game="thirteen",
                pool="all",
                period="all",
            ),
            "standing",
            id="one too many",
        ),
        pytest.param(lambda: RoundFacts.objects.update(bombs=9), "facts", id="facts"),
        pytest.param(lambda: RoundFacts.objects.all().delete(), "facts", id="no facts"),
        pytest.param(
            lambda: change_outcome(points=[0, 0, 0], spring="spring"),
            "outcome",
            id="outcome",
        ),
        pytest.param(
            lambda: Seat.objects.filter(kind="human").update(total=12345), "total", id="total"
        ),
        pytest.param(lambda: change_tally(deals=3), "deal tally", id="deals"),
        pytest.param(lambda: change_tally(bot={"hands": 1}), "deal tally", id="hands of bots"),
        pytest.param(lambda: change_tally(human={"luck": 9}), "deal tally", id="no such fact"),
        pytest.param(lambda: DealTally.objects.all().delete(), "deal tally", id="no tally"),
    ],
)
def test_what_differs_is_said_and_mended(
    played: Table, plant: Callable[[], Any], kind: str
) -> None:
    before = derived()
    plant()
    planted = derived()
    assert planted != before
    code, said = rebuild("--check")
    assert code == 1
    assert any(line.startswith(f"{kind} differs: ") for line in said), said
    assert derived() == planted
    code, said = rebuild()
    assert (code, said[-1].endswith("0 of them not mended")) == (0, True)
    assert derived() == before
    assert rebuild("--check") == (0, ["all is right"])


def test_what_differs_is_named_with_what_is_stored_and_what_should_be(played: Table) -> None:
    me = played.api.player["id"]
    right = Standing.objects.get(game="dou-dizhu", pool="all", period="all")
    lifetime(wins=right.wins + 7)()
    Seat.objects.filter(kind="human").update(total=12345)
    change_tally(deals=3)
    total = LedgerEntry.objects.exclude(kind="top_up").aggregate(total=Sum("amount"))["total"]
    assert rebuild("--check")[1][:3] == [
        f"standing differs: wins of dou-dizhu (all, all) of {me}: "
        f"{right.wins + 7}, should be {right.wins}",
        "deal tally differs: deals of dou-dizhu: 5, should be 2",
        f"total differs: seat 0 of {played.id}: 12345, should be {total}",
    ]


@pytest.mark.parametrize("game", ["dou-dizhu", "thirteen"])
def test_what_settles_while_deals_are_counted_is_counted_once(
    api: Api, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The counts are compared at one moment, and mended by what they differ."""
    table = api.open_table(game=game, options={"bot_delay_ms": 0})
    table.play_on()
    right = DealTally.objects.values().get()
    change_tally(deals=3, human={"hands": 9})
    add = rebuilding.tally_add

    def settled_meanwhile(*args: Any) -> None:
        change_tally(deals=1, human={"hands": 10})
        add(*args)

    monkeypatch.setattr(rebuilding, "tally_add", settled_meanwhile)
    assert rebuild()[0] == 0
    tally = DealTally.objects.get()
    assert (tally.deals, tally.counts["human"]["hands"]) == (right["deals"] + 1, 2)
    assert {**tally.counts, "human": 0} == {**right["counts"], "human": 0}


@contextmanager
def without_triggers() -> Iterator[None]:
    """As nobody can who does not take the triggers away first."""
    statement = "ALTER TABLE scoring_ledgerentry {} TRIGGER USER"
    connection.cursor().execute(statement.format("DISABLE"))
    try:
        yield
    finally:
        connection.cursor().execute(statement.format("ENABLE"))


def change_ledger(**values: int) -> None:
    with without_triggers():
        LedgerEntry.objects.filter(round_number=1, kind="settlement").update(**values)


def lose_entries(**filters: Any) -> None:
    with without_triggers():
        RoundFacts.objects.filter(**{f"entry__{name}": of for name, of in filters.items()}).delete()
        LedgerEntry.objects.filter(**filters).delete()


@pytest.mark.parametrize(
    "plant",
    [
        pytest.param(lambda: lose_entries(), id="all are lost"),
        pytest.param(lambda: lose_entries(round_number=1), id="those of a round"),
        pytest.param(lambda: change_ledger(amount=1), id="amount"),
        pytest.param(lambda: change_ledger(balance=1), id="balance"),
        pytest.param(lambda: change_ledger(seat=1), id="seat"),
        pytest.param(
            lambda: Move.objects.filter(round__number=1).order_by("-number")[0].delete(),
            id="no last move",
        ),
    ],
)
def test_what_hangs_on_a_ledger_in_doubt_stays_as_it_is(
    played: Table, plant: Callable[[], Any]
) -> None:
    """Also what differs already: nobody knows which of them is right."""
    plant()
    lifetime(wins=7)()
    Seat.objects.filter(kind="human").update(total=12345)
    before = derived()
    for options in (["--check"], [], []):
        code, said = rebuild(*options)
        assert code == 1
        assert said[-2].startswith("the ledger or the move log itself is in doubt")
        found = int(said[-1].split()[0])
        assert said[-1] == f"{found} differences, {found} of them not mended"
        assert derived() == before


@pytest.mark.django_db(transaction=True)
def test_a_wallet_without_its_top_up_stays_as_it_is() -> None:
    """Also where no later entry shows that one is missing."""
    book([PlayerFactory()], [-1200], game="dou-dizhu")
    lose_entries(kind="top_up")
    before = derived()
    code, said = rebuild()
    assert (code, derived()) == (1, before)
    assert said[0].startswith("ledger differs: balance of entry ")


def test_others_are_mended_beside_a_ledger_in_doubt(played: Table, stranger: Api) -> None:
    other = stranger.open_table(game="big-two-hk", options={"bot_delay_ms": 0})
    other.play_on()
    lose_entries(round_number=1, game="dou-dizhu")
    sound = Standing.objects.filter(player_id=stranger.player["id"])
    before = list(sound.order_by("pk").values("wins"))
    sound.update(wins=7)
    Seat.objects.filter(session_id=other.id).update(total=12345)
    hurt = list(Standing.objects.filter(game="dou-dizhu").order_by("pk").values())
    assert rebuild()[0] == 1
    assert list(sound.order_by("pk").values("wins")) == before
    assert not Seat.objects.filter(session_id=other.id, kind="human", total=12345).exists()
    assert list(Standing.objects.filter(game="dou-dizhu").order_by("pk").values()) == hurt


@pytest.mark.parametrize(
    ("plant", "said"),
    [
        pytest.param(lambda: change_ledger(amount=1), "ledger differs: settlement", id="amount"),
        pytest.param(lambda: change_ledger(balance=1), "ledger differs: balance", id="balance"),
        pytest.param(lambda: change_ledger(seat=1), "ledger differs: settlement", id="seat"),
        pytest.param(
            lambda: Move.objects.filter(round__number=1).order_by("-number")[0].delete(),
            "move log differs: round 1",
            id="no last move",
        ),
    ],
)
def test_a_ledger_or_a_log_that_belies_the_other_is_said_and_left(
    played: Table, plant: Callable[[], Any], said: str
) -> None:
    plant()
    truth = list(LedgerEntry.objects.order_by("id").values()), list(Move.objects.values())
    for options in (["--check"], [], []):
        code, lines = rebuild(*options)
        assert code == 1
        assert any(line.startswith(said) for line in lines), lines
    assert truth == (list(LedgerEntry.objects.order_by("id").values()), list(Move.objects.values()))


def test_a_board_that_is_marked_wrong_is_said_and_mended(played: Table) -> None:
    boards_mark(now=timezone.now(), most_changes=0)
    assert rebuild("--check") == (0, ["all is right"])
    BoardMark.objects.filter(metric="wins", period="week").update(above=3)
    code, said = rebuild("--check")
    assert (code, len(said)) == (1, 3)
    assert said[0].startswith("board differs: 1 marks of dou-dizhu all week ")
    assert rebuild()[0] == 0
    assert rebuild("--check") == (0, ["all is right"])
    assert played.api.get("leaderboards/dou-dizhu/?metric=wins").json["results"][0]["rank"] == 1


def test_who_is_away_from_the_table_has_the_total_of_the_ledger(transactional_db: Any) -> None:
    people = People.at_a_table("chinese-poker", others=1, options={"bot_delay_ms": 0})
    people.play_on()
    assert people.tables[1].post("leave/").status == 200
    away = Member.objects.get(player_id=people.tables[1].api.player["id"])
    Member.objects.filter(pk=away.pk).update(total=away.total + 5)
    assert rebuild()[0] == 0
    assert Member.objects.get(pk=away.pk).total == away.total


def test_rounds_are_read_a_few_at_a_time(
    played: Table, monkeypatch: pytest.MonkeyPatch, django_assert_max_num_queries: Any
) -> None:
    monkeypatch.setattr(rebuilding, "ROUNDS_AT_ONCE", 1)
    with django_assert_max_num_queries(50):
        assert rebuild("--check") == (0, ["all is right"])


@pytest.mark.parametrize(
    ("game", "number", "moves_total"),
    [("chinese-poker", 1, True), ("dou-dizhu", 1, True), ("big-two-hk", 1, False)],
)
def test_the_total_at_the_table_follows_a_correction(
    api: Api, game: str, number: int, moves_total: bool
) -> None:
    """Of a round before the last; where each stands alone, the last is what is shown."""
    table = api.open_table(game=game, options={"bot_delay_ms": 0})
    table.play_on()
    assert table.post("rounds/").status == 201
    table.play_on()
    before = table.state()
    correction_book(
        settlement_id=LedgerEntry.objects.get(round_number=number, kind="settlement").public_id,
        amount=-4,
        reason="a fault",
        by_id=PlayerFactory().pk,
        correction_id=uuid.uuid4(),
    )
    after = table.state()
    moved = -4 if moves_total else 0
    assert after["seats"][0]["total"] == before["seats"][0]["total"] + moved
    assert after["version"] == before["version"] + moves_total
    assert rebuild("--check") == (0, ["all is right"])
