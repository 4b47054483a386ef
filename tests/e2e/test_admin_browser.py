"""The admin in a real browser: what an operator sees and does, against the running service.

The browser is Debian's Chromium; without it these tests fail, they do not skip. BROWSER_SHOTS names
a folder where a picture of every page is left for people to look at.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Generator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, StorageState, expect, sync_playwright

from tests.e2e.http_player import HttpPlayer, HttpTable

pytestmark = pytest.mark.browser

PASSWORD = "seven little dragons"
NAMES = ("chromium", "chromium-browser", "google-chrome")
STARTS_WITHIN_MS = 60_000
ANSWERS_WITHIN_MS = 30_000


@pytest.fixture(scope="module")
def browser() -> Generator[Browser]:
    executable = next(filter(None, map(shutil.which, NAMES)), None)
    assert executable, "no Chromium here: apt-get install --no-install-recommends chromium"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=executable,
            args=["--no-sandbox", "--disable-dev-shm-usage"],
            timeout=STARTS_WITHIN_MS,
        )
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def boss(service) -> None:
    made = service.manage(
        "createsuperuser",
        "--no-input",
        "--username",
        "boss",
        DJANGO_SUPERUSER_PASSWORD=PASSWORD,
    )
    assert made.returncode == 0, made.stderr


@pytest.fixture(scope="module")
def logged_in(service, boss, browser: Browser) -> StorageState:
    """What a browser keeps of a login."""
    context = browser.new_context(base_url=service.url)
    page = context.new_page()
    page.set_default_timeout(ANSWERS_WITHIN_MS)
    page.goto("/admin/")
    page.fill("#id_username", "boss")
    page.fill("#id_password", PASSWORD)
    page.click("[type=submit]")
    page.wait_for_url("**/admin/")
    kept = context.storage_state()
    context.close()
    return kept


@pytest.fixture
def page(service, logged_in: StorageState, browser: Browser) -> Generator[Page]:
    """The admin's index, logged in. No page may raise an error or miss a file."""
    context = browser.new_context(
        base_url=service.url,
        viewport={"width": 1280, "height": 900},
        accept_downloads=True,
        storage_state=logged_in,
    )
    page = context.new_page()
    page.set_default_timeout(ANSWERS_WITHIN_MS)
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("response", lambda answer: answer.status >= 400 and faults.append(answer.url))
    page.goto("/admin/")
    yield page
    context.close()
    assert faults == []


@pytest.fixture
def table(player: HttpPlayer) -> HttpTable:
    """A table in its second round; the person is to act."""
    table = player.open_table(bot_delay_ms=0)
    table.play_on(table.state())
    assert table.post("rounds/", {}).status_code == 201
    table.play_on(table.state(), moves=1)
    return table


def shot(page: Page, name: str) -> None:
    if folder := os.environ.get("BROWSER_SHOTS"):
        page.screenshot(path=Path(folder, f"{name}.png"), full_page=True)


def search(page: Page, model: str, term: str) -> None:
    """A list, searched; the first find, opened."""
    page.goto("/admin/")
    page.click(f"#content-main .model-{model} th a")
    page.fill("#searchbar", term)
    page.click("#changelist-search [type=submit]")
    shot(page, f"list-{model}")
    page.click("#result_list tbody th a >> nth=0")


def cards_shown(page: Page) -> int:
    return page.locator(".board .seat .card").count()


def open_running_round(page: Page, table: HttpTable) -> None:
    search(page, "round", table.id)
    expect(page.locator(".field-status")).to_contain_text("Open")


def test_a_settled_round_is_stepped_through_as_a_board(page, table):
    search(page, "session", table.id)
    shot(page, "session")
    page.click("#rounds-group a.inlineviewlink >> nth=1")
    shot(page, "round-settled")
    last = int(page.inner_text(".where").split("/")[1])
    assert page.locator("#moves tbody tr").count() == last
    page.click("text=|◀")
    assert cards_shown(page) == 52
    shot(page, "round-dealt")
    page.click("[rel=next]")
    expect(page.locator(".where")).to_have_text(f"1 / {last}")
    assert cards_shown(page) < 52
    page.click("#moves tbody tr:nth-child(5) td a")
    expect(page.locator("#moves tr.at-step td").first).to_have_text("5")
    shot(page, "round-step")


def test_hands_of_a_running_round_are_seen_for_a_reason_and_the_look_is_in_its_history(page, table):
    open_running_round(page, table)
    assert cards_shown(page) == 0
    shot(page, "round-running")
    page.click("text=Look at the hands")
    shot(page, "look-asked")
    page.click("[type=submit][value='Look at the hands']")
    assert cards_shown(page) == 0, "the browser asks for a reason first"
    page.fill("#id_reason", "two players say that they hold 2S")
    page.click("[type=submit][value='Look at the hands']")
    page.wait_for_selector(".board .seat .card")
    left = sum(seat["cards_left"] for seat in table.state()["seats"])
    assert cards_shown(page) == left
    shot(page, "hands-running")
    page.goto(re.sub(r"look/$", "history/", page.url))
    expect(page.locator("#change-history")).to_contain_text("two players say that they hold 2S")
    shot(page, "history")


def test_a_stuck_session_is_ended(page, table):
    search(page, "session", table.id)
    page.click("text=End this session")
    shot(page, "end-asked")
    page.fill("#id_reason", "stands still since noon")
    page.click("[type=submit][value='End this session']")
    expect(page.locator(".messagelist .success")).to_be_visible()
    expect(page.locator(".field-status").first).to_contain_text("Finished")
    shot(page, "session-ended")
    state = table.state()
    assert (state["status"], state["round"]) == ("finished", 1)


def test_a_player_is_banned_and_unbanned(page, table, service):
    me = table.player.http.get("players/me/").json()
    search(page, "player", me["id"])
    page.click(".object-tools >> text=Ban")
    shot(page, "ban-asked")
    page.fill("#id_reason", "plays with two phones")
    page.click("[type=submit][value='Ban']")
    expect(page.locator(".messagelist .success")).to_be_visible()
    expect(page.locator("#bans-group")).to_contain_text("plays with two phones")
    shot(page, "player-banned")
    refused = table.player.http.get("players/me/")
    assert (refused.status_code, refused.json()["code"]) == (403, "player_banned")
    page.click("text=Lift the ban")
    page.fill("#id_reason", "was the sister")
    page.click("[type=submit][value='Lift the ban']")
    expect(page.locator("#bans-group")).to_contain_text("was the sister")


def test_points_are_corrected_by_a_new_entry(page, table):
    search(page, "ledgerentry", table.id)
    page.click("text=Correct the points")
    page.fill("#id_amount", "-7")
    page.fill("#id_reason", "the last trick was counted twice")
    shot(page, "correction-asked")
    page.click("[type=submit][value='Correct the points']")
    expect(page.locator(".messagelist .success")).to_be_visible()
    entries = table.player.http.get("players/me/ledger/").json()["results"]
    assert (entries[0]["kind"], entries[0]["amount"]) == ("correction", -7)


def test_a_list_is_downloaded_as_a_file(page, table):
    page.goto(f"/admin/games/session/?q={table.id}")
    with page.expect_download() as download:
        page.click("text=Export as CSV")
    text = Path(download.value.path()).read_text("utf-8-sig")
    assert [line.split(",")[0] for line in text.splitlines()] == ["id", table.id]


def test_no_page_has_a_drop_down_with_a_table_in_it(page, table):
    for model in ("session", "round", "ledgerentry"):
        search(page, model, table.id)
        assert page.locator("#content-main select").count() == 0


def test_the_board_fits_a_small_screen(page, table):
    page.set_viewport_size({"width": 390, "height": 844})
    search(page, "round", table.id)
    shot(page, "round-phone")
    boards = page.locator(".board .seats")
    box = boards.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
