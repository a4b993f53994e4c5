"""Knowing what to do: the line under the title, the names of what is fought for, and the same words at the end."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, Window
from tests.browser.desk import path, sit_down
from tests.browser.rooms import saved, set_up, take_in
from tests.server.live import Live

Picture = Callable[[Page, str], None]


def test_the_line_says_what_to_do_how_it_stands_and_how_long_is_left(
    window: Window, live: Live, picture: Picture
) -> None:
    for side, task in (
        ("american", "To win: Control Farmhouse (H5) at the end."),
        ("german", "To win: Don’t let the American side control Farmhouse (H5) at the end."),
    ):
        desk = sit_down(window, live.make(), side)
        line = desk.page.locator("[data-part=goal]")
        expect(line).to_contain_text(f"You play the {side.capitalize()} side.")
        expect(line).to_contain_text(task)
        expect(line).to_contain_text("Farmhouse (H5): German.")
        expect(line).to_contain_text("5 turns left.")
        picture(desk.page, f"goal-{side}")
        line.click()
        expect(desk.page.get_by_role("dialog")).to_contain_text("A first battle to learn by")


def test_on_a_phone_the_line_takes_two_rows(window: Window, live: Live, picture: Picture) -> None:
    table = take_in(live, set_up("crossroads", 3))
    page = window(path(table, "american"), PHONE, touch=True)
    line = page.locator("[data-part=goal]")
    expect(line).to_contain_text("If it ended now: American 0, German 0.")
    box = line.bounding_box()
    assert box is not None
    assert box["height"] < 60, box
    assert box["width"] <= PHONE["width"]
    picture(page, "goal-phone")


def test_what_is_fought_for_has_its_name_above_the_units(window: Window, live: Live, picture: Picture) -> None:
    table = take_in(live, saved("crossroads", 1, seed=3))
    desk = sit_down(window, table, "american", theme="dark")
    names = desk.board.locator("[data-name=objective]")
    expect(names).to_have_count(3)
    order = "nodes => Math.max(...nodes.map(node => Number(getComputedStyle(node).zIndex)))"
    assert names.evaluate_all(order) > desk.board.locator(".gb-troop").evaluate_all(order)
    picture(desk.page, "objectives")


def test_the_end_is_told_in_the_same_words(window: Window, live: Live, picture: Picture) -> None:
    table = take_in(live, saved("first_patrol"))
    page = window(path(table, "american"), pace="off")
    end = page.locator("[data-part=goal-end]")
    expect(end).to_contain_text("What you had to do: Control Farmhouse (H5) at the end. At the end: Farmhouse (H5):")
    picture(page, "goal-at-the-end")
