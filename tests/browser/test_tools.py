"""The tools of the table: thread, field of fire, rings, cards, charts, rules, dice."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.desk import Desk, sit_down
from tests.browser.rooms import saved, take_in
from tests.server.live import Live, Table

Window = Callable[..., Page]
Picture = Callable[[Page, str], None]


@pytest.fixture(scope="module")
def table(live: Live) -> Table:
    """A battle after its first turn."""
    return take_in(live, saved("first_patrol", 1, "american"))


def threads(table: Table) -> dict[str, tuple[str, str, Any]]:
    """For each state of a line of sight two places with it, as the server sees it."""
    found: dict[str, tuple[str, str, Any]] = {}
    places = [hex["id"] for hex in table.battle["board"]["hexes"]]
    for at in places[::9]:
        for other in places[::7]:
            if at != other and len(found) < 3:
                sight = table.get("/sight", "american", from_place=at, to_place=other)
                if sight["crossed"] or sight["state"] == "clear":
                    found.setdefault(sight["state"], (at, other, sight))
    return found


def test_the_thread(window: Window, table: Table, picture: Picture) -> None:
    desk = sit_down(window, table, "american", theme="light", refusals="4(00|04)")
    panel = desk.open_tab("Tools")
    known = threads(table)
    assert set(known) == {"clear", "degraded", "blocked"}
    for state, (start, end, sight) in known.items():
        panel.get_by_role("combobox", name="From").fill(start)
        panel.get_by_role("combobox", name="To").fill(end)
        panel.get_by_role("button", name="Check", exact=True).click()
        expect(desk.board.locator(f'[data-thread="{state}"]')).to_be_attached()
        expect(panel).to_contain_text(state.title())
        expect(panel).to_contain_text(sight["text"])
        if state == "clear":
            continue
        guilty = next(each for each in sight["crossed"] if each["effect"] != "none")
        row = panel.get_by_role("row").filter(has_text=guilty["text"]).filter(has_text=re.compile("blocks|degrades"))
        expect(row.first).to_contain_text(guilty["places"][0])
        if guilty["rule"]:
            expect(row.first.get_by_role("button", name=f"Rule {guilty['rule']}")).to_be_visible()
        picture(desk.page, f"sight-{state}")
    # By hand: from a click to wherever the mouse rests.
    panel.get_by_role("button", name="Close").click()
    expect(desk.board.locator("[data-thread]")).to_have_count(0)
    panel.get_by_role("button", name="Measure line of sight").click()
    start, end, _ = known["blocked"]
    desk.click(start)
    desk.hover(end)
    expect(desk.board.locator('[data-thread="blocked"]')).to_be_attached()
    desk.press("Escape")
    expect(desk.board.locator("[data-thread]")).to_have_count(0)
    panel.get_by_role("combobox", name="From").fill("nowhere")
    panel.get_by_role("combobox", name="To").fill(end)
    panel.get_by_role("button", name="Check", exact=True).click()
    expect(panel.get_by_role("alert")).to_contain_text("nowhere")


def test_the_thread_is_tied_to_the_unit_and_not_to_a_hex_with_its_letters(window: Window, table: Table) -> None:
    """The unit g2 is in G5: from it is from G5, and not from the hex G2."""
    desk = sit_down(window, table, "american")
    where = {unit["id"]: unit["place"] for unit in table.state("american")["view"]["units"]}
    assert where["g2"] not in ("", "G2")
    panel = desk.open_tab("Tools")
    panel.get_by_role("button", name="Measure line of sight").click()
    desk.unit("g2").click()
    expect(panel.get_by_role("combobox", name="From")).to_have_value(desk.name("g2"))
    desk.unit("a4").click()
    expect(panel).to_contain_text(f"{where['g2']} to {where['a4']}")


def gunner(desk: Desk) -> Any:
    """An own unit on the map."""
    units = desk.table.state(desk.side)["view"]["units"]
    return next(unit for unit in units if unit["side"] == desk.side and unit.get("place") and not unit.get("with_unit"))


def test_card_field_and_rings(window: Window, table: Table, picture: Picture) -> None:
    desk = sit_down(window, table, "american", theme="light")
    unit = gunner(desk)
    desk.pick(unit["id"])
    card = desk.page.get_by_role("article", name=unit["name"])
    expect(card).to_contain_text(unit["place"])
    expect(card.get_by_role("term").filter(has_text="Firepower")).to_be_visible()
    expect(card.get_by_role("definition").filter(has_text=str(unit["stats"]["range"])).first).to_be_visible()
    field = table.get("/field", "american", unit=unit["id"])
    card.get_by_role("button", name="Field of fire").click()
    expect(desk.board.locator("[data-field]").first).to_be_attached()
    clear = sum(seen["state"] == "clear" and seen["ring"] >= 0 for seen in field["places"])
    assert clear
    expect(card).to_contain_text(f"clear sight, in range: {clear}")
    picture(desk.page, "field-of-fire")
    card.get_by_role("button", name="Range rings").click()
    expect(desk.board.locator("[data-field]")).to_have_count(0)
    expect(desk.board.locator("[data-ring]")).to_have_count(len(field["rings"]))
    for ring in field["rings"]:
        expect(card).to_contain_text(f"{ring['text']}: range {ring['range']}")
    picture(desk.page, "range-rings")
    card.get_by_role("button", name="Range rings").click()
    expect(desk.board.locator("[data-ring]")).to_have_count(0)


def test_charts_say_where_they_come_from(window: Window, live: Live, table: Table, picture: Picture) -> None:
    charts = live.web.get("/api/charts/ost").json()["charts"]
    assert len(charts) > 5
    desk = sit_down(window, table, "american", theme="light")
    panel = desk.open_tab("Charts")
    for chart in charts:
        entry = panel.get_by_role("group").filter(has=desk.page.get_by_role("heading", name=chart["title"], exact=True))
        expect(entry.first).to_contain_text(chart["provenance"])
    chart = max(charts, key=lambda each: len(each["rows"]))
    panel.get_by_role("searchbox", name="Search the charts").fill(chart["title"])
    expect(panel.get_by_role("table", name=chart["title"])).to_contain_text(str(chart["rows"][-1][0]))
    picture(desk.page, "charts")
    panel.get_by_role("searchbox", name="Search the charts").fill("no such chart")
    expect(panel).to_contain_text("No charts match.")


def test_rules_are_found(window: Window, table: Table, picture: Picture) -> None:
    desk = sit_down(window, table, "american", theme="light")
    panel = desk.open_tab("Rules")
    search = panel.get_by_role("searchbox", name="Search the rules")
    search.fill("opportunity fire")
    expect(panel.get_by_text(re.compile(r"^\d+ rules with"))).to_be_visible()
    expect(panel.locator("mark").first).to_be_visible()
    # The section about it comes first, also where its rules do not repeat the words.
    expect(panel.get_by_role("button", name="Open rule 105.1", exact=True)).to_be_visible()
    picture(desk.page, "rules")
    panel.get_by_role("button", name=re.compile("^Open rule")).first.click()
    expect(panel.locator("[aria-current]")).to_be_in_viewport()
    panel.get_by_role("button", name="Back", exact=True).click()
    expect(panel.get_by_text(re.compile(r"^\d+ rules with"))).to_be_visible()
    search.fill("105.1")
    search.press("Enter")
    expect(panel.locator("[aria-current]")).to_contain_text("105.1")
    panel.get_by_role("button", name="Sections").click()
    expect(panel.locator("[aria-current]")).to_have_count(0)
    expect(panel.get_by_role("listitem").nth(20)).to_be_attached()


def test_the_dice_tray(window: Window, table: Table, picture: Picture) -> None:
    desk = sit_down(window, table, "american", theme="light")
    rolls = [line for line in table.state("american")["view"]["log"] if line.get("faces")]
    assert rolls
    tray = desk.open_tab("Tools").get_by_role("region", name="Dice tray")
    expect(tray.get_by_role("listitem").first).to_contain_text(rolls[-1]["text"].split(":")[0].split(" ")[0])
    expect(tray.get_by_role("listitem")).to_have_count(min(8, len(rolls)))
    expect(tray).to_contain_text("expected")
    tray.scroll_into_view_if_needed()
    picture(desk.page, "dice-tray")


def test_tags_explain_themselves(window: Window, table: Table, picture: Picture) -> None:
    desk = sit_down(window, table, "american", theme="light")
    card = desk.page.get_by_role("complementary", name="What")
    # To the pointer, on a counter: beside it, one click from the rule.
    badge = desk.board.locator(".gb-counter [data-term=Shk]").first
    badge.hover()
    expect(card).to_contain_text("Shaken")
    expect(card).to_contain_text("Half Firepower")
    picture(desk.page, "tag")
    card.get_by_role("button", name="Rule 68.3").click()
    expect(desk.page.get_by_role("tabpanel")).to_contain_text("68.3")
    expect(card).to_have_count(0)
    # To a tap in the log, and away with Escape.
    log = desk.open_tab("Log")
    log.locator("[data-term=ICT]").first.click()
    expect(card).to_contain_text("Infantry Combat Table")
    desk.page.keyboard.press("Escape")
    expect(card).to_have_count(0)
    # To the focus, on a unit's card; Enter goes on to the rule.
    badge.click()
    expect(card).to_contain_text("Shaken")
    figure = desk.page.get_by_role("article").locator("[data-term=Firepower]")
    desk.open_tab("Orders")
    figure.focus()
    desk.page.keyboard.press("Enter")
    expect(card).to_contain_text("86.1")
    expect(card.get_by_role("button")).to_be_focused()
