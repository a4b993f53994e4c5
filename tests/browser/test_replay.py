"""A battle that is over: the end screen, the replay, and the log with what lies behind each roll."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.desk import sit_down
from tests.browser.rooms import saved, take_in
from tests.server.live import Live, Table

Window = Callable[..., Page]
Picture = Callable[[Page, str], None]


@pytest.fixture(scope="module")
def finished(live: Live) -> Table:
    """A battle that programs have played to its end, with seats for both sides."""
    return take_in(live, saved("training_ground", seed=5))


def test_the_end_screen(window: Window, finished: Table, picture: Picture) -> None:
    end = finished.get("/end", "american")
    page = sit_down(window, finished, "american", theme="light").page
    screen = page.get_by_role("dialog", name="Training Ground")
    won = end["result"]["winner"] == "american"
    expect(screen.locator("[data-result]")).to_contain_text("Victory" if won else "Defeat")
    assert end["losses"]["german"] or end["losses"]["american"]
    expect(screen.get_by_role("heading", name="Casualties")).to_be_visible()
    for side, lost in end["losses"].items():
        part = screen.get_by_role("heading", name=side.title(), exact=True).locator("..").first
        expect(part).to_contain_text(lost[0] if lost else "none")
    for side in ("american", "german"):
        luck = screen.get_by_role("region", name=f"Luck: {side.title()}")
        expect(luck).to_contain_text(re.compile(r"\d+ (roll|throw)|lucky|expected", re.I))
    picture(page, "end-screen")
    # The browser itself throws every roll again from the seed.
    verdict = screen.get_by_text(re.compile(r"All \d+ rolls match"))
    verdict.scroll_into_view_if_needed()
    expect(verdict).to_be_visible()
    expect(screen).to_contain_text(end["seed"])
    expect(screen).to_contain_text(finished.battle["commitment"])
    picture(page, "end-dice-check")


def test_watch_it_from_first_to_last(window: Window, finished: Table, picture: Picture) -> None:
    frames = finished.state("american")["frames"]
    desk = sit_down(window, finished, "american", theme="light")
    page = desk.page
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    bar = page.get_by_role("region", name="Replay")
    slider = bar.get_by_role("slider", name="Moment of the battle")
    last, text = frames[-1]["number"], re.compile
    bar.get_by_role("button", name="First moment").click()
    expect(slider).to_have_value(str(frames[0]["number"]))
    expect(page.get_by_text("Looking back")).to_be_visible()
    expect(slider).to_have_attribute("aria-valuetext", text(f"moment 1 of {len(frames)}$"))
    # Nothing can be done in the past, and of a battle that is over there is nothing left to pass.
    expect(desk.pass_button).to_have_count(0)
    expect(desk.undo_button).to_be_disabled()
    bar.get_by_role("button", name="Next moment").click()
    expect(slider).to_have_value("1")
    bar.get_by_role("button", name="One moment back").click()
    expect(slider).to_have_value("0")
    page.keyboard.press("]")
    expect(slider).to_have_value("1")
    turns = [frame["turn"] for frame in frames]
    begun = [turn for at, turn in enumerate(turns) if at == 0 or turns[at - 1] != turn]
    assert len(set(begun)) > 1
    marks = bar.locator("[data-turn]")
    expect(marks).to_have_count(len(set(begun)))
    # The map shows what was then: halfway, every counter stands where the server says it stood.
    middle = frames[len(frames) // 2]["number"]
    slider.fill(str(middle))
    then = finished.get(f"/frames/{middle}", "american")["view"]["units"]
    for unit in then:
        if unit["place"]:
            desk.stands_in(unit["id"], unit["place"])
    picture(page, "replay")
    bar.get_by_label("Speed of the replay").select_option("very fast")
    slider.fill(str(max(0, last - 6)))
    bar.get_by_role("button", name="Play", exact=True).click()
    expect(slider).to_have_value(str(last))
    bar.get_by_role("button", name="First moment").click()
    bar.get_by_role("button", name="Last moment").click()
    expect(slider).to_have_value(str(last))
    bar.get_by_role("button", name="Back to the end").click()
    expect(page.get_by_role("dialog").or_(page.get_by_text("Over", exact=True)).first).to_be_visible()


def test_the_log_is_filtered_and_opened(window: Window, finished: Table, picture: Picture) -> None:
    lines = finished.state("german")["view"]["log"]
    desk = sit_down(window, finished, "german", theme="light")
    page = desk.page
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    panel = desk.open_tab("Log")
    shown = panel.locator("[data-line]")
    rolls = [line for line in lines if line.get("faces")]
    panel.get_by_role("button", name="Filter").click()
    panel.get_by_role("checkbox", name="only rolls").check()
    expect(panel.get_by_text(re.compile(rf"^{len(rolls)} of \d+ lines"))).to_be_visible()
    mine = [line for line in rolls if line.get("side") == "german"]
    assert 0 < len(mine) < len(rolls) < len(lines)
    panel.get_by_role("group", name="Side").get_by_role("button", name="German").click()
    expect(panel.get_by_text(re.compile(rf"^{len(mine)} of \d+ lines"))).to_be_visible()
    expect(shown).to_have_count(min(len(mine), shown.count()))
    panel.get_by_role("button", name="Show all").click()
    panel.get_by_role("button", name="Filter").click()
    search = panel.get_by_role("searchbox", name="Search the log")
    search.fill("morale")
    found = [line for line in lines if "morale" in line["text"].lower()]
    if found:
        expect(panel.locator("mark").first).to_have_text(re.compile("morale", re.I))
    search.fill("no such words in any log")
    expect(panel).to_contain_text("Nothing in the log matches the filter.")
    search.fill("")
    # Behind a roll: where the number comes from, and how likely that was.
    reasoned = [at for at, line in enumerate(lines) if "attack" in line["text"] and line.get("tallies")][-1]
    line = panel.locator(f'[data-line="{reasoned}"]')
    line.get_by_role("button", name="How this adds up").click()
    expect(line.get_by_role("table").first).to_contain_text("total")
    expect(line.get_by_role("table").last).to_contain_text("%")
    line.scroll_into_view_if_needed()
    picture(page, "log")
    rule = line.get_by_role("button", name=re.compile("^Rule ")).first
    number = str(rule.get_attribute("aria-label")).removeprefix("Rule ")
    rule.click()
    open_rule = page.get_by_role("region", name="Rules").locator("[aria-current]")
    expect(open_rule).to_contain_text(number)
    expect(open_rule).to_be_in_viewport()


def test_back_to_a_moment_from_the_log(window: Window, finished: Table) -> None:
    desk = sit_down(window, finished, "american")
    desk.page.get_by_role("dialog").get_by_role("button", name="Close").click()
    panel = desk.open_tab("Log")
    panel.locator("[data-line]").first.hover()
    panel.locator("[data-line]").first.get_by_role("button", name="Show the map as it was then").click()
    expect(desk.page.get_by_text("Looking back")).to_be_visible()
    reveal = desk.page.get_by_role("checkbox", name="reveal")
    reveal.check()
    expect(reveal).to_be_checked()
    desk.page.get_by_role("button", name="Back to the end").click()
    expect(desk.page.get_by_text("Looking back")).to_have_count(0)
