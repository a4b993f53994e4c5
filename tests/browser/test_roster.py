"""Finding one's own units: the roster, the keys from one unit to the next, the small map of a large board."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, Window
from tests.browser.desk import Desk, path, sit_down, until
from tests.browser.rooms import saved, take_in
from tests.server.live import Live

Picture = Callable[[Page, str], None]


def in_the_window(desk: Desk, unit: str) -> bool:
    """Whether a counter lies on the part of the map that is seen."""
    box, map = desk.unit(unit).bounding_box(), desk.board.bounding_box()
    if box is None or map is None:
        return False
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    return map["x"] <= x <= map["x"] + map["width"] and map["y"] <= y <= map["y"] + map["height"]


def test_the_roster_has_all_own_units_and_leads_to_them(window: Window, live: Live, picture: Picture) -> None:
    table = take_in(live, saved("mill_farm", 2, "american", seed=15))
    desk = sit_down(window, table, "american")
    roster = desk.page.locator("[data-part=roster]")
    mine = [unit for unit in table.state("american")["view"]["units"] if unit["side"] == "american"]
    roster.locator("summary").click()
    rows = roster.locator("[data-roster]")
    expect(rows).to_have_count(len(mine))
    asked = {option.get("unit") for option in table.state("american")["view"]["ask"]["options"]}
    able = [unit["id"] for unit in mine if unit["id"] in asked]
    expect(rows.first).to_have_attribute("data-roster", re.compile("|".join(able)))
    picture(desk.page, "roster")

    # A click chooses a unit and brings it into sight, wherever one looks.
    for _ in range(5):
        desk.press("+")
    last = able[-1]
    roster.locator(f'[data-roster="{last}"]').click()
    expect(desk.unit(last)).to_have_attribute("aria-pressed", "true")
    until(lambda: in_the_window(desk, last), "the unit is in sight")
    # It stays open for the next battle.
    desk.page.reload()
    expect(rows.first).to_be_visible()


def test_how_a_unit_is_lies_across_its_counter(window: Window, live: Live, picture: Picture) -> None:
    """One squad of the training ground has been shelled on its way: it lies askew under a band with the word."""
    desk = sit_down(window, live.make(scenario="training_ground", seed="20"), "american")
    band = desk.unit("a2").locator("[data-state]")
    expect(band).to_have_text("SHAKEN")
    expect(desk.board.locator("[data-state]")).to_have_count(1)
    picture(desk.page, "state-band")


def test_the_marked_hexes_step_back_while_a_target_is_chosen(window: Window, live: Live, picture: Picture) -> None:
    desk = sit_down(window, live.make(scenario="training_ground", seed="20"), "american")
    desk.select("a1")
    desk.lights("C3", "F5")
    hexes = desk.board.locator("[data-reach]")
    shown = "node => Number(getComputedStyle(node).opacity)"
    assert hexes.first.evaluate(shown) == 1
    # More enemies who could react make a deeper colour; here there is one at most.
    assert hexes.evaluate_all("nodes => new Set(nodes.map(node => node.style.getPropertyValue('--depth'))).size") == 2
    desk.aim_at("g1")
    until(lambda: hexes.first.evaluate(shown) < 0.5, "the hexes have stepped back")
    picture(desk.page, "aiming-clears-the-map")
    desk.press("Escape")
    desk.hover("A8")  # resting on the target would choose it again
    until(lambda: hexes.first.evaluate(shown) == 1, "they are back")


def test_keys_lead_from_one_unit_to_the_next_and_back(window: Window, live: Live) -> None:
    table = live.make(scenario="training_ground", seed="20")
    desk = sit_down(window, table, "american")
    desk.caught_up()
    selected = desk.board.locator('[data-unit][aria-pressed="true"]')
    desk.press("n")
    first = selected.get_attribute("data-unit")
    desk.press("n")
    expect(selected).not_to_have_attribute("data-unit", str(first))
    desk.press("Shift+N")
    expect(selected).to_have_attribute("data-unit", str(first))


def test_a_large_board_opens_on_ones_own_units_and_shows_itself_small(
    window: Window, live: Live, picture: Picture
) -> None:
    table = take_in(live, saved("mill_farm", 2, "american", seed=15))
    desk = Desk(window(path(table, "american"), PHONE, touch=True), table, "american")
    expect(desk.board).to_have_attribute("data-drawn", "true")
    small = desk.page.locator("[data-part=minimap]")
    expect(small).to_be_visible()
    mine = [
        unit for unit in table.state("american")["view"]["units"] if unit["side"] == "american" and unit.get("place")
    ]
    until(lambda: any(in_the_window(desk, unit["id"]) for unit in mine), "an own unit is in sight")
    edge = desk.unit(mine[0]["id"]).bounding_box()
    assert edge is not None
    assert edge["width"] > 15, "its counters can be read"
    picture(desk.page, "large-board-phone")
    # A press on it looks there.
    before = desk.page.locator("[data-part=sheet]").bounding_box()
    box = small.bounding_box()
    assert box is not None
    desk.page.mouse.click(box["x"] + box["width"] - 4, box["y"] + box["height"] - 4)
    until(lambda: desk.page.locator("[data-part=sheet]").bounding_box() != before, "the map has moved")
    desk.page.get_by_role("button", name="Show the whole map").click()
    expect(small).to_have_count(0)
