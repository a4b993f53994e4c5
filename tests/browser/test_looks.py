"""A larger battle in the middle, in every look."""

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


def can_go_or_fire(table: Table, unit: str) -> bool:
    """Whether an American unit has somewhere to go and an enemy to fire at."""
    branches = table.get("/prospect", "american", seq=table.state("american")["seq"], unit=unit)["branches"]
    can = {branch["option"]["verb"]: branch for branch in branches}
    if not {"move", "fire"} <= set(can):
        return False
    return bool(can["move"].get("journeys")) and any(option.get("target") for option in can["fire"].get("follow", ()))


@pytest.mark.parametrize("look", ["light", "dark", "safe"])
def test_the_board(look: str, window: Window, live: Live, picture: Picture) -> None:
    table = take_in(live, saved("mill_farm", 2, "american", seed=15))
    theme, palette = ("light", "safe") if look == "safe" else (look, "standard")
    desk = sit_down(window, table, "american", theme=theme, palette=palette)
    page = desk.page
    expect(desk.board.locator("[data-unit]").first).to_be_visible()
    expect(desk.board).to_have_attribute("data-drawn", "true")
    picture(page, f"board-{look}")
    options = table.state("american")["view"]["ask"]["options"]
    units = dict.fromkeys(option["unit"] for option in options if option.get("unit"))
    desk.pick(next(unit for unit in units if can_go_or_fire(table, unit)))
    expect(desk.board.locator("[data-reach]").first).to_be_attached()
    target = desk.board.get_by_role("button", name="target").first
    expect(target).to_have_accessible_name(re.compile(r"target \d+ %"))
    target.hover()
    expect(page.get_by_text("you to them").first).to_be_visible()
    picture(page, f"board-{look}-odds")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_counters_show_men_and_vehicles_where_that_is_wished(
    theme: str, window: Window, live: Live, picture: Picture
) -> None:
    table = take_in(live, saved("canal_bridge", 3, "british", seed=3))
    desk = sit_down(window, table, "british", theme=theme)
    page = desk.page
    drawn = desk.board.locator("[data-silhouette]")
    expect(desk.board.locator("[data-unit] image").first).to_be_attached()
    expect(drawn).to_have_count(0)
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("menuitem", name="Settings").click()
    page.get_by_role("radio", name="Silhouettes").check()
    page.keyboard.press("Escape")
    expect(drawn).to_have_count(desk.board.locator("[data-unit]").count())
    assert {"squad", "leader", "tank", "mg"} <= {each.get_attribute("data-silhouette") for each in drawn.all()}
    picture(page, f"silhouettes-{theme}")


def test_stacks_fan_out(window: Window, live: Live, picture: Picture) -> None:
    table = take_in(live, saved("mill_farm", 2, "american", seed=15))
    desk = sit_down(window, table, "american", theme="light")
    units = table.state("american")["view"]["units"]
    places = [unit["place"] for unit in units if unit["place"]]
    place = max(set(places), key=places.count)
    assert places.count(place) > 1
    stack = desk.board.locator(f'[data-unit][data-place="{place}"]')
    stack.last.hover()
    expect(desk.board.locator("[data-open]")).to_be_attached()
    boxes = [box for box in (each.bounding_box() for each in stack.all()) if box]
    apart = [
        abs(one["x"] - other["x"]) >= one["width"] * 0.8 or abs(one["y"] - other["y"]) >= one["height"] * 0.8
        for at, one in enumerate(boxes)
        for other in boxes[at + 1 :]
    ]
    assert all(apart), boxes
    picture(desk.page, "stack")
