"""The pages in a real browser: a whole game between two of them, and a house rule mended.

Pictures of what was seen are kept in build/screens. `.ci/browser` finds or installs the browser.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
SCREENS = ROOT / "build" / "screens"
MARKUP = Path(__file__).with_name("markup.rules")
SWITCHES = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-dev-shm-usage",
]
# Milliseconds: machines may be busy, and nothing here is about time.
PATIENCE = 120_000
UNSOUND = """\
variant overwrite of tic_tac_toe "Any square"
    amend action place
        drop require "{at} is already taken"
"""
MENDED = """\
variant overwrite of tic_tac_toe "Any square"
    amend action place
        drop require "{at} is already taken"
        require mark[ord(at)] = none "{at} is already taken"
"""

# A browser must be installed first, by one process: `.ci/run` has a step of its own for it.
pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    found = subprocess.run(
        ["bash", str(ROOT / ".ci" / "browser")], capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, found.stderr
    with sync_playwright() as player:
        browser = player.chromium.launch(
            executable_path=found.stdout.strip(), args=SWITCHES, timeout=PATIENCE
        )
        yield browser
        browser.close()


@contextmanager
def serving(folder: Path, port: int = 0) -> Iterator[str]:
    """A real server with a folder of its own; gives its address."""
    command = [sys.executable, "-m", "rules_dsl", "serve", "--port", str(port), "--data"]
    process = subprocess.Popen([*command, str(folder)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        address = process.stdout.readline().split()[0]
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", address)
        yield address[:-1]
    finally:
        process.terminate()
        process.wait(timeout=60)
        process.stdout.close()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    with serving(tmp_path) as address:
        yield address


class Screen:
    """A browser of its own, with everything that it was sent and every complaint of its pages."""

    def __init__(self, chromium: Browser, width: int = 1280) -> None:
        self.context = chromium.new_context(viewport={"width": width, "height": 860})
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.complaints: list[str] = []
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on(
            "console",
            lambda line: (
                self.complaints.append(line.text) if "Content Security" in line.text else None
            ),
        )

    def picture(self, name: str) -> None:
        """Keep what is seen."""
        SCREENS.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=SCREENS / f"{name}.png")

    def play(self, place: str) -> None:
        """Click a place of the drawing and make the only move that is left."""
        self.page.locator(f'[data-place^="{place}"].open').click()
        self.page.locator("#play").click()


@pytest.fixture
def screens(chromium: Browser) -> Iterator[list[Screen]]:
    found = [Screen(chromium), Screen(chromium, 390)]
    yield found
    for screen in found:
        assert screen.complaints == []
        screen.context.close()


def test_a_whole_game_between_two_browsers(server: str, screens: list[Screen]) -> None:
    one, two = screens
    one.page.goto(server)
    one.page.locator("#game-tic_tac_toe .more").click()
    one.page.locator("select[name=seat]").nth(1).select_option("link")
    one.page.locator("#begin").click()
    link = one.page.locator("#links input[data-seat='1']")
    link.wait_for()
    two.page.goto(link.input_value())
    expect(two.page.locator("#status")).to_contain_text("You are nought", timeout=PATIENCE)
    # The token has left the address.
    assert "#" not in two.page.url
    for number, square in enumerate(["b2", "a1", "c1", "a3", "a2", "c2", "b3", "b1", "c3"]):
        mover, other = (one, two) if number % 2 == 0 else (two, one)
        asked = "Only one move is possible" if number == 8 else "Choose one of the moves"
        expect(mover.page.locator("#status")).to_contain_text(asked, timeout=PATIENCE)
        expect(other.page.locator("#status")).to_contain_text("What is decided: place.")
        mover.play(square)
        expect(other.page.locator("#log li")).to_have_count(number + 1, timeout=PATIENCE)
        if number == 1:
            # What is not possible says why, with its cite.
            one.page.locator('[data-place^="a1"]').click()
            expect(one.page.locator("#reasons")).to_contain_text("already taken", timeout=PATIENCE)
            expect(one.page.locator("#reasons .cite")).to_contain_text("Taking turns")
            one.picture("table_1280")
            two.picture("table_390")
    for screen in screens:
        expect(screen.page.locator("#status")).to_contain_text("game is over", timeout=PATIENCE)
    # History shows an earlier position, and a reload loses nothing.
    two.page.locator("#back").click()
    expect(two.page.locator("#log li")).to_have_count(8, timeout=PATIENCE)
    two.page.reload()
    expect(two.page.locator("#log li")).to_have_count(9, timeout=PATIENCE)


def test_a_house_rule_is_refuted_mended_and_proved(server: str, screens: list[Screen]) -> None:
    author, _ = screens
    page = author.page
    page.goto(server)
    # Nothing can be selected before the rules are read.
    page.route("**/check", lambda route: route.abort())
    page.locator("#game-tic_tac_toe .vary").click()
    expect(page.locator("#state")).to_have_class("bad", timeout=PATIENCE)
    expect(page.locator("#players")).to_be_hidden()
    expect(page.locator("#symbols")).to_be_hidden()
    page.unroute("**/check")
    page.reload()
    expect(page.locator("#state")).to_have_class("good", timeout=PATIENCE)
    expect(page.locator("#players option")).to_have_count(1)
    expect(page.locator("#players")).to_be_visible()
    expect(page.locator("#symbols")).to_be_visible()
    page.locator("#text").fill(UNSOUND.replace("action", "actoin"))
    expect(page.locator("#errors")).to_contain_text("did you mean", timeout=PATIENCE)
    expect(page.locator("#colours .w")).to_have_text("actoin")
    author.picture("errors_1280")
    page.locator("#text").fill(UNSOUND)
    expect(page.locator("#state")).to_have_class("good", timeout=PATIENCE)
    page.locator("#verify").click()
    verdict = page.locator("#verdict")
    expect(verdict).to_have_attribute("data-ok", "false", timeout=PATIENCE)
    # The game that breaks the rule, move by move on the drawing, and as a table.
    page.locator(".result.REFUTED .step").first.click()
    page.locator("#step-forth").click()
    expect(page.locator("#step-text")).to_contain_text("cross", timeout=PATIENCE)
    author.picture("refuted_1280")
    assert re.search(r"/t/[\w-]+$", page.locator("#as-table").get_attribute("href") or "")

    page.locator("#text").fill(MENDED)
    expect(page.locator("#state")).to_have_class("good", timeout=PATIENCE)
    page.locator("#verify").click()
    expect(verdict).to_have_attribute("data-ok", "true", timeout=PATIENCE)
    author.picture("proved_1280")
    # The name of an action tells its declaration, its cite, and now that it is proved.
    page.locator("#text").click(position={"x": 170, "y": 42})
    expect(page.locator("#about")).to_contain_text("action place", timeout=PATIENCE)
    expect(page.locator("#about")).to_contain_text("PROVED")
    author.picture("hover_1280")
    page.locator("#text").press("Escape")
    page.locator("#text").hover(position={"x": 170, "y": 42})
    expect(page.locator("#about")).to_contain_text("Taking turns", timeout=PATIENCE)
    page.locator("#symbols").select_option(label="variant overwrite")
    assert page.evaluate("document.querySelector('#text').selectionStart") == 0
    # Names of the game that is changed are proposed.
    page.locator("#text").press("Control+End")
    page.locator("#text").press_sequentially("        require mar")
    expect(page.locator("#completions button").first).to_have_text("mark", timeout=PATIENCE)
    page.locator("#text").fill(MENDED)
    expect(page.locator("#state")).to_have_class("good", timeout=PATIENCE)
    page.locator("#compare").click()
    expect(page.locator("#results")).to_contain_text("nothing differs", timeout=PATIENCE)
    page.locator("#balance").click()
    expect(page.locator("#results")).to_contain_text("Wins by seat", timeout=PATIENCE)
    author.picture("balance_1280")


def test_every_page_at_both_widths(server: str, screens: list[Screen]) -> None:
    """Every page shows what it is for, and nothing sticks out at the side of a phone."""
    for screen, width in zip(screens, (1280, 390), strict=True):
        page = screen.page
        for name, path, shown in (
            ("lobby", "/", ".game"),
            ("rules", "/rules/tic_tac_toe", ".entry"),
            ("rules_tzolkin", "/rules/tzolkin", ".entry"),
            ("simulate", "/simulate#pig", "#run"),
        ):
            page.goto(server + path)
            page.locator(shown).first.wait_for()
            screen.picture(f"{name}_{width}")
            assert page.evaluate("document.documentElement.scrollWidth") <= width, name
        page.locator("#count").fill("50")
        page.locator("#run").click()
        page.locator(".chart").first.wait_for()
        screen.picture(f"charts_{width}")
        page.goto(server)
        page.locator("#lang").click()
        expect(page.locator("#game-pig .bots")).to_have_text("Играть с ботами", timeout=PATIENCE)


def test_a_large_game_at_both_widths(server: str, screens: list[Screen]) -> None:
    """A table of Tikal against bots, a click on its map, and a house rule of Tzolk'in."""
    for screen, width in zip(screens, (1280, 390), strict=True):
        page = screen.page
        page.goto(server)
        page.locator("#game-tikal .bots").click()
        page.locator("[data-place].open").first.click(timeout=PATIENCE)
        expect(page.locator(".moves button").first).to_contain_text("place", timeout=PATIENCE)
        expect(page.locator("#news")).not_to_contain_text("who took the latest turn")
        screen.picture(f"tikal_{width}")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.goto(server)
        page.locator("#game-tzolkin .vary").click()
        expect(page.locator("#state")).to_have_class("good", timeout=PATIENCE)
        screen.picture(f"author_tzolkin_{width}")
        assert page.evaluate("document.documentElement.scrollWidth") <= width


# Two boards with a mill each, and one with a well, for the player who decides (number 0).
TWO_BOARDS = """
async () => {
    const { light } = await import("/static/places.js");
    const svg = document.createElement("div");
    for (const [player, place] of [["red", "mill"], ["blue", "mill"], ["blue", "well"]]) {
        const board = svg.querySelector(`[data-player=${player}]`) || document.createElement("div");
        board.className = "board";
        board.dataset.player = player;
        const element = document.createElement("div");
        element.dataset.place = place;
        board.append(element);
        svg.append(board);
    }
    const open = (...args) => {
        light(svg, [{ name: "use", args, squares: [] }], [], 0);
        return [...svg.querySelectorAll(".open")].map(
            (one) => `${one.parentElement.dataset.player} ${one.dataset.place}`,
        );
    };
    return [open("mill"), open("mill", "blue"), open("well")];
}
"""


def test_squares_and_boards_can_be_clicked(server: str, screens: list[Screen]) -> None:
    """Squares that the rules know by number, and the own board where all players have the same."""
    page = screens[0].page
    page.goto(server)
    page.locator("#game-zimbabwe .bots").click()
    expect(page.locator("#status")).to_contain_text("settle on …", timeout=PATIENCE)
    page.locator("[data-place].open").first.click()
    page.locator("#play").click()
    expect(page.locator("#log")).to_contain_text("settle on", timeout=PATIENCE)
    screens[0].picture("zimbabwe_1280")
    assert page.evaluate(TWO_BOARDS) == [["red mill"], ["red mill", "blue mill"], ["blue well"]]


def test_the_rulebook_tells_what_is_proved(server: str, screens: list[Screen]) -> None:
    reader, _ = screens
    page = reader.page
    page.goto(f"{server}/rules/tic_tac_toe")
    page.locator("#verify").click()
    expect(page.locator("#proved")).to_contain_text("Verified for 2", timeout=PATIENCE)
    mark = page.locator(".proof[data-rule=place]").first
    expect(mark).to_have_text("PROVED", timeout=PATIENCE)
    mark.scroll_into_view_if_needed()
    reader.picture("proofs_1280")


def test_no_text_of_the_rules_becomes_part_of_a_page(server: str, screens: list[Screen]) -> None:
    """A game whose every text is markup is written, verified and played."""
    page = screens[0].page
    # A text that runs as a script opens a dialog.
    page.on("dialog", lambda dialog: screens[0].complaints.append(dialog.message))
    page.goto(server)
    page.locator("#game-tic_tac_toe .vary").click()
    expect(page.locator("#state")).to_have_class("good", timeout=PATIENCE)
    page.locator("#text").fill(MARKUP.read_text(encoding="utf-8"))
    expect(page.locator("#symbols")).to_contain_text("enum Square", timeout=PATIENCE)
    page.locator("#verify").click()
    expect(page.locator("#verdict")).to_have_attribute("data-ok", "true", timeout=PATIENCE)
    page.locator("#play").click()
    expect(page.locator(".moves")).to_contain_text("<b onclick=alert(1)>", timeout=PATIENCE)
    expect(page).to_have_title(re.compile("<img src=x"))
    page.locator(".moves button").first.click()
    page.locator("#play").click()
    expect(page.locator("#log")).to_contain_text("<script>alert('a1')", timeout=PATIENCE)
    assert page.locator("main img, main script, main b[onclick]").count() == 0


def test_a_browser_reconnects_after_a_restart(chromium: Browser, tmp_path: Path) -> None:
    screen = Screen(chromium)
    log = screen.page.locator("#log li")
    with serving(tmp_path) as address:
        screen.page.goto(address)
        screen.page.locator("#game-tic_tac_toe .more").click()
        screen.page.locator("select[name=seat]").nth(1).select_option("me")
        screen.page.locator("#begin").click()
        screen.play("b2")
        expect(log).to_have_count(1, timeout=PATIENCE)
    with serving(tmp_path, int(address.rpartition(":")[2])):
        screen.play("a1")
        expect(log).to_have_count(2, timeout=PATIENCE)
    screen.context.close()
