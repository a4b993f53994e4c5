"""A battle on a telephone: fingers instead of a mouse, a sheet instead of a panel, and nothing cut off."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE
from tests.browser.desk import Desk, sit_down
from tests.server.live import Live

Window = Callable[..., Page]
Picture = Callable[[Page, str], None]
#: Pixels that a finger hits.
TOUCH = 40
#: What is pressed all the time; a rule's number in a sentence is a link, and no such thing.
MAIN = (
    "[role=tab], [aria-label='Your move'] button:not([aria-label^=Rule]), header a, header button, [aria-label^=Zoom]"
)

NARROW = """() => [...document.querySelectorAll('body *')].filter(each => {
  const box = each.getBoundingClientRect();
  const inMap = each.closest('[role=application], .visually-hidden');
  const scrolls = each.parentElement.closest('[tabindex="0"], table, .scroller');
  return !inMap && !scrolls && box.width > 0 && box.height > 0 && getComputedStyle(each).position !== 'absolute'
    && (box.right > innerWidth + 1 || box.left < -1);
}).map(each => each.outerHTML.slice(0, 120))"""


def fits(page: Page) -> None:
    """Nothing of the page is cut off at the sides."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page is wider than the telephone"
    assert page.evaluate(NARROW) == []


def touchable(page: Page, selector: str) -> None:
    """All visible buttons there are large enough for a finger."""
    small = page.evaluate(
        """([selector, least]) => [...document.querySelectorAll(selector)].filter(each => {
          const box = each.getBoundingClientRect();
          return box.width > 0 && box.height > 0 && (box.height < least || box.width < least);
        }).map(each => `${each.textContent.trim() || each.ariaLabel} ${each.offsetWidth}x${each.offsetHeight}`)""",
        [selector, TOUCH],
    )
    assert small == []


def tap(desk: Desk, place: str) -> None:
    """Tap a hex."""
    x, y = desk.point(place)
    desk.page.touchscreen.tap(x, y)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_start_move_fire_read(theme: str, window: Window, live: Live, picture: Picture) -> None:
    table = live.make(scenario="training_ground")
    side = table.asked()
    desk = sit_down(window, table, side, size=PHONE, touch=True, theme=theme)
    page = desk.page
    expect(desk.board).to_have_attribute("data-drawn", "true")
    fits(page)
    touchable(page, MAIN)
    picture(page, f"phone-{theme}")
    units = {unit["id"]: unit for unit in table.state(side)["view"]["units"]}
    options = table.state(side)["view"]["ask"]["options"]
    mover = next(option["unit"] for option in options if option["verb"] == "move")
    if desk.unit(mover).get_attribute("aria-pressed") != "true":  # the only one that can act is selected already
        desk.unit(mover).tap()
    expect(desk.unit(mover)).to_have_attribute("aria-pressed", "true")
    expect(desk.board.locator("[data-reach]").first).to_be_attached()
    if theme == "light":
        reach = desk.board.locator("[data-reach]").first.get_attribute("data-reach")
        tap(desk, str(reach))
        expect(desk.chip.get_by_role("button", name=re.compile("^(Go|Confirm)"))).to_be_visible()
        fits(page)
        picture(page, "phone-move")
        desk.chip.get_by_role("button", name=re.compile("^(Go|Confirm)")).tap()
        expect(desk.unit(mover)).not_to_have_attribute("data-place", units[mover]["place"])
    else:
        shot = next(option for option in options if option["verb"] == "fire")
        enemy = next(unit["id"] for unit in units.values() if unit["side"] != side)
        if desk.unit(shot["unit"]).get_attribute("aria-pressed") != "true":
            desk.unit(shot["unit"]).tap()
        desk.unit(enemy).tap()
        card = desk.card(f"→ {desk.name(enemy)}")
        expect(card.get_by_role("button", name="Confirm")).to_be_in_viewport()
        expect(card).to_contain_text("you to them")
        fits(page)
        picture(page, "phone-odds")
        lines = len(table.state(side)["view"]["log"])
        card.get_by_role("button", name="Confirm").tap()
        expect(card).to_have_count(0)
        assert len(table.state(side)["view"]["log"]) >= lines
    # The panel is a sheet that comes and goes.
    page.get_by_role("tab", name="Log").tap()
    sheet = page.get_by_role("tabpanel")
    expect(sheet.locator("[data-line]").last).to_be_in_viewport()
    fits(page)
    picture(page, f"phone-log-{theme}")
    page.get_by_role("button", name="Make the panel larger").tap()
    expect(page.get_by_role("button", name="Make the panel smaller")).to_be_visible()
    page.wait_for_function(
        "() => document.querySelector('[role=tabpanel]').offsetHeight > document.querySelector('main').offsetHeight - 2"
    )
    page.get_by_role("button", name="Close the panel").tap()
    expect(sheet.locator("[data-line]").last).not_to_be_in_viewport()


def test_every_sheet_fits(window: Window, live: Live, picture: Picture) -> None:
    table = live.make(scenario="training_ground")
    desk = sit_down(window, table, table.asked(), size=PHONE, touch=True, theme="light")
    for name in ("Orders", "Tools", "Rules", "Charts"):
        desk.page.get_by_role("tab", name=name).tap()
        expect(desk.page.get_by_role("tabpanel")).to_be_in_viewport()
        if name in ("Rules", "Charts"):
            expect(desk.page.get_by_role("tabpanel").get_by_role("searchbox")).to_be_visible()
        fits(desk.page)
        picture(desk.page, f"phone-{name.lower()}")
    desk.page.get_by_role("button", name="Menu").tap()
    expect(desk.page.get_by_role("menu")).to_be_in_viewport(ratio=0.9)
    touchable(desk.page, "[role=menuitem]")
    desk.page.get_by_role("menuitem", name="Settings").tap()
    expect(desk.page.get_by_role("dialog", name="Settings")).to_be_visible()
    fits(desk.page)
    picture(desk.page, "phone-settings")


def test_the_lobby_fits(window: Window, picture: Picture) -> None:
    page = window("/", PHONE, touch=True, theme="light")
    page.get_by_role("button", name="Play Training Ground").tap()
    dialog = page.get_by_role("dialog", name="Training Ground")
    expect(dialog.get_by_role("button", name="Start the battle")).to_be_in_viewport()
    fits(page)
    touchable(page, "dialog footer button, dialog header button")
    picture(page, "phone-new-battle")
