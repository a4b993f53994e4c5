"""The table in the browser, in the words of the game: what a player at the screen does and reads."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.server.live import Table

#: How long something may take on a machine that is busy with other things, in seconds.
PATIENCE = 60.0


def until(met: Callable[[], Any], what: str) -> Any:
    """Wait for something on the server, and give it."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if found := met():
            return found
        time.sleep(0.02)
    raise AssertionError(f"waited in vain: {what}")


class Opponent:
    """A side that is played without a browser."""

    def __init__(self, table: Table, side: str) -> None:
        self.table, self.side = table, side

    def asked(self) -> dict[str, Any]:
        """Its state, once it is asked."""

        def mine() -> dict[str, Any] | None:
            state: dict[str, Any] = self.table.state(self.side)
            return state if state["waiting"] == "you" else None

        found: dict[str, Any] = until(mine, f"the {self.side} side is asked")
        return found

    def taken(self, before: int) -> None:
        """Wait until the battle has gone on since an update."""
        until(lambda: self.table.state(self.side)["number"] > before, "the answer is taken")

    def answers(self, *keys: str) -> None:
        """Answer, one question after the other, as soon as it is asked."""
        for key in keys:
            state = self.asked()
            offered = [option["key"] for option in state["view"]["ask"]["options"]]
            assert key in offered, f"{key} is not offered to the {self.side} side, but {offered}"
            self.table.post("/answer", self.side, {"seq": state["seq"], "key": key})


class Desk:
    """One window with one side's seat."""

    def __init__(self, page: Page, table: Table, side: str) -> None:
        self.page, self.table, self.side = page, table, side
        self.board = page.get_by_role("application")
        self.bar = page.get_by_role("region", name="Your move")
        self.options = page.locator("[data-part=options]")
        self.chip = page.get_by_role("region", name="What this does")
        self.why = page.get_by_role("region", name="Why not")
        self.reaction = page.get_by_role("group", name="Reaction")
        self.dice = page.get_by_role("form", name="Your dice")
        self.undo_button = self.bar.locator("[data-part=undo]")
        self.pass_button = self.bar.locator("[data-part=pass]")
        expect(self.bar).to_be_visible()

    # ---- looking

    def prompt(self) -> str:
        """What is asked, as the bar below the map says it."""
        return " ".join(self.bar.get_by_role("paragraph").first.inner_text().split())

    def is_asked(self, words: str | re.Pattern[str]) -> None:
        """Wait until the bar says this."""
        expect(self.bar.get_by_role("paragraph").first).to_contain_text(words)

    def unit(self, unit: str) -> Locator:
        """A counter on the map."""
        return self.board.locator(f'[data-unit="{unit}"]')

    def stands_in(self, unit: str, place: str) -> None:
        """Wait until a counter lies in a hex."""
        expect(self.unit(unit)).to_have_attribute("data-place", place)

    def lit(self) -> set[str]:
        """The hexes that are marked to be clicked."""
        return {str(mark.get_attribute("data-reach")) for mark in self.board.locator("[data-reach]").all()}

    def lights(self, *places: str) -> None:
        """Wait until hexes are marked."""
        for place in places:
            expect(self.board.locator(f'[data-reach="{place}"]')).to_be_attached()

    def card(self, words: str) -> Locator:
        """The card with the odds of an attack; its title says who attacks whom."""
        return self.page.get_by_role("region", name=words)

    def open_tab(self, name: str) -> Locator:
        """Bring up a tab of the panel at the side."""
        tab = self.page.get_by_role("tab", name=name)
        if tab.get_attribute("aria-selected") != "true":
            tab.click()
        return self.page.get_by_role("tabpanel")

    def log_line(self, words: str) -> Locator:
        """The last line of the log with these words."""
        self.open_tab("Log")
        return self.page.locator("[data-part=log]").get_by_role("listitem").filter(has_text=words).last

    # ---- pointing

    def point(self, place: str) -> tuple[float, float]:
        """Where the middle of a hex is in the window."""
        board = self.table.battle["board"]
        hex = next(hex for hex in board["hexes"] if hex["id"] == place)
        box = self.page.locator("[data-part=sheet]").bounding_box()
        assert box is not None
        scale = box["width"] / board["width"]
        return box["x"] + hex["x"] * scale, box["y"] + hex["y"] * scale

    def hover(self, place: str) -> None:
        """Rest with the mouse on a hex."""
        self.page.mouse.move(*self.point(place))

    def click(self, place: str, button: Any = "left") -> None:
        """Click the middle of a hex."""
        self.page.mouse.click(*self.point(place), button=button)

    # ---- acting

    def pick(self, unit: str) -> None:
        """Click a counter that others may lie on: they give way when the mouse rests on their hex."""
        self.caught_up()
        self.hover(str(self.unit(unit).get_attribute("data-place")))
        self.unit(unit).click()

    def caught_up(self) -> None:
        """Wait until the page shows what the server has told this side last: an act upon an older page is lost."""
        number = self.table.state(self.side)["number"]
        shown = self.page.locator("[data-update]")
        # A program that plays on may be further by now.
        until(lambda: int(shown.get_attribute("data-update") or -1) >= number, "the page has caught up")

    def select(self, unit: str) -> None:
        """Click an own counter."""
        self.caught_up()
        self.unit(unit).click()
        expect(self.unit(unit)).to_have_attribute("aria-pressed", "true")

    def plan_to(self, place: str) -> Locator:
        """Click a marked hex; what it means is shown, and nothing is done yet."""
        self.caught_up()
        self.lights(place)
        self.click(place)
        expect(self.chip.get_by_role("button", name="Go")).to_be_visible()
        return self.chip

    def go(self, place: str, *, stop: bool = False) -> None:
        """Send the selected unit to a hex."""
        self.plan_to(place).get_by_role("button", name="and stop there" if stop else "Go").click()

    def aim_at(self, unit: str) -> Locator:
        """Click an enemy; the card with the odds is given, and nothing is done yet."""
        self.caught_up()
        expect(self.unit(unit)).to_have_attribute("aria-label", re.compile("target"))
        self.unit(unit).click()
        card = self.card(f"→ {self.name(unit)}")
        expect(card.get_by_role("button", name="Confirm")).to_be_visible()
        expect(card).to_contain_text("you to them")
        return card

    def fire_at(self, unit: str) -> None:
        """Fire at an enemy in the best way that there is."""
        self.aim_at(unit).get_by_role("button", name="Confirm").click()

    def order(self, name: str) -> Locator:
        """The button of an order of the selected unit."""
        self.caught_up()
        return self.options.get_by_role("button", name=name).first

    def let_be(self) -> None:
        """Do nothing, in whatever way the question allows it: hold fire, pass, or spend a point without acting."""
        self.caught_up()
        free = self.bar.locator("[data-part=pass]:enabled")
        dear = self.bar.get_by_role("button", name="Spend a point without acting")
        free.or_(dear).first.click()

    def undo(self) -> None:
        """Take the last answer back, or be told why not: then the button only looks as if it could not be pressed."""
        self.caught_up()
        self.undo_button.click(force=True)

    def press(self, *keys: str) -> None:
        """Press keys, wherever the focus is."""
        for key in keys:
            self.page.keyboard.press(key)

    def name(self, unit: str) -> str:
        """A unit as people call it."""
        units = self.table.state(self.side)["view"]["units"]
        name: str = next(each["name"] for each in units if each["id"] == unit)
        return name


def path(table: Table, *sides: str) -> str:
    """The address of seats."""
    return f"/play/{table.id}#{','.join(table.tokens[side] for side in sides)}"


def sit_down(window: Callable[..., Page], table: Table, side: str, **settings: Any) -> Desk:
    """Open the link of a seat; steps of the others are shown at once."""
    return Desk(window(path(table, side), **({"pace": "off"} | settings)), table, side)
