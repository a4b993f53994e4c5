"""Programs at the table: their advice, what they thought, and their shots as one sees them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from grognard.core.open_files import open_position
from grognard.core.session import Session
from tests.browser.desk import path, sit_down, until
from tests.browser.rooms import take_in
from tests.server.live import Live
from tests.server.test_socket import wait_until_over

Window = Callable[..., Page]
HEDGE = Path(__file__).parents[2] / "docs" / "examples" / "hedge.toml"
#: A squad that its enemies may well wipe out with one volley.
WEAK = """game = "ost"
turn = 4
active = "german"
points = { german = 8, american = 2 }

[map]
columns = 8
rows = 7

[[unit]]
id = "g1"
kind = "ger_rifle"
hex = "D4"
weapons = ["ger_lmg"]

[[unit]]
id = "a1"
kind = "us_rifle"
hex = "F3"
reduced = true

[[unit]]
id = "a2"
kind = "us_rifle"
hex = "H4"
"""


def test_advice_is_asked_for_where_the_orders_are_and_followed(window: Window, live: Live) -> None:
    table = take_in(live, HEDGE.read_text(encoding="utf-8"), players={"american": "normal"}, free_undo=True)
    desk = sit_down(window, table, "german")
    desk.options.get_by_role("button", name="What would you do?").click()
    panel = desk.page.get_by_role("tabpanel")
    expect(panel.get_by_text("best", exact=True)).to_be_visible()
    before = table.state("german")["seq"]
    panel.get_by_role("button", name="Do it").first.click()
    until(lambda: table.state("german")["seq"] > before, "what was advised is done")


def test_what_it_thought_follows_the_replay(window: Window, live: Live) -> None:
    table = live.make(scenario="training_ground", players={"american": "normal", "german": "normal"})
    wait_until_over(table, "watcher")
    page = window(path(table, "watcher"), pace="off")
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    page.get_by_role("tab", name="Advisor").click()
    panel = page.get_by_role("tabpanel")
    pages = panel.get_by_text(re.compile(r"^\d+ of \d+$"))
    expect(pages).to_have_text(re.compile(r"^(\d+) of \1$"))
    page.get_by_role("slider").press("Home")
    expect(panel).to_contain_text("It hasn’t had to decide anything yet.")
    page.get_by_role("button", name="Back to the end").click()
    expect(pages).to_have_text(re.compile(r"^(\d+) of \1$"))


def test_who_is_shot_stays_until_the_shot_is_seen(window: Window, live: Live, tmp_path: Path) -> None:
    table = take_in(live, _before_a_volley(tmp_path), players={"american": "normal"}, free_undo=True)
    desk = sit_down(window, table, "german", pace="normal")
    desk.page.evaluate(
        """() => {
          new MutationObserver(() => {
            if (window.there === undefined && document.querySelector('.gb-shot'))
              window.there = document.querySelector('[data-unit="a1"]') !== null;
          }).observe(document.body, { subtree: true, childList: true });
        }"""
    )
    desk.select("g1")
    desk.fire_at("a1")
    expect(desk.unit("a1")).to_have_count(0)
    assert desk.page.evaluate("window.there") is True


def _before_a_volley(folder: Path) -> str:
    """A saved game in which the next volley wipes the weak squad out."""
    file = folder / "weak.toml"
    file.write_text(WEAK, encoding="utf-8")
    opened = open_position(str(file))
    for seed in range(500):
        session = Session(opened.game, opened.scenario, seed=b"%d" % seed, state=opened.past(0).state)
        save = session.save().decode()
        session.answer("fire g1")
        assert session.ask is not None
        session.answer(next(option.key for option in session.ask.options if option.target == "a1"))
        if all(unit.id != "a1" for unit in session.view("german").units):
            return save
    raise AssertionError("no volley wipes it out")
