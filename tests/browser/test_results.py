"""What came of throws is shown where it happened, and stays until it was read."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, Window
from tests.browser.desk import Desk, Opponent, path, sit_down, until
from tests.server.live import Live

Picture = Callable[[Page, str], None]
AMERICANS_FIRST = {"scenario": "training_ground", "seed": "20"}
GERMANS_FIRST = {"scenario": "training_ground", "seed": "7"}


def fire_at_the_cottage(desk: Desk) -> str:
    """The machine gun fires at the cottage; gives the total that it threw and what it needed."""
    desk.select("a4")
    desk.fire_at("g1")

    def thrown() -> str:
        lines = desk.table.state("american")["view"]["log"]
        found = [line for line in lines if line.get("needed") and "g1" in line.get("units", ())]
        return f"= {found[0]['total']} needed {found[0]['needed']}" if found else ""

    words: str = until(thrown, "the machine gun has fired")
    return words


def test_an_own_shot_is_stamped_on_its_target_until_it_is_read(window: Window, live: Live, picture: Picture) -> None:
    table = live.make(**AMERICANS_FIRST)
    desk = sit_down(window, table, "american", pace="normal", results="click")
    german = Opponent(table, "german")
    words = fire_at_the_cottage(desk)
    verdict = desk.board.locator('[data-verdict="g1"] .stamp')
    expect(verdict).to_be_visible()
    dice = desk.board.locator('[data-verdict="g1"] .throws')
    expect(dice).to_contain_text(re.compile(re.escape(words).replace(r"\ ", r"\s*")))
    picture(desk.page, "result-on-the-map")

    # The other side acts: that waits until the result was read, and the page does not say that one watches it.
    german.answers("pass")
    expect(desk.bar.get_by_role("paragraph").first).to_contain_text("This is what came of it.")
    expect(verdict).to_be_visible()
    desk.page.get_by_role("heading", level=1).click()
    expect(verdict).to_have_count(0)
    desk.is_asked("Your Impulse")
    # The last own result stays in view all the same.
    expect(desk.page.locator("[data-part=own-result]")).to_contain_text("at German Rifle Squad")


def test_a_result_goes_by_itself_and_can_be_switched_off(window: Window, live: Live) -> None:
    desk = sit_down(window, live.make(**AMERICANS_FIRST), "american", pace="normal", results="brief")
    fire_at_the_cottage(desk)
    expect(desk.page.locator("[data-part=own-result]")).to_be_visible()
    expect(desk.board.locator("[data-verdict]")).to_have_count(0)
    desk.page.get_by_role("button", name="Menu").click()
    desk.page.get_by_role("menuitem", name="Settings").click()
    desk.page.get_by_role("radio", name="Hide").check()
    kept = desk.page.evaluate("JSON.parse(localStorage.getItem('grognard.settings')).results")
    assert kept == "off"


def test_a_chain_of_reactions_says_what_came_of_the_last_shot(window: Window, live: Live, picture: Picture) -> None:
    table = live.make(**GERMANS_FIRST)
    desk, german = sit_down(window, table, "american"), Opponent(table, "german")
    german.answers("move g1", "step G2")
    expect(desk.reaction).to_contain_text("Opportunity Fire")
    came = desk.reaction.locator("[data-part=came]")
    expect(came).to_have_count(0)
    Opponent(table, "american").answers("a2 at g1 own")
    # The move goes on, and the card of the next question says how the shot went.
    german.answers("step G3")
    expect(came).to_have_text("No effect (10, needed 9 or more): American Rifle Squad 2 fires at German Rifle Squad")
    picture(desk.page, "reaction-after-a-shot")


def test_a_result_lies_within_the_window_of_a_phone(window: Window, live: Live, picture: Picture) -> None:
    table = live.make(**AMERICANS_FIRST)
    page = window(path(table, "american"), PHONE, touch=True, results="click")
    desk = Desk(page, table, "american")
    Opponent(table, "american").answers("fire a4", "at g1 own")
    verdict = desk.board.locator('[data-verdict="g1"] .throws')
    expect(verdict).to_be_visible()

    def inside() -> bool:
        box = verdict.bounding_box()
        return box is not None and box["x"] >= 0 and box["x"] + box["width"] <= PHONE["width"]

    until(inside, "the dice lie within the window")
    picture(desk.page, "result-phone")
