"""Stands, turrets and templates in the browser, on a table in centimetres: looked at, clicked, gathered, turned."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from grognard.core import registry
from tests.browser.conftest import Window
from tests.browser.desk import sit_down
from tests.browser.drill import DRILL
from tests.browser.test_access import LOOKS, faults
from tests.browser.test_table import TableDesk
from tests.server.live import Live

Picture = Callable[[Page, str], None]


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The registry knows the drill, as if it had a folder of its own."""
    find, names = registry.game, registry.names
    monkeypatch.setattr(registry, "game", lambda name: DRILL if name == DRILL.name else find(name))
    monkeypatch.setattr(registry, "names", lambda: (*names(), DRILL.name))
    yield


def sit(window: Window, live: Live, **settings: Any) -> TableDesk:
    table = live.make(game="drill", scenario="drill", seed="7")
    desk = TableDesk(sit_down(window, table, "red", **settings))
    expect(desk.board).to_have_attribute("data-drawn", "true")
    return desk


def mark(desk: TableDesk, unit: str, model: str) -> Locator:
    """A single model that can be clicked."""
    return desk.board.locator(f'[data-mark="{unit}/{model}"]')


def model(desk: TableDesk, unit: str, id: str) -> dict[str, Any]:
    """A model as the side sees it."""
    found: dict[str, Any] = next(each for each in desk.seen(unit)["models"] if each["id"] == id)
    return found


def order(desk: TableDesk, unit: str, verb: str) -> None:
    desk.select(unit)
    desk.options.get_by_role("button", name=re.compile(verb)).first.click()


def test_stands_have_figures_and_letters_and_turrets_look_their_own_way(
    window: Window, live: Live, picture: Picture
) -> None:
    desk = sit(window, live)
    platoon = desk.unit("r1")
    expect(platoon.locator(".gb-stand")).to_have_count(6)
    expect(platoon.locator(".gb-figure")).to_have_count(2 + 4 + 5 + 3 + 2 + 4)
    expect(platoon.locator(".gb-letter").first).to_have_text("R")
    expect(desk.unit("r2").locator("[data-turret]").first).to_have_attribute("data-turret", "45")
    pinned = desk.unit("b1").locator("[data-badges]")
    expect(pinned).to_have_count(3)
    expect(desk.unit("b1").locator('[data-shape="diamond"]')).to_have_count(2)
    expect(desk.unit("b1")).to_have_attribute("aria-label", re.compile("machine gun pinned"))
    expect(desk.board.locator("[data-graphic]")).to_have_count(3)
    tree = desk.page.get_by_role("region", name="Formations")
    tree.get_by_role("button", name="Platoon 1").first.click()
    expect(desk.unit("r1")).to_have_attribute("aria-pressed", "true")
    picture(desk.page, "stands-day")


def test_a_band_gathers_stands_and_one_of_theirs_is_clicked(window: Window, live: Live, picture: Picture) -> None:
    desk = sit(window, live)
    order(desk, "r1", "fires")
    desk.is_asked("Who fires?")
    expect(desk.board.locator("[data-mark]")).to_have_count(6)
    first, last = model(desk, "r1", "t1"), model(desk, "r1", "t3")
    left, right = sorted((first["x"], last["x"]))
    desk.page.keyboard.down("Shift")
    desk.drag((left - 3, first["y"] - 4), (right + 3, first["y"] + 4))
    desk.page.keyboard.up("Shift")
    gathered = desk.board.locator("[data-mark][aria-pressed=true]")
    expect(gathered).to_have_count(3)
    mark(desk, "r1", "t5").click(modifiers=["Shift"])
    mark(desk, "r1", "t2").click(modifiers=["Shift"])
    expect(gathered).to_have_count(3)
    picture(desk.page, "stands-gathered")
    with desk.page.expect_request("**/plan") as sent:
        desk.bar.get_by_role("button", name="Choose 3 stands").click()
    assert (sent.value.post_data_json or {})["keys"] == ["team t1", "team t3", "team t5", "done"]
    desk.is_asked("3 fire: at which stand?")
    mark(desk, "b1", "t4").click()
    expect(mark(desk, "b1", "t4")).to_have_class(re.compile("chosen"))
    card = desk.page.get_by_role("region", name=re.compile("→"))
    expect(card).to_contain_text("you to them")
    picture(desk.page, "stands-target")
    mark(desk, "b1", "t4").click()
    expect(desk.log_line("fire").first).to_be_visible()


def test_tab_walks_through_the_stands_that_can_be_chosen(window: Window, live: Live) -> None:
    desk = sit(window, live)
    order(desk, "r1", "fires")
    expect(desk.board.locator("[data-mark]")).to_have_count(6)
    mark(desk, "r1", "t2").focus()
    desk.press("Tab")
    expect(mark(desk, "r1", "t3")).to_be_focused()
    desk.press("Enter")
    expect(mark(desk, "r1", "t3")).to_have_attribute("aria-label", re.compile("Not rifles t3"))


def test_a_second_knob_turns_the_turret(window: Window, live: Live, picture: Picture) -> None:
    desk = sit(window, live)
    order(desk, "r2", "goes")
    expect(desk.hand).to_be_visible()
    start = desk.start()
    desk.drag(start, (start[0], start[1] - 10))
    desk.press("m")
    base = desk.board.locator('.gb-ghost-model[data-model="t2"] .gb-hull-body').bounding_box()
    assert base is not None
    at = base["x"] + base["width"] / 2, base["y"] + base["height"] / 2
    desk.page.mouse.move(*at)
    desk.page.mouse.down()
    desk.page.mouse.move(at[0], at[1] - 12, steps=4)
    desk.page.mouse.up()
    knob = desk.board.locator('[data-drag="turret"] .gb-knob')
    expect(knob).to_be_visible()
    box = knob.bounding_box()
    assert box is not None
    desk.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    desk.page.mouse.down()
    desk.page.mouse.move(at[0] + 80, at[1] - 12, steps=6)
    desk.page.mouse.up()
    expect(desk.board.locator('.gb-ghost-model[data-model="t2"] [data-turret]')).to_have_attribute("data-turret", "90")
    expect(desk.hand).to_contain_text(re.compile(r"cm"))
    picture(desk.page, "stands-turret")
    with desk.page.expect_request("**/answer") as sent:
        desk.hand.get_by_role("button", name="Confirm").click()
    assert re.search(r" t2@[\d.]+,[\d.]+,0,90", str((sent.value.post_data_json or {})["key"]))
    expect(desk.hand).to_be_hidden()
    assert model(desk, "r2", "t2")["turret"] == 90


def take_template(desk: TableDesk, verb: str) -> None:
    """Order something with a template, and wait until it is in the hand: clicks and keys before that mean nothing."""
    order(desk, "r1", verb)
    expect(desk.hand).to_contain_text("Drag the template")


def test_a_template_rings_whom_it_covers(window: Window, live: Live, picture: Picture) -> None:
    desk = sit(window, live)
    take_template(desk, "shells")
    target = model(desk, "b1", "t3")
    desk.page.mouse.click(*desk.at(target["x"], target["y"]))
    ghost = desk.board.locator("[data-template]")
    expect(ghost).to_be_attached()
    expect(desk.hand).to_contain_text("of Platoon 1 would be under it")
    under = int(ghost.get_attribute("data-template") or 0)
    assert under > 0
    expect(desk.board.locator(".gb-under-it:not(.under)")).to_have_count(under)
    picture(desk.page, "stands-shell")
    desk.press("Enter")
    expect(desk.hand).to_be_hidden()


def test_smoke_is_a_square_that_turns(window: Window, live: Live, picture: Picture) -> None:
    desk = sit(window, live)
    take_template(desk, "lays smoke")
    desk.page.mouse.click(*desk.at(40, 40))
    desk.press("r", "r")
    expect(desk.hand).to_contain_text("30°")
    expect(desk.board.locator("[data-template]")).to_be_attached()
    picture(desk.page, "stands-smoke")
    desk.press("Enter")
    expect(desk.board.locator('[data-marker="smoke"]')).to_be_attached()


def test_everything_is_told_in_centimetres(window: Window, live: Live, picture: Picture) -> None:
    desk = sit(window, live)
    mine, theirs = model(desk, "r1", "t1"), model(desk, "b1", "t1")
    desk.press("t")
    desk.drag((mine["x"], mine["y"]), (theirs["x"], theirs["y"]))
    expect(desk.board.locator("[data-part=tape]")).to_have_text(re.compile(r"^[\d.]+ cm$"))
    assert [ring.get_attribute("data-ring") for ring in desk.board.locator("[data-ring]").all()] == ["15", "30", "60"]
    picture(desk.page, "stands-tape")
    desk.press("Escape")
    assert "″" not in desk.page.locator("body").inner_text()
    order(desk, "r1", "goes")
    start = desk.start()
    desk.drag(start, (start[0], start[1] - 9))
    expect(desk.hand).to_contain_text("9 of 15 cm")
    expect(desk.board.get_by_role("button", name="in your hand")).to_have_attribute("aria-label", re.compile("cm"))
    picture(desk.page, "stands-ghost")
    assert "″" not in desk.page.locator("body").inner_text()


@pytest.mark.parametrize("look", LOOKS, ids=["light", "dark", "safe"])
def test_everybody_can_use_stands(look: dict[str, str], window: Window, live: Live, picture: Picture) -> None:
    desk = sit(window, live, csp=False, **look)
    assert faults(desk.page) == []
    order(desk, "r1", "fires")
    expect(desk.board.locator("[data-mark]")).to_have_count(6)
    assert faults(desk.page) == []
    picture(desk.page, f"stands-{'-'.join(look.values())}")
