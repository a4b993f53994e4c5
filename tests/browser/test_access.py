"""Everybody can use it: no serious fault by axe, focus that is seen, large text, and no motion where none is wanted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE
from tests.browser.desk import sit_down
from tests.browser.rooms import play_by_call, saved, take_in
from tests.server.live import Live, Table

Window = Callable[..., Page]
AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
LOOKS: list[dict[str, str]] = [{"theme": "light"}, {"theme": "dark"}, {"theme": "light", "palette": "safe"}]


def faults(page: Page) -> list[str]:
    """The serious and critical faults of what the window shows."""
    if not page.evaluate("'axe' in window"):
        page.add_script_tag(path=AXE)
    # A button that is just taking on its colours has others for a moment.
    page.wait_for_function(
        "document.getAnimations().every(each => !(each instanceof CSSTransition) || each.playState !== 'running')"
    )
    found: list[dict[str, Any]] = page.evaluate(
        "axe.run(document, {resultTypes: ['violations']}).then(result => result.violations)"
    )
    # A counter's printed figures are all in its name, but after what a listener wants to hear first.
    printed = "label-content-name-mismatch"
    return [
        f"{fault['id']} ({fault['impact']}): {node['html'][:160]} {node.get('failureSummary', '')[:200]}"
        for fault in found
        if fault["impact"] in ("serious", "critical")
        for node in fault["nodes"]
        if not (fault["id"] == printed and ("gb-counter" in node["html"] or "gb-troop" in node["html"]))
    ][:4]


@pytest.fixture(autouse=True)
def _axe() -> None:
    assert AXE.exists(), "axe-core is not installed; `make client` installs it"


@pytest.mark.parametrize("look", LOOKS, ids=["light", "dark", "safe"])
def test_lobby_and_its_dialogs(look: dict[str, str], window: Window) -> None:
    page = window("/", csp=False, **look)
    expect(page.get_by_role("button", name="Play Training Ground")).to_be_visible()
    assert faults(page) == []
    page.get_by_role("button", name="Play First Patrol").click()
    expect(page.get_by_role("dialog", name="First Patrol")).to_be_visible()
    assert faults(page) == []
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_role("dialog", name="Settings")).to_be_visible()
    assert faults(page) == []


@pytest.mark.parametrize("look", LOOKS, ids=["light", "dark", "safe"])
def test_the_table(look: dict[str, str], window: Window, live: Live) -> None:
    table = take_in(live, saved("first_patrol", 1, "american"))
    desk = sit_down(window, table, "american", csp=False, **look)
    page = desk.page
    options = table.state("american")["view"]["ask"]["options"]
    gunner = next(option["unit"] for option in options if option["verb"] == "fire")
    desk.pick(gunner)
    target = desk.board.get_by_role("button", name="target").first
    expect(target).to_be_visible()
    assert faults(page) == []
    target.click()
    expect(page.get_by_role("button", name="Confirm").first).to_be_visible()
    assert faults(page) == []
    page.keyboard.press("Escape")
    for tab in ("Log", "Tools", "Rules", "Charts"):
        panel = desk.open_tab(tab)
        expect(panel.get_by_role("searchbox").or_(panel.get_by_role("heading", name="Dice tray")).first).to_be_visible()
        assert faults(page) == [], tab
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    assert faults(page) == []


@pytest.mark.parametrize("look", LOOKS[:2], ids=["light", "dark"])
def test_a_reaction(look: dict[str, str], window: Window, live: Live) -> None:
    table = take_in(live, saved("first_patrol", 1, "american", seed=9))
    asked = _until_reaction(table)
    desk = sit_down(window, table, asked, csp=False, **look)
    expect(desk.reaction).to_be_visible()
    expect(desk.reaction).to_contain_text("%")
    assert faults(desk.page) == []


def _until_reaction(table: Table) -> str:
    """Play on until somebody may react; who."""
    play_by_call(table, 120, Random(4), lambda state: bool(state["view"]["ask"].get("reaction")))
    side: str = table.asked()
    assert table.state(side)["view"]["ask"].get("reaction")
    return side


@pytest.mark.parametrize("look", LOOKS[:2], ids=["light", "dark"])
def test_the_end_and_the_replay(look: dict[str, str], window: Window, live: Live) -> None:
    desk = sit_down(window, take_in(live, saved("training_ground", seed=5)), "american", csp=False, **look)
    page = desk.page
    expect(page.get_by_text("rolls match")).to_be_visible()
    assert faults(page) == []
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    page.get_by_role("button", name="First moment").click()
    expect(page.get_by_text("Looking back")).to_be_visible()
    assert faults(page) == []


def test_a_telephone(window: Window, live: Live) -> None:
    table = live.make(scenario="training_ground")
    desk = sit_down(window, table, table.asked(), size=PHONE, touch=True, csp=False, theme="light")
    assert faults(desk.page) == []
    desk.page.get_by_role("tab", name="Orders").tap()
    expect(desk.options).to_be_in_viewport()
    assert faults(desk.page) == []


def test_focus_is_seen(window: Window, live: Live) -> None:
    """Going through the page by Tab, whatever has the focus is drawn otherwise than without it."""
    table = live.make(scenario="training_ground")
    desk = sit_down(window, table, table.asked())
    seen = set()
    for _ in range(25):
        desk.press("Tab")
        look = desk.page.evaluate(
            """() => {
              const each = document.activeElement;
              const shown = [each, each.parentElement].map(part => getComputedStyle(part));
              const ring = shown.some(s => parseFloat(s.outlineWidth) >= 2 && s.outlineStyle !== 'none') ||
                shown.some(s => s.boxShadow !== 'none') ||
                (each.dataset.unit && getComputedStyle(each.querySelector('svg rect')).display !== 'none');
              return [each.tagName + (each.ariaLabel || each.textContent).slice(0, 30), Boolean(ring)];
            }"""
        )
        assert look[1], f"no focus is seen on {look[0]}"
        seen.add(look[0])
    assert len(seen) > 8


def test_twice_as_large(window: Window, live: Live, picture: Callable[[Page, str], None]) -> None:
    """At 200 % zoom a window of 1280 pixels has 640: all must be reachable, and nothing cut off at the sides."""
    table = live.make(scenario="training_ground")
    desk = sit_down(window, table, table.asked(), size={"width": 640, "height": 430}, theme="light")
    assert desk.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(desk.pass_button).to_be_in_viewport()
    expect(desk.undo_button).to_be_in_viewport()
    expect(desk.board).to_be_in_viewport()
    picture(desk.page, "zoom-200")
    lobby = window("/", {"width": 640, "height": 430}, text="huge")
    expect(lobby.get_by_role("button", name="Play Training Ground")).to_be_visible()
    assert lobby.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_nothing_moves_where_no_motion_is_wanted(window: Window, live: Live) -> None:
    table = live.make(scenario="training_ground")
    desk = sit_down(window, table, table.asked())
    desk.board.get_by_role("button", name="can act").first.click()
    moving = desk.page.evaluate(
        "document.getAnimations().filter(each => each.effect.getComputedTiming().activeDuration > 50).length"
    )
    assert moving == 0
