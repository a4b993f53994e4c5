"""A battle on a table with the mouse: a unit is dragged to a pose, turned, refused, put back; and what is measured."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, Window
from tests.browser.desk import Desk, sit_down, until
from tests.browser.test_access import LOOKS, faults
from tests.server.live import Live, Table

Picture = Callable[[Page, str], None]
Point = tuple[float, float]
SMALL_TABLE = {"game": "bolt_action", "scenario": "first_steps", "seed": "7"}


class TableDesk(Desk):
    """A window at a battle on a table; lengths are in its measure."""

    def __init__(self, desk: Desk) -> None:
        self.__dict__.update(desk.__dict__)
        self.hand = self.page.get_by_role("region", name="Unit in your hand")

    def at(self, x: float, y: float) -> Point:
        """Where a point of the table is in the window."""
        board = self.table.battle["board"]
        box = self.page.locator("[data-part=sheet]").bounding_box()
        assert box is not None
        scale = box["width"] / board["width"] * board["step"]
        return box["x"] + x * scale, box["y"] + y * scale

    def drag(self, start: Point, end: Point) -> None:
        """Drag with the mouse, as a hand does: not in one leap."""
        self.page.mouse.move(*self.at(*start))
        self.page.mouse.down()
        self.page.mouse.move(*self.at(*end), steps=6)
        self.page.mouse.up()

    def view(self) -> dict[str, Any]:
        """What the side sees."""
        view: dict[str, Any] = self.table.state(self.side)["view"]
        return view

    def seen(self, unit: str) -> dict[str, Any]:
        """A unit as the side sees it."""
        found: dict[str, Any] = next(each for each in self.view()["units"] if each["id"] == unit)
        return found

    def area(self) -> dict[str, Any]:
        """The area of the question."""
        area: dict[str, Any] = self.view()["ask"]["area"]
        return area

    def start(self) -> Point:
        """Where the unit in the hand begins."""
        _, x, y, *_ = self.area()["start"].split()
        return float(x), float(y)

    def good_place(self) -> tuple[str, Point]:
        """The first pose among the options, and where it is."""
        verb = self.area()["verb"]
        option = next(option for option in self.view()["ask"]["options"] if option["verb"] == verb)
        x, y = option["place"].split(",")
        return option["key"], (float(x), float(y))


def sit(window: Window, live: Live, **settings: Any) -> TableDesk:
    """Sit down at a small battle, at the side that is asked first."""
    table = live.make(**SMALL_TABLE)
    desk = TableDesk(sit_down(window, table, table.asked(), **settings))
    expect(desk.board).to_have_attribute("data-drawn", "true")
    return desk


def advances(desk: TableDesk) -> str:
    """Click a unit, order it to advance, and have it in the hand."""
    unit: str = desk.view()["ask"]["options"][-1]["unit"]
    desk.unit(unit).click()
    desk.bar.get_by_role("button", name="Advance").click()
    expect(desk.board.locator(f'[data-area="{unit}"]')).to_be_attached()
    expect(desk.hand).to_be_visible()
    return unit


def far(a: Point, b: Point) -> float:
    return float(((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5)


def place(unit: dict[str, Any]) -> Point:
    x, y = unit["place"].split(",")
    return float(x), float(y)


def test_a_unit_is_dragged_to_where_it_goes(window: Window, live: Live, picture: Picture) -> None:
    desk = sit(window, live)
    expect(desk.board.locator(".gb-troop")).to_have_count(len([u for u in desk.view()["units"] if u.get("models")]))
    picture(desk.page, "table-day")
    unit = advances(desk)
    _, goal = desk.good_place()
    desk.drag(desk.start(), goal)
    ghost = desk.board.locator(f'[data-ghost="{unit}"]')
    expect(ghost.locator(".gb-ghost-model")).to_have_count(len(desk.seen(unit)["models"]))
    expect(desk.hand.get_by_role("button", name="Confirm")).to_be_enabled()
    expect(desk.hand).to_contain_text(" of ")
    picture(desk.page, "table-ghost")
    before = place(desk.seen(unit))
    desk.press("Enter")  # the focus is on the unit that was dragged
    expect(desk.unit(unit)).not_to_have_attribute("data-place", ",".join(f"{value:g}" for value in before))
    assert far(place(desk.seen(unit)), goal) < 0.5
    assert "area" not in desk.view()["ask"]


def test_a_click_shows_it_the_keys_turn_it_and_enter_confirms(window: Window, live: Live) -> None:
    desk = sit(window, live)
    unit = advances(desk)
    key, goal = desk.good_place()
    desk.page.mouse.click(*desk.at(goal[0], goal[1]))
    expect(desk.hand.get_by_role("button", name="Confirm")).to_be_enabled()
    pressed = desk.options.get_by_role("button", pressed=True)
    expect(pressed).to_have_count(1)
    desk.press("r")
    expect(desk.hand).to_contain_text(f"{(int(key.split()[3]) + 15) % 360}°")
    desk.press("Shift+R")
    desk.press("Escape")
    expect(desk.hand).to_contain_text("Drag the unit")
    desk.press("ArrowDown", "ArrowUp", "ArrowUp")
    expect(desk.hand.get_by_role("button", name="Confirm")).to_be_enabled()
    ghost = desk.board.get_by_role("button", name="in your hand")
    expect(ghost).to_have_attribute("aria-label", re.compile("heading"))
    start = desk.start()
    desk.press("Enter")
    expect(desk.hand).to_be_hidden()
    assert far(place(desk.seen(unit)), (start[0], start[1] - 1)) < 0.1, "one down and two up"


def test_what_is_too_far_is_refused_with_the_reason_and_put_back(window: Window, live: Live, picture: Picture) -> None:
    desk = sit(window, live)
    advances(desk)
    start = desk.start()
    seq = desk.table.state(desk.side)["seq"]
    desk.drag(start, (start[0] + 14, start[1] + 1))
    expect(desk.board.locator(".gb-ghost.refused")).to_be_attached()
    expect(desk.hand.get_by_role("status")).not_to_contain_text("outside the marked area")
    expect(desk.hand.get_by_role("status")).to_contain_text(re.compile(r"\w+ \w+"))
    picture(desk.page, "table-refused")
    desk.press("Enter")
    assert desk.table.state(desk.side)["seq"] == seq
    desk.hand.get_by_role("button", name="Nearest legal spot").click()
    expect(desk.board.locator(".gb-ghost.refused")).not_to_be_attached()
    expect(desk.hand.get_by_role("button", name="Confirm")).to_be_enabled()
    desk.hand.get_by_role("button", name="Put back").click()
    expect(desk.hand).to_contain_text("Drag the unit")
    assert desk.table.state(desk.side)["seq"] == seq


def test_a_single_model_is_set_by_hand(window: Window, live: Live) -> None:
    desk = sit(window, live)
    unit = advances(desk)
    start = desk.start()
    desk.drag(start, (start[0], start[1] - 1))
    desk.press("m")
    models = desk.board.locator(".gb-ghost-model")
    expect(models.first).to_have_attribute("data-drag", "model")
    box = models.first.locator(".gb-disc").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    desk.page.mouse.move(x, y)
    desk.page.mouse.down()
    desk.page.mouse.move(x, y - 8, steps=4)
    desk.page.mouse.up()
    expect(desk.board.locator(".gb-ghost-model.byhand")).to_have_count(1)
    with desk.page.expect_request("**/answer") as sent:
        desk.hand.get_by_role("button", name="Confirm").click()
    assert re.search(r" m\d+@[\d.]+,[\d.]+", str((sent.value.post_data_json or {})["key"]))
    expect(desk.hand).to_be_hidden()
    assert desk.seen(unit)


def test_the_rest_is_placed_by_turns_with_the_other_side(window: Window, live: Live, picture: Picture) -> None:
    table = live.make(game="bolt_action", scenario="crossroads", seed="7", players={"german": "random"})
    desk = TableDesk(sit_down(window, table, "american"))
    desk.is_asked("Which unit do you place? Choose one in the list.")
    desk.options.get_by_role("button", name="M4A3 Sherman").first.click()
    hull = desk.board.locator('[data-ghost="a10"] .gb-hull-body')
    expect(hull).to_be_attached()
    x, y = desk.good_place()[1]
    desk.page.mouse.click(*desk.at(x, y))
    expect(desk.hand.get_by_role("button", name="Confirm")).to_be_enabled()
    desk.press("Enter")
    expect(desk.unit("a10")).to_be_visible()
    desk.is_asked("Which unit do you place?")
    picture(desk.page, "table-deployment")
    desk.options.get_by_role("button", name="Place the rest for me").click()
    until(lambda: desk.view()["turn"] > 0, "everything is placed")


def test_the_first_steps_of_the_lesson(window: Window, live: Live, picture: Picture) -> None:
    table = live.make(game="bolt_action", scenario="", lesson="first_steps", players={"german": "random"})
    desk = TableDesk(sit_down(window, table, "american"))
    card = desk.page.get_by_role("region", name="Lesson:")
    for title in ("Welcome", "The cup"):
        expect(card.get_by_role("heading")).to_contain_text(title)
        card.get_by_role("button", name="Next").click()
    expect(card.get_by_role("heading")).to_contain_text("Pick a unit")
    desk.unit("a2").click()
    expect(card.get_by_role("heading")).to_contain_text("Six orders")
    desk.bar.get_by_role("button", name="Advance").click()
    expect(card.get_by_role("heading")).to_contain_text("Take cover")
    desk.options.get_by_role("button", name="Line the hedge").click()
    expect(desk.hand.get_by_role("button", name="Confirm")).to_be_enabled()
    one, other = (box for box in (card.bounding_box(), desk.hand.bounding_box()) if box)
    beside = one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
    below = one["y"] + one["height"] <= other["y"] or other["y"] + other["height"] <= one["y"]
    assert beside or below, (one, other)
    picture(desk.page, "table-lesson")
    desk.press("Enter")  # the button that showed it confirms it
    expect(card.get_by_role("heading")).to_contain_text("Open fire")
    desk.aim_at("g2")
    picture(desk.page, "table-odds")
    desk.press("Enter")
    expect(desk.log_line("American infantry squad 1 shoots at German infantry squad 1")).to_be_visible()


ASSAULT = """
game = "bolt_action"
drawn = "american"
turn = 2
sides = ["american", "german"]
[table]
name = "t"
width = 72
height = 48
[[terrain]]
kind = "building"
id = "farm"
points = [[28, 20], [34, 20], [34, 26], [28, 26]]
[[unit]]
id = "a1"
kind = "us_squad10"
building = "farm"
at = [31, 23]
[[unit]]
id = "g1"
kind = "ger_infantry"
heading = 180
at = [31, 13]
"""


def test_an_assault_shows_what_either_side_does_to_the_other_and_waits_to_be_confirmed(
    window: Window, live: Live, picture: Picture
) -> None:
    players = {"american": "human", "german": "human"}
    answer = live.web.post("/api/battles/import", json={"save": ASSAULT, "players": players})
    assert answer.status_code == 201, answer.text
    table = Table(live, answer.json())
    desk = TableDesk(sit_down(window, table, "american"))
    desk.select("a1")
    desk.bar.get_by_role("button", name="Run").click()
    ours, theirs = desk.name("a1"), desk.name("g1")
    desk.options.get_by_role("button", name=re.compile(f"Assault {theirs}")).first.click()
    card = desk.card(f"→ {theirs}")
    expect(card).to_contain_text("you to them")
    expect(card).to_contain_text("they to you")
    expect(card).to_contain_text(f"Assuming the German player answers “{ours} assaults {theirs}")
    expect(card).to_contain_text("Several of these can happen together")
    expect(desk.board.locator("[data-walk]").first).to_be_attached()
    picture(desk.page, "table-assault")
    assert desk.area(), "nothing is done yet"
    card.get_by_role("button", name="Confirm").click()
    expect(desk.log_line(f"{ours} assaults {theirs}")).to_be_visible()


def test_the_tape_measures_from_base_to_base(window: Window, live: Live, picture: Picture) -> None:
    desk = sit(window, live)
    mine, other = (
        next(u for u in desk.view()["units"] if u.get("models") and (u["side"] == desk.side) is own)
        for own in (True, False)
    )
    a, b = mine["models"][0], other["models"][0]
    desk.press("t")
    desk.drag((a["x"], a["y"]), (b["x"], b["y"]))
    gap = far((a["x"], a["y"]), (b["x"], b["y"])) - a["radius"] - b["radius"]
    expect(desk.board.locator("[data-part=tape]")).to_have_text(f"{round(gap, 1):g}″")
    expect(desk.board.locator("[data-ring]")).to_have_count(3)
    picture(desk.page, "table-tape")
    desk.press("Escape")
    expect(desk.board.locator("[data-part=tape]")).not_to_be_attached()


def test_threads_of_sight_and_arcs_of_fire(window: Window, live: Live, picture: Picture) -> None:
    desk = sit(window, live)
    mine, other = (
        next(u for u in desk.view()["units"] if u.get("models") and (u["side"] == desk.side) is own)
        for own in (True, False)
    )
    panel = desk.open_tab("Tools")
    panel.get_by_role("button", name="Measure line of sight").click()
    for unit in (mine, other):
        desk.page.mouse.click(*desk.at(unit["models"][0]["x"], unit["models"][0]["y"]))
    pairs = len(mine["models"]) * len(other["models"])
    expect(desk.board.locator("[data-strand]")).to_have_count(pairs)
    expect(panel).to_contain_text("Lines between models")
    picture(desk.page, "table-sight")
    panel.get_by_role("button", name="Close").click()
    panel.locator(".which select").select_option(mine["id"])
    panel.get_by_role("button", name="Field of fire").click()
    expect(desk.board.locator("[data-fan]").first).to_be_attached()
    picture(desk.page, "table-fire")


def come_to_rest(page: Page) -> None:
    """Wait until the map has not moved for half a second's pictures: on a phone an area is brought near by itself."""
    page.evaluate(
        """() => new Promise((done) => {
          const box = () => JSON.stringify(document.querySelector('[data-part=sheet]').getBoundingClientRect());
          let last = box();
          let still = 0;
          const look = () => {
            const now = box();
            still = now === last ? still + 1 : 0;
            last = now;
            if (still > 30) done(true);
            else requestAnimationFrame(look);
          };
          look();
        })"""
    )


def test_a_finger_drags_too(window: Window, live: Live, picture: Picture) -> None:
    desk = sit(window, live, size=PHONE, touch=True)
    unit: str = desk.view()["ask"]["options"][-1]["unit"]
    x, y = place(desk.seen(unit))
    desk.page.touchscreen.tap(*desk.at(x, y))
    desk.bar.get_by_role("button", name="Advance").tap()
    expect(desk.hand).to_be_visible()
    come_to_rest(desk.page)
    start, (_, goal) = desk.start(), desk.good_place()
    wire = desk.page.context.new_cdp_session(desk.page)
    (x0, y0), (x1, y1) = desk.at(*start), desk.at(*goal)

    def touch(kind: str, *points: Point) -> None:
        wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": a, "y": b} for a, b in points]})

    touch("touchStart", (x0, y0))
    for step in range(1, 7):
        touch("touchMove", (x0 + (x1 - x0) * step / 6, y0 + (y1 - y0) * step / 6))
    touch("touchEnd")
    expect(desk.hand.get_by_role("button", name="Confirm")).to_be_enabled()
    expect(desk.hand.get_by_role("listitem").first).to_be_visible()  # the card grows when the preview comes
    picture(desk.page, "table-phone")
    desk.hand.get_by_role("button", name="Confirm").tap()
    expect(desk.hand).to_be_hidden()
    assert far(place(desk.seen(unit)), goal) < 0.7


@pytest.mark.parametrize("look", LOOKS, ids=["light", "dark", "safe"])
def test_everybody_can_use_it(look: dict[str, str], window: Window, live: Live, picture: Picture) -> None:
    desk = sit(window, live, csp=False, **look)
    assert faults(desk.page) == []
    advances(desk)
    desk.press("ArrowUp")
    expect(desk.hand.get_by_role("button", name="Confirm")).to_be_enabled()
    expect(desk.page.locator("[data-part=put]")).to_be_visible()  # until then the other button is the green one
    assert faults(desk.page) == []
    picture(desk.page, f"table-hand-{'-'.join(look.values())}")
