"""The guided first battle, played through by somebody who does what the cards say."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress

import pytest
from playwright.sync_api import Locator, Page, TimeoutError, expect

from tests.browser.desk import Desk, path
from tests.server.live import Live, Table

Window = Callable[..., Page]
Picture = Callable[[Page, str], None]
#: More clicks than this before the first shot, and a newcomer has put it away.
FIRST_SHOT = 9


class Learner:
    """Does what the card says; where it says nothing, fires if there is a target, else lets the question be."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self.page = desk, desk.page
        self.card = desk.page.get_by_role("region", name="Lesson:")
        self.clicks = 1  # the one in the lobby
        self.first_shot = 0
        self.read: list[str] = []

    def click(self, what: Locator) -> None:
        """Click, and count it."""
        what.click()
        self.clicks += 1

    def over(self) -> bool:
        """Whether the end screen is there."""
        return self.page.get_by_role("button", name="Watch the replay").is_visible()

    def wait(self) -> bool:
        """Wait for a question or the end; whether there is a question."""
        mine = self.page.get_by_text("Your decision", exact=True)
        end = self.page.get_by_role("button", name="Watch the replay")
        expect(mine.or_(end).first).to_be_visible(timeout=40_000)
        return not self.over()

    def title(self) -> str:
        """What the card is about; empty between two steps."""
        heading = self.card.get_by_role("heading")
        return re.sub(r"[\d.\s]+$", "", heading.inner_text()) if heading.count() else ""

    def _read_title(self) -> str:
        title = self.title()
        if title and title not in self.read:
            self.read.append(title)
        return title

    def step(self) -> None:
        """Read the card, which always says something; do what it says."""
        self.desk.caught_up()
        expect(self.card.get_by_role("paragraph").first).to_have_text(re.compile(r"\S+ \S+"))
        title = self._read_title()
        number = self._number()
        if (go_on := self.card.get_by_role("button", name="Next")).is_visible():
            title = self._read_title()  # it may have come up a moment ago
            with suppress(TimeoutError):  # or the enemy acted, and the card has gone on by itself
                go_on.click(timeout=3_000)
                self.clicks += 1
                expect(self.card.get_by_role("heading", name=title)).to_have_count(0)
            return
        if self.desk.reaction.is_visible():
            self.click(self.desk.reaction.get_by_role("button").first if "interrupt" in title else self._pass())
        elif title.startswith("Rally"):
            self._select("a2")
            self.click(self.desk.order("Rally"))
            self._confirm()
        elif title.startswith("Open fire"):
            self._select("a4")
            self._fire("g1")
        elif title.startswith("Pick a squad"):
            self._select(self._squad())
            return
        elif title.startswith("The cottage is empty"):
            self._move("G3")
        elif title.startswith("Move"):
            self._move()
        elif title.startswith("Assault") and (order := self.desk.options.get_by_role("button", name="Assault")).count():
            self.click(order.first)
            self._confirm()
        else:
            self.click(self._pass())
            self._confirm()
        if self._number() == number:
            with suppress(TimeoutError):  # what was to change may have changed before it was looked at
                self.page.wait_for_function(
                    "before => document.body.innerText !== before",
                    arg=self.page.locator("body").inner_text(),
                    timeout=2_000,
                )

    def _number(self) -> int:
        return int(self.desk.table.state("american")["number"])

    def _pass(self) -> Locator:
        if self.desk.bar.locator("[data-part=pass]:enabled").count():
            return self.desk.pass_button
        if (spend := self.desk.options.get_by_role("button", name="Spend a point without acting")).count():
            return spend.first
        # A question that must be answered: the first thing that it offers.
        every = self.desk.options.locator("details")
        if every.get_attribute("open") is None:
            self.click(every.locator("summary"))
        return every.get_by_role("listitem").get_by_role("button").first

    def _select(self, unit: str) -> None:
        if self.desk.unit(unit).get_attribute("aria-pressed") != "true":
            self.click(self.desk.unit(unit))
            expect(self.desk.unit(unit)).to_have_attribute("aria-pressed", "true")

    def _fire(self, target: str) -> None:
        if all(each["id"] != target for each in self.desk.table.state("american")["view"]["units"]):
            return  # the last shot felled it, and the page is about to say so
        self.click(self.desk.unit(target))
        card = self.desk.card(f"→ {self.desk.name(target)}")
        expect(card).to_contain_text(re.compile(r"\d+ %"))
        self._confirm()
        self.first_shot = self.first_shot or self.clicks

    def _squad(self) -> str:
        """A rifle squad that can still move."""
        options = self.desk.table.state("american")["view"]["ask"]["options"]
        movers = [option["unit"] for option in options if option["verb"] == "move"]
        return next((unit for unit in ("a1", "a3", "a2") if unit in movers), movers[0])

    def _move(self, goal: str = "E4") -> None:
        self._select(self._squad())
        lit = self.desk.board.locator("[data-reach]")
        expect(lit.first).to_be_attached()
        place = goal if goal in self.desk.lit() else sorted(self.desk.lit())[-1]
        self.desk.click(place)
        self.clicks += 1
        self._confirm()

    def _confirm(self) -> None:
        button = self.page.get_by_role("button", name=re.compile("^(Confirm|Go)( Enter)?$"))
        if button.count():
            self.click(button.first)


def seat(live: Live, page: Page) -> Desk:
    """The seat that the window sits at."""
    page.wait_for_url(re.compile("/play/"))
    id, token = page.url.split("/play/")[1].split("#")
    battle = live.web.get(f"/api/battles/{id}", headers={"Authorization": f"Bearer {token}"}).json()
    return Desk(page, Table(live, {"battle": battle, "seats": [{"side": "american", "token": token}]}), "american")


def test_the_first_battle(window: Window, live: Live, picture: Picture) -> None:
    page = window("/", pace="off", theme="light")
    game = page.get_by_role("region", name="Old School Tactical")
    game.get_by_role("button", name="Guided first battle").click()
    learner = Learner(seat(live, page))
    expect(learner.card).to_contain_text("Welcome")
    expect(learner.card).to_contain_text("Take the cottage")
    expect(learner.desk.board).to_have_attribute("data-drawn", "true")
    picture(page, "lesson")
    for _ in range(150):
        if not learner.wait():
            break
        if learner.title().startswith("Open fire") and "Open fire" not in learner.read:
            picture(page, "lesson-fire")
        learner.step()
    assert learner.over(), learner.read
    assert 0 < learner.first_shot <= FIRST_SHOT, learner.first_shot
    taught = {"Welcome", "Rally your men", "Impulse Points", "Open fire", "Read the log", "Pick a squad to move"}
    assert taught <= set(learner.read), learner.read
    end = page.get_by_role("dialog", name="Training Ground")
    expect(end).to_contain_text("Casualties")
    picture(page, "lesson-end")
    end.get_by_role("button", name="Next: First Patrol").click()
    expect(page.get_by_role("heading", name="First Patrol").or_(page.get_by_text("First Patrol")).first).to_be_visible()


@pytest.mark.parametrize("seed", ["20", "luck 3", "luck 8"])
def test_the_lesson_never_runs_dry(window: Window, live: Live, picture: Picture, seed: str) -> None:
    """Whatever the dice do, the card says something at every question, and nothing of a unit that is gone."""
    table = live.make(scenario="", lesson="first_steps", seed=seed)
    page = window(path(table, "american"), pace="off", theme="light")
    learner = Learner(Desk(page, table, "american"))
    for _ in range(150):
        if not learner.wait():
            break
        title = learner.title()
        units = {unit["id"] for unit in table.state("american")["view"]["units"] if unit["place"]}
        if title.startswith("Open fire"):
            assert {"a4", "g1"} <= units
        learner.step()
    assert learner.over(), learner.read


def test_the_lesson_can_be_put_away_and_comes_back(window: Window, live: Live) -> None:
    page = window("/", pace="off")
    game = page.get_by_role("region", name="Old School Tactical")
    game.get_by_role("button", name="Guided first battle").click()
    card = page.get_by_role("region", name="Lesson:")
    expect(card).to_contain_text("Welcome")
    card.get_by_role("button", name="Next").click()
    expect(card).to_contain_text("Rally your men")
    page.reload()
    expect(card).to_contain_text("Rally your men")
    card.get_by_role("button", name="Back").click()
    expect(card).to_contain_text("Welcome")
    card.get_by_role("button", name="Skip the lesson").click()
    expect(card).to_have_count(0)
    page.get_by_role("button", name="Show the lesson again").click()
    expect(card).to_be_visible()


def test_a_learner_who_does_something_else(window: Window, live: Live) -> None:
    """A step that is not followed makes way: what was done instead is explained, and the step comes again later."""
    table = live.make(scenario="", lesson="first_steps", seed="640")
    page = window(path(table, "american"), pace="off")
    learner = Learner(Desk(page, table, "american"))
    learner.card.get_by_role("button", name="Next").click()
    expect(learner.card).to_contain_text("Rally your men")
    learner.desk.select("a1")
    learner.desk.fire_at("g1")
    learner.wait()
    learner.desk.caught_up()
    expect(learner.card).not_to_contain_text("Rally your men")
    read: list[str] = []
    while (go_on := learner.card.get_by_role("button", name="Next")).count() and len(read) < 5:
        read.append(learner.title())
        go_on.click()
        expect(learner.card.get_by_role("heading", name=read[-1])).to_have_count(0)
    assert "Impulse Points" in read, read


def test_the_lesson_of_the_table(window: Window, live: Live, picture: Picture) -> None:
    """What the card says can be done as it says it: the squad lines the hedge, and the first way to shoot is a shot."""
    table = live.make(game="bolt_action", scenario="", lesson="first_steps", seed="21")
    page = window(path(table, "american"), pace="off", theme="light")
    learner = Learner(Desk(page, table, "american"))
    desk = learner.desk
    for title in ("Welcome", "The cup"):
        expect(learner.card).to_contain_text(title)
        learner.card.get_by_role("button", name="Next").click()
    expect(learner.card).to_contain_text("Inf 1")
    # The machine gun cannot move and shoot: nothing is said of shaded ground or of a hedge.
    desk.unit("a4").click()
    expect(learner.card).to_contain_text("Six orders")
    desk.order("Advance").click()
    expect(learner.card).to_contain_text("Turn the gun")
    desk.undo()
    desk.is_asked("which unit")
    desk.unit("a2").click()
    desk.order("Advance").click()
    expect(learner.card).to_contain_text("Line the hedge")
    desk.order("Line the hedge").click()
    page.get_by_role("button", name=re.compile("^Confirm")).first.click()
    expect(learner.card).to_contain_text("Open fire")
    desk.fire_at("g4")
    learner.wait()
    desk.caught_up()
    assert ": fire?" not in desk.prompt(), desk.prompt()
    expect(desk.log_line("Sniper team")).to_be_visible()
    picture(page, "lesson-table")
