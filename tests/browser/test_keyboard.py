"""Everything by keyboard: a whole impulse without the mouse, and no key acts where somebody is typing."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.conftest import Window
from tests.browser.desk import Desk, Opponent, sit_down, until
from tests.server.live import Live

Picture = Callable[[Page, str], None]
AMERICANS_FIRST = {"scenario": "training_ground", "seed": "20"}


def selected(desk: Desk, unit: str) -> None:
    """Wait until a unit is selected."""
    expect(desk.unit(unit)).to_have_attribute("aria-pressed", "true")


def told(desk: Desk, words: str) -> None:
    """Wait until a screen reader has been told this."""
    expect(desk.page.locator("[aria-live=polite]").filter(has_text=words).first).to_be_attached()


def walk_to(desk: Desk, place: str, keys: list[str]) -> None:
    """Walk the cursor over the map; every hex under it is told."""
    desk.press(*keys)
    told(desk, f"{place}, ")


def test_an_impulse_without_the_mouse(window: Window, live: Live, picture: Picture) -> None:
    table = live.make(**AMERICANS_FIRST)
    desk, german = sit_down(window, table, "american"), Opponent(table, "german")
    desk.is_asked("Your Impulse (10 points left)")

    # Leafing through the units that can act, forwards and backwards.
    desk.press("n")
    selected(desk, "a1")
    desk.press("n", "n")
    selected(desk, "a3")
    desk.press("Shift+N", "Shift+N")
    selected(desk, "a1")
    desk.press("Escape")
    expect(desk.unit("a1")).to_have_attribute("aria-pressed", "false")

    # The cursor begins at the unit; Enter shows the way, Escape forgets it, Enter twice goes.
    desk.press("n")
    selected(desk, "a1")
    desk.lights("C3", "E4")
    desk.press("ArrowRight")
    told(desk, "B3, ")
    desk.press("ArrowRight", "ArrowRight")
    cursor = desk.page.locator("[aria-live=polite]").filter(has_text=re.compile(r"^D\d, ")).first
    expect(cursor).to_be_attached()
    place = cursor.inner_text().split(",")[0]
    desk.press("Enter")
    expect(desk.chip).to_contain_text(f"to {place}")
    expect(desk.chip.get_by_role("button", name="Go")).to_be_visible()
    picture(desk.page, "keyboard-cursor")
    desk.press("Escape")
    expect(desk.chip.get_by_role("button", name="Go")).to_have_count(0)
    desk.stands_in("a1", "B3")
    desk.press("Enter")
    expect(desk.chip.get_by_role("button", name="Go")).to_be_visible()
    desk.press("Enter")
    ask = german.asked()["view"]["ask"]
    assert ask["reaction"] == "opportunity fire"
    german.answers("pass", "pass")
    desk.stands_in("a1", place)
    desk.is_asked("MP left")
    # P stops there, since nothing else ends the move.
    desk.press("p")
    german.answers("pass")
    desk.is_asked("Your Impulse (9 points left)")


def test_letters_numbers_and_confirming_a_shot(window: Window, live: Live) -> None:
    table = live.make(**AMERICANS_FIRST)
    desk = sit_down(window, table, "american")
    for _ in range(4):
        desk.press("n")
    selected(desk, "a4")
    desk.lights("E2")
    expect(desk.unit("g1")).to_have_attribute("aria-label", re.compile(r"target \d+ %"))
    # The letter of an order shows that order alone.
    desk.press("f")
    expect(desk.order("Fire")).to_have_attribute("aria-pressed", "true")
    expect(desk.board.locator("[data-reach]")).to_have_count(0)
    desk.press("Escape")
    expect(desk.order("Fire")).to_have_attribute("aria-pressed", "false")
    desk.lights("E2")
    desk.press("f")

    # The counters are reached with Tab and Page Down, and Enter on an enemy aims at him.
    desk.board.focus()
    for _ in range(12):
        if desk.unit("g1").evaluate("counter => counter === document.activeElement"):
            break
        desk.press("PageDown")
    expect(desk.unit("g1")).to_be_focused()
    desk.press("Enter")
    card = desk.card("→ German Rifle Squad")
    radios = card.get_by_role("radio")
    expect(card).to_contain_text("you to them")
    expect(radios).to_have_count(2)
    for radio in radios.all():
        expect(radio).to_contain_text(" %")
    expect(radios.first).to_have_attribute("aria-checked", "true")
    desk.press("2")
    expect(radios.nth(1)).to_have_attribute("aria-checked", "true")
    assert table.state("american")["waiting"] == "you"
    desk.press("2")  # the same number again confirms
    expect(desk.log_line("ICT attack")).to_contain_text("German Rifle Squad")
    declared = [line["text"] for line in table.state("american")["view"]["log"] if line["kind"] == "Declared"]
    assert len(declared) == 1 and "Sustained" not in declared[0], declared


def test_undo_help_and_why_not(window: Window, live: Live, picture: Picture) -> None:
    table = live.make(**AMERICANS_FIRST)
    desk = sit_down(window, table, "american")
    desk.press("?")
    help = desk.page.get_by_role("dialog", name="What can I do now?")
    expect(help).to_contain_text("Your Impulse (10 points left)")
    for verb in ("Move", "Fire", "Rally", "Try for Cover"):
        expect(help.get_by_role("term").filter(has_text=verb).first).to_be_visible()
    picture(desk.page, "help")
    # An open dialog has the keys to itself.
    desk.press("p", "n", "u")
    expect(help).to_be_visible()
    desk.press("Escape")
    expect(help).to_have_count(0)
    desk.is_asked("Your Impulse (10 points left)")

    desk.press("n", "Shift+F10")
    expect(desk.page.get_by_role("region", name="What American Rifle Squad 1 can’t do, and why")).to_contain_text(
        "rally"
    )
    desk.press("Escape")
    expect(desk.page.get_by_role("region", name="can’t do, and why")).to_have_count(0)
    selected(desk, "a1")

    # Away from the enemy, where nobody sees it, and back: one step by Shift+U, the rest of the order by Ctrl+Z.
    desk.lights("A3")
    walk_to(desk, "B3", ["ArrowLeft"])
    for _ in range(3):
        desk.press("ArrowLeft")
        if desk.page.locator("[aria-live=polite]").filter(has_text=re.compile(r"^A[34], ")).count():
            break
    if not desk.page.locator("[aria-live=polite]").filter(has_text=re.compile("^A3, ")).count():
        desk.press("ArrowUp")
    told(desk, "A3, ")
    desk.press("Enter")
    expect(desk.chip).to_contain_text("to A3")
    desk.press("Enter")
    desk.stands_in("a1", "A3")
    desk.press("Shift+U")
    desk.stands_in("a1", "B3")
    desk.is_asked("4 MP left")
    desk.press("Control+z")
    desk.is_asked("Your Impulse (10 points left)")
    desk.press("u")
    expect(
        desk.page.get_by_role("status").filter(has_text="You can’t undo: nothing has been answered yet.")
    ).to_be_visible()


def test_nothing_acts_while_somebody_types(window: Window, live: Live) -> None:
    table = live.make(**AMERICANS_FIRST)
    desk = sit_down(window, table, "american")
    before = table.state("american")["number"]
    desk.select("a1")
    desk.press("/")
    search = desk.options.get_by_role("searchbox")
    expect(search).to_be_focused()
    desk.page.keyboard.type("cup[]12")
    expect(search).to_have_value("cup[]12")
    search.fill("rally")
    expect(desk.options.get_by_role("button", name="American Rifle Squad 2: Rally")).to_be_visible()
    expect(desk.options.get_by_role("button", name=re.compile("a3: "))).to_have_count(0)
    for tab, name in (("Log", "Search the log"), ("Rules", "Search the rules")):
        desk.open_tab(tab)
        box = desk.page.get_by_role("searchbox", name=name)
        box.click()
        desk.page.keyboard.type("pump ucm? [")
        expect(box).to_have_value("pump ucm? [")
    selected(desk, "a1")
    expect(desk.page.get_by_role("dialog")).to_have_count(0)
    assert table.state("american")["number"] == before


def test_a_slip_on_the_space_bar_ends_nothing(window: Window, live: Live) -> None:
    table = live.make(**AMERICANS_FIRST)
    desk = sit_down(window, table, "american")
    desk.is_asked("Your Impulse (10 points left)")
    desk.board.focus()
    desk.press(" ", "n")
    selected(desk, "a1")
    desk.is_asked("Your Impulse (10 points left)")
    assert table.state("american")["waiting"] == "you"


def test_replay_by_keys(window: Window, live: Live, picture: Picture) -> None:
    table = live.make(**AMERICANS_FIRST)
    american, german = Opponent(table, "american"), Opponent(table, "german")
    for steps in (("move a3", "step D3"), ("step E4",)):
        american.answers(*steps)
        german.answers("pass")
    desk = sit_down(window, table, "american")
    desk.stands_in("a3", "E4")
    desk.is_asked("MP left")
    desk.press("[")
    replay = desk.page.get_by_role("region", name="Replay")
    expect(replay).to_be_visible()
    desk.is_asked("You’re looking at the past")
    where = moments(replay.get_by_role("slider").get_attribute("aria-valuetext"))
    while moments(replay.get_by_role("slider").get_attribute("aria-valuetext"))[0] > 1:
        desk.press("[")
    desk.stands_in("a3", "C4")
    expect(desk.pass_button).to_be_disabled()
    desk.press("p")  # nobody acts in the past
    for _ in range(where[1] - 1):
        desk.press("]")
    desk.stands_in("a3", "E4")
    slider = replay.get_by_role("slider")
    slider.focus()
    desk.press("Home")
    desk.stands_in("a3", "C4")
    picture(desk.page, "replay-by-keys")
    desk.press("End")
    desk.stands_in("a3", "E4")
    replay.get_by_role("button", name="Return to the present").focus()
    desk.press("Enter")
    desk.is_asked("MP left")
    expect(desk.pass_button.or_(desk.bar.get_by_role("button", name="Stop")).first).to_be_visible()


def moments(text: str | None) -> tuple[int, int]:
    """Which moment of how many the slider says."""
    found = re.search(r"moment (\d+) of (\d+)", text or "")
    assert found is not None, text
    return int(found[1]), int(found[2])


def test_numbers_choose_on_the_bar(window: Window, live: Live) -> None:
    table = live.make(scenario="causeway", seed="7", players={"soviet": "random"})
    Opponent(table, "german").answers("place roadblock P1", "place hetzer1 P2")
    desk = sit_down(window, table, "german")
    desk.is_asked("Which way does JgPz 38(t) Hetzer 1 face?")
    desk.press("3")
    desk.is_asked("Hide JgPz 38(t) Hetzer 1 in P2?")
    facing = next(unit["facing"] for unit in table.state("german")["view"]["units"] if unit["id"] == "hetzer1")
    assert facing == 3
    desk.press("9")  # there is no ninth
    desk.press("1")
    desk.is_asked("Set up: JgPz 38(t) Hetzer 2")
    expect(desk.unit("hetzer1")).to_have_attribute("aria-label", re.compile("hidden"))


def test_the_map_is_zoomed_by_keys(window: Window, live: Live) -> None:
    desk = sit_down(window, live.make(**AMERICANS_FIRST), "american")
    desk.is_asked("Your Impulse")
    whole = width(desk)
    for focus in (lambda: desk.page.evaluate("document.activeElement?.blur()"), desk.board.focus):
        focus()
        desk.press("+")
        until(lambda: width(desk) > whole * 1.3, "the map is larger")
        desk.press("-")
        until(lambda: abs(width(desk) - whole) < 1, "the map is as it was")
        desk.press("+", "+", "0")
        until(lambda: abs(width(desk) - whole) < 1, "the map is as it was")
    desk.press("+")
    until(lambda: width(desk) > whole * 1.3, "the map is larger")
    before = desk.point("E4")[0]
    desk.press("Shift+ArrowRight")
    until(lambda: desk.point("E4")[0] < before, "the map has moved")


def width(desk: Desk) -> float:
    """How wide the map is in the window."""
    box = desk.page.locator("[data-part=sheet]").bounding_box()
    assert box is not None
    return box["width"]
