"""A larger battle in the middle, in every look."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.desk import sit_down
from tests.browser.rooms import saved, take_in
from tests.server.live import Live

Window = Callable[..., Page]
Picture = Callable[[Page, str], None]


@pytest.mark.parametrize("look", ["light", "dark", "safe"])
def test_the_board(look: str, window: Window, live: Live, picture: Picture) -> None:
    table = take_in(live, saved("mill_farm", 2))
    theme, palette = ("light", "safe") if look == "safe" else (look, "standard")
    desk = sit_down(window, table, "american", theme=theme, palette=palette)
    page = desk.page
    expect(desk.board.locator("[data-unit]").first).to_be_visible()
    expect(desk.board).to_have_attribute("data-drawn", "true")
    picture(page, f"board-{look}")


def test_stacks_fan_out(window: Window, live: Live, picture: Picture) -> None:
    table = take_in(live, saved("mill_farm", 2))
    desk = sit_down(window, table, "american", theme="light")
    units = table.state("american")["view"]["units"]
    places = [unit["place"] for unit in units if unit["place"] and not unit.get("with_unit")]
    place = max(set(places), key=places.count)
    assert places.count(place) > 1
    stack = desk.board.locator(f'[data-unit][data-place="{place}"]')
    desk.page.keyboard.press("Home")
    before = [box["x"] for box in (each.bounding_box() for each in stack.all()) if box]
    stack.last.hover()
    expect(desk.board.locator("[data-open]")).to_be_attached()
    boxes = [box for box in (each.bounding_box() for each in stack.all()) if box]
    apart = [
        abs(one["x"] - other["x"]) >= one["width"] * 0.8 or abs(one["y"] - other["y"]) >= one["height"] * 0.8
        for at, one in enumerate(boxes)
        for other in boxes[at + 1 :]
    ]
    assert all(apart), (before, boxes)
    picture(desk.page, "stack")
